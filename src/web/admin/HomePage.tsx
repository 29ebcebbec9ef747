import { useQuery } from '@tanstack/react-query'
import type { ToDoCounts } from '#contract/admin.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { adminCollectionsQuery, homeQuery, productsQuery } from './admin-queries.ts'

type Kind = {
  name: Exclude<keyof ToDoCounts, 'erasures' | 'exceptionKinds'>
  singular: string
  plural: string
  description: string
  to: string
}

/** Most urgent first. */
const kinds: readonly Kind[] = [
  {
    name: 'exceptions',
    singular: 'exception',
    plural: 'exceptions',
    description: 'Orders, payments or providers that need your attention.',
    to: paths.adminExceptions,
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

/** `/admin`: what needs the owner today. */
export function HomePage() {
  const toDo = useQuery(homeQuery)
  return (
    <AdminFrame title="To do">
      <FirstSteps />
      <QueryBoundary query={toDo}>{(counts) => <List counts={counts} />}</QueryBoundary>
    </AdminFrame>
  )
}

/** Of a shop without products: what to do first, one step after the other. */
function FirstSteps() {
  const { data: catalog } = useQuery(productsQuery())
  const { data: listed } = useQuery(adminCollectionsQuery)
  if (!catalog || !listed || catalog.products.length > 0) return null
  const hasCollection = listed.collections.length > 0
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-8 grid justify-items-start gap-4 rounded-card border border-line bg-surface p-6"
    >
      <h2 id="first-steps" className="font-display text-title">
        {hasCollection ? 'Next: your first product' : 'First: a collection'}
      </h2>
      <p className="max-w-[40em] text-ink-soft">
        {hasCollection
          ? 'Choose what to print on, upload a drawing and place it. The printer makes the product, and the shop sells it.'
          : 'A name and an animal are enough to begin. Products belong to a collection, which has its own page and colors.'}
      </p>
      <Link to={hasCollection ? paths.newProduct : paths.adminNewCollection} className={buttonClass('primary')}>
        {hasCollection ? 'New product' : 'New collection'}
      </Link>
      <p className="text-sm text-ink-soft">
        Coming from another shop?{' '}
        <Link to={paths.adminImport} className="link-line">
          Bring your products along
        </Link>
      </p>
    </section>
  )
}

function List({ counts }: { counts: ToDoCounts }) {
  const toDo = kinds.filter(({ name }) => counts[name] > 0)
  return (
    <>
      {toDo.length === 0 ? (
        <div className="rounded-card border border-line bg-surface p-8">
          <p className="font-display text-title">All caught up.</p>
          <p className="mt-2 text-ink-soft">Every payment has its order, and no order is stuck. A good day.</p>
        </div>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {toDo.map(({ name, singular, plural, description, to }) => {
            const count = counts[name]
            return (
              <li key={name} className="flex flex-col rounded-card border border-line bg-surface p-5">
                <p className="flex items-baseline gap-3">
                  <span className="font-display text-[2.5rem] leading-none tabular-nums">{count}</span>
                  <span className="font-semibold">{count === 1 ? singular : plural}</span>
                </p>
                <p className="mt-2 text-ink-soft">{description}</p>
                {name === 'exceptions' && <Kinds kinds={counts.exceptionKinds} />}
                <p className="mt-auto pt-3">
                  <Link
                    to={to}
                    className="link-line inline-flex min-h-11 items-center font-medium"
                    aria-label={`Open: ${count === 1 ? singular : plural}`}
                  >
                    Open
                  </Link>
                </p>
              </li>
            )
          })}
        </ul>
      )}
      {counts.erasures > 0 && (
        <p className="mt-6 text-ink-soft">
          {counts.erasures === 1 ? 'One erasure request is waiting' : `${counts.erasures} erasure requests are waiting`}{' '}
          for orders or checkouts still in progress, then {counts.erasures === 1 ? 'runs' : 'run'} automatically.
        </p>
      )}
    </>
  )
}

const KINDS_SHOWN = 4

function Kinds({ kinds }: { kinds: ToDoCounts['exceptionKinds'] }) {
  const rest = kinds.slice(KINDS_SHOWN).reduce((sum, { count }) => sum + count, 0)
  return (
    <ul className="mt-3 grid gap-1">
      {kinds.slice(0, KINDS_SHOWN).map(({ title, count }) => (
        <li key={title} className="flex justify-between gap-4 border-t border-line pt-1">
          <span>{title}</span>
          <span className="tabular-nums">{count}</span>
        </li>
      ))}
      {rest > 0 && <li className="border-t border-line pt-1 text-ink-soft">and {rest} more</li>}
    </ul>
  )
}
