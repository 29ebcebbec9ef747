import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminProduct, ProductVersion } from '#contract/admin-products.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Moment } from './Moment.tsx'
import { productHistoryQuery } from './admin-queries.ts'
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

/** Who changed a product, when and what; each version can be restored. Loaded when it is opened. */
export function ProductHistory({ product }: { product: AdminProduct }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="mt-8 border-t border-line pt-4" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">History</summary>
      {isOpen && <Versions product={product} />}
    </details>
  )
}

function Versions({ product: { id, version: current } }: { product: AdminProduct }) {
  const api = useApi()
  const history = useQuery(productHistoryQuery(id))
  const { act, busy, failure } = useAction()
  const restore = (restored: number) =>
    act(() => api('POST /api/admin/products/:id/restore', { params: { id }, body: { version: current, restored } }))
  return (
    <div className="grid gap-4">
      <p className="text-sm text-ink-soft">Restoring brings texts, pictures and options back; the state stays.</p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <QueryBoundary query={history}>
        {({ versions }) => (
          <Table
            caption="Versions"
            columns={columnsWith(current, busy, restore)}
            rows={versions}
            keyOf={({ version }) => version}
            empty="No saved changes yet."
          />
        )}
      </QueryBoundary>
    </div>
  )
}

const columnsWith = (
  current: number,
  busy: boolean,
  restore: (version: number) => Promise<unknown>,
): readonly [Column<ProductVersion>, ...Column<ProductVersion>[]] => [
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
          onClick={() => void restore(version)}
        >
          Restore
        </Button>
      ),
  },
]
