import type { CatalogImport } from '#contract/admin-catalog-file.ts'
import { Table, type Column } from '#web/ui/Table.tsx'

type Difference = CatalogImport['differences'][number] & { key: number }

const states = { new: 'New', changed: 'Changed', retired: 'Retires' } as const

/** More would hide the next product. */
const CHANGES_SHOWN = 8

const columns: readonly [Column<Difference>, ...Column<Difference>[]] = [
  {
    key: 'name',
    title: 'What',
    cell: ({ kind, name }) => (
      <>
        <span className="wrap-anywhere">{name}</span>
        <span className="block text-sm font-normal text-ink-soft first-letter:uppercase">{kind}</span>
      </>
    ),
  },
  { key: 'state', title: 'Becomes', cell: ({ what }) => states[what] },
  { key: 'changes', title: 'Changes', cell: ({ changes }) => <Changes changes={changes} /> },
]

type Mistake = CatalogImport['warnings'][number] & { key: number }

const mistakeColumns: readonly [Column<Mistake>, ...Column<Mistake>[]] = [
  { key: 'row', title: 'Row', cell: ({ row }) => row, isNumber: true },
  { key: 'column', title: 'Column', cell: ({ column }) => column },
  { key: 'problem', title: 'Why', cell: ({ problem }) => <span className="wrap-anywhere">{problem}</span> },
]

const Changes = ({ changes }: { changes: Difference['changes'] }) => (
  <ul className="grid gap-1 text-sm">
    {changes.slice(0, CHANGES_SHOWN).map(({ field, before, after }) => (
      <li key={field} className="wrap-anywhere">
        <span className="font-semibold">{field}</span>: {before === null ? 'nothing' : <del>{before}</del>}
        {' to '}
        {after === null ? 'nothing' : <ins className="no-underline">{after}</ins>}
      </li>
    ))}
    {changes.length > CHANGES_SHOWN && <li>and {changes.length - CHANGES_SHOWN} more</li>}
  </ul>
)

/** What a file changes, with old and new values, and what looks wrong in it. */
export const CatalogDifference = ({
  report: { differences, differenceCount, warnings, warningCount },
}: {
  report: CatalogImport
}) => (
  <>
    {warnings.length > 0 && (
      <Table
        caption={captionOf('Please check', warnings.length, warningCount)}
        stacks
        columns={mistakeColumns}
        rows={warnings.map((warning, key) => ({ ...warning, key }))}
        keyOf={({ key }) => key}
        empty=""
      />
    )}
    {differences.length > 0 && (
      <Table
        caption={captionOf('Difference', differences.length, differenceCount)}
        stacks
        columns={columns}
        rows={differences.map((difference, key) => ({ ...difference, key }))}
        keyOf={({ key }) => key}
        empty=""
      />
    )}
  </>
)

const captionOf = (name: string, shown: number, all: number): string =>
  shown < all ? `${name}: the first ${shown} of ${all}` : name
