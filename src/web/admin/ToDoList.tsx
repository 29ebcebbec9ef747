import type { ToDoCounts } from '#contract/admin.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { needOfPage } from '#contract/page-access.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { useMay } from './use-may.ts'

type Kind = {
  name: Exclude<keyof ToDoCounts, 'erasures' | 'exceptionKinds'>
  singular: string
  plural: string
  description: string
  to: string
  /** Money or an order is stuck meanwhile. */
  isUrgent?: boolean
}

/** Worst first. */
const kinds: readonly Kind[] = [
  {
    name: 'exceptions',
    singular: 'exception',
    plural: 'exceptions',
    description: 'Orders, payments or providers that need your attention.',
    to: paths.adminExceptions,
    isUrgent: true,
  },
  {
    name: 'heldOrders',
    singular: 'order on hold',
    plural: 'orders on hold',
    description: 'Paid, and not made until you release them.',
    to: `${paths.adminOrders}?status=on_hold`,
    isUrgent: true,
  },
  {
    name: 'claims',
    singular: 'claim',
    plural: 'claims',
    description: 'Something is wrong with an order, or somebody withdraws from it.',
    to: claimPaths.admin,
  },
  {
    name: 'messages',
    singular: 'message',
    plural: 'messages',
    description: 'Customers and visitors who wait for an answer.',
    to: paths.adminInbox,
  },
  {
    name: 'applications',
    singular: 'application',
    plural: 'applications',
    description: 'Creators who want to become partners.',
    to: paths.adminPartners,
  },
  {
    name: 'calls',
    singular: 'call request',
    plural: 'call requests',
    description: 'A partner has proposed times.',
    to: paths.adminInbox,
  },
  {
    name: 'reviews',
    singular: 'review',
    plural: 'reviews',
    description: 'Written by buyers, not published yet.',
    to: paths.adminReviews,
  },
  {
    name: 'changes',
    singular: 'catalog change',
    plural: 'catalog changes',
    description: 'The printer’s catalog differs from ours.',
    to: paths.adminCatalog,
  },
]

/** What waits for the owner, each with the way to where it is done. */
export function ToDoList({ counts }: { counts: ToDoCounts }) {
  const may = useMay()
  const toDo = kinds.filter(({ name, to }) => counts[name] > 0 && may(needOfPage(to.split('?')[0] ?? to)))
  return (
    <section aria-labelledby="to-do">
      <h2 id="to-do" className="mb-2">
        To do
      </h2>
      {toDo.length === 0 ? (
        <p className="border-y border-line py-3 text-ink-soft">
          <span className="font-medium text-ink">All caught up.</span> Every payment has its order, and no order is
          stuck. A good day.
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {toDo.map((kind) => (
            <li key={kind.name}>
              <Row kind={kind} count={counts[kind.name]} counts={counts} />
            </li>
          ))}
        </ul>
      )}
      {counts.erasures > 0 && (
        <p className="mt-3 text-sm text-ink-soft">
          {counts.erasures === 1 ? 'One erasure request is waiting' : `${counts.erasures} erasure requests are waiting`}{' '}
          for orders or checkouts still in progress, then {counts.erasures === 1 ? 'runs' : 'run'} automatically.
        </p>
      )}
    </section>
  )
}

function Row({ kind, count, counts }: { kind: Kind; count: number; counts: ToDoCounts }) {
  const { name, singular, plural, description, to, isUrgent = false } = kind
  const words = count === 1 ? singular : plural
  return (
    <Link to={to} className="-mx-2 flex min-h-11 items-baseline gap-x-3 rounded-card px-2 py-2 hover:bg-button-quiet">
      <span className={classNames('min-w-8 text-right font-semibold', isUrgent && 'text-danger')}>
        {count.toLocaleString('en-US')}
      </span>{' '}
      <span className="min-w-0 flex-1">
        <span className="mr-2 font-medium">{words}</span>{' '}
        <span className="text-ink-soft">
          {name === 'exceptions' && counts.exceptionKinds.length > 0
            ? counts.exceptionKinds.slice(0, KINDS_SHOWN).map(nameOfKind).join(', ')
            : description}
        </span>
      </span>
      <Icon name="right" className="size-4 self-center text-ink-soft" />
    </Link>
  )
}

const KINDS_SHOWN = 4

const nameOfKind = ({ title, count }: ToDoCounts['exceptionKinds'][number]): string =>
  count === 1 ? title : `${title} (${count.toLocaleString('en-US')})`
