import { useQuery } from '@tanstack/react-query'
import type { AdminDrop } from '#contract/admin-drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { dropsQuery } from './admin-queries.ts'
import { DropActions } from './DropActions.tsx'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'

/** `/admin/drops`: limited sales, and how many of their pieces are gone. */
export function DropsPage() {
  const query = useQuery(dropsQuery)
  return (
    <AdminFrame
      title="Drops"
      actions={
        <Link to={dropPaths.adminNew} className={buttonClass('primary')}>
          New drop
        </Link>
      }
    >
      <QueryBoundary query={query}>
        {({ drops }) => (
          <Table
            caption="Drops"
            isCaptionHidden
            stacks
            columns={columns}
            rows={drops}
            keyOf={({ id }) => id}
            empty="There is no drop yet. A drop sells a product or a collection from a moment on, in numbered pieces."
          />
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const columns: readonly [Column<AdminDrop>, ...Column<AdminDrop>[]] = [
  {
    key: 'title',
    title: 'Drop',
    cell: ({ id, title, goods }) => (
      <>
        <Link to={dropPaths.adminDrop(id)} className="link-line">
          {title}
        </Link>
        <span className="block text-sm text-ink-soft">{goods}</span>
      </>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StatusLabel status={state} /> },
  {
    key: 'time',
    title: 'Begins and ends',
    cell: ({ startsAt, endsAt }) => (
      <>
        <Moment at={startsAt} />
        <span className="block text-sm text-ink-soft">{endsAt === null ? 'until sold' : <Moment at={endsAt} />}</span>
      </>
    ),
  },
  {
    key: 'sold',
    title: 'Sold',
    isNumber: true,
    cell: ({ counts, pieces }) => (
      <>
        {counts.sold}
        {pieces !== null && ` of ${pieces}`}
        <span className="block text-sm text-ink-soft">{underWay(counts)}</span>
      </>
    ),
  },
  {
    key: 'people',
    title: 'Waiting',
    isNumber: true,
    cell: ({ state, counts }) => (state === 'draft' || state === 'scheduled' ? counts.notices : counts.waiting),
  },
  { key: 'actions', title: 'Change', isAction: true, cell: (drop) => <DropActions drop={drop} /> },
]

const underWay = ({ reserved, offered, retired }: AdminDrop['counts']): string =>
  [
    ...(reserved > 0 ? [`${reserved} being paid`] : []),
    ...(offered > 0 ? [`${offered} offered`] : []),
    ...(retired > 0 ? [`${retired} retired`] : []),
  ].join(', ')
