import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { CatalogVersion } from '#contract/catalog-version.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Moment } from './Moment.tsx'
import { useAction } from './use-action.ts'

const sourceNames: Readonly<Record<string, string>> = {
  import: 'catalog file',
  merge: 'catalog file, with changes kept',
  upload: 'imported file',
  admin: 'edited',
  undo: 'restored',
  schedule: 'published on time',
  printer: 'from the printer',
}

type RestoreProps = {
  /** The version that is stored now. */
  current: number
  /** What restoring brings back, and what stays. */
  hint: string
  restore: (version: number) => Promise<{ done: string }>
  onRestored?: () => void
}

/** Who changed something in the catalog, when and what; each version can be restored. */
export function Versions({
  versions,
  current,
  hint,
  restore,
  onRestored,
}: RestoreProps & { versions: readonly CatalogVersion[] }) {
  const { act, busy, failure } = useAction()
  const restoreVersion = async (version: number) => {
    if (await act(() => restore(version))) onRestored?.()
  }
  return (
    <div className="grid gap-4">
      <p className="text-sm text-ink-soft">{hint}</p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <Table
        caption="Versions"
        columns={columnsWith(current, busy, (version) => void restoreVersion(version))}
        rows={versions}
        keyOf={({ version }) => version}
        empty="No saved changes yet."
      />
    </div>
  )
}

type Props = RestoreProps & { query: UseQueryOptions<{ versions: CatalogVersion[] }> }

/** The same, folded; loaded when it is opened. */
export function VersionHistory({ query, ...restoring }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="mt-8 border-t border-line pt-4" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">History</summary>
      {isOpen && <LoadedVersions query={query} {...restoring} />}
    </details>
  )
}

function LoadedVersions({ query, ...restoring }: Props) {
  const history = useQuery(query)
  return (
    <QueryBoundary query={history}>{({ versions }) => <Versions versions={versions} {...restoring} />}</QueryBoundary>
  )
}

const columnsWith = (
  current: number,
  busy: boolean,
  restore: (version: number) => void,
): readonly [Column<CatalogVersion>, ...Column<CatalogVersion>[]] => [
  { key: 'version', title: 'Version', isNumber: true, cell: ({ version }) => version },
  { key: 'at', title: 'When', cell: ({ at }) => <Moment at={at} /> },
  { key: 'by', title: 'Who', cell: ({ by, source }) => `${by} (${sourceNames[source] ?? source})` },
  { key: 'changes', title: 'What', cell: ({ changes }) => changes.join(', ') || 'created' },
  {
    key: 'restore',
    title: 'Restore',
    isAction: true,
    cell: ({ version }) =>
      version !== current && (
        <Button
          variant="plain"
          className="-my-3"
          busy={busy}
          aria-label={`Restore version ${version}`}
          onClick={() => restore(version)}
        >
          Restore
        </Button>
      ),
  },
]
