import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { AuditLogEntry } from '#contract/admin.ts'
import { roles } from '#domain/accounts/roles.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { logQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { UndoButton } from './UndoButton.tsx'
import { May } from './May.tsx'

/** `/admin/log`: who did what, when, from where. */
export function LogPage() {
  const [parameters] = useSearchParams()
  const older = parameters.get('older') ?? undefined
  const log = useQuery(logQuery(older))
  return (
    <AdminFrame title="Log">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Everything done in the admin or by a command, newest first. Entries can’t be changed and contain no customer
        names or addresses.
      </p>
      <QueryBoundary query={log}>
        {({ actions, hasMore }) => (
          <PagedTable
            caption="Actions"
            columns={columns}
            rows={actions}
            keyOf={({ id }) => id}
            empty="No actions yet."
            first={older && paths.adminLog}
            hasMore={hasMore}
            after={({ id }) => `${paths.adminLog}?older=${id}`}
          />
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const columns: readonly [Column<AuditLogEntry>, ...Column<AuditLogEntry>[]] = [
  {
    key: 'at',
    title: 'When',
    cell: ({ at }) => <Moment at={at} />,
  },
  {
    key: 'who',
    title: 'Who',
    cell: ({ who, role }) => (
      <span className="block max-w-[14em] min-w-20 wrap-anywhere">
        {who}
        {role && <span className="block text-sm text-ink-soft">{roles[role].name}</span>}
      </span>
    ),
  },
  { key: 'what', title: 'Action', cell: ({ what }) => what },
  { key: 'about', title: 'Target', cell: ({ about }) => <ActionTarget about={about} /> },
  { key: 'change', title: 'Change', cell: (action) => <Change {...action} /> },
  {
    key: 'undo',
    title: 'Undo',
    cell: ({ id, about }) =>
      about.kind === 'setting' && (
        <May need="owner">
          <UndoButton id={id} target={about.id} />
        </May>
      ),
  },
  { key: 'from', title: 'From', cell: ({ address }) => address || 'the server' },
]

const ActionTarget = ({ about: { kind, id } }: Pick<AuditLogEntry, 'about'>) => (
  <span className="whitespace-nowrap">
    {kind} {kind === 'order' ? <OrderLink number={id} /> : id}
  </span>
)

const OrderLink = ({ number }: { number: string }) => (
  <Link to={paths.adminOrder(number)} className="link-line">
    {formatOrderNumber(number)}
  </Link>
)

/** Each changed value, before and after. */
function Change({ before, after }: Pick<AuditLogEntry, 'before' | 'after'>) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <ul className="grid max-w-[32em] gap-1">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          <span className="text-ink-soft">{name}:</span>{' '}
          {before && name in before && (
            <>
              <del className="text-ink-soft">{formatValue(before[name])}</del>
              <span className="sr-only"> changed to </span>{' '}
            </>
          )}
          {after && name in after && <ins className="no-underline">{formatValue(after[name])}</ins>}
        </li>
      ))}
    </ul>
  )
}

const formatValue = (value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined || value === '' ? 'none' : String(value)
