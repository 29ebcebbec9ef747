import { useQuery } from '@tanstack/react-query'
import type { ToDoCounts } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { QueryBoundary } from './QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { homeQuery } from './admin-queries.ts'

type Kind = {
  name: Exclude<keyof ToDoCounts, 'erasures' | 'exceptionKinds'>
  one: string
  many: string
  why: string
  /** Where it is worked off. */
  to: string
}

/** The most urgent first. */
const kinds: readonly Kind[] = [
  {
    name: 'exceptions',
    one: 'exception',
    many: 'exceptions',
    why: 'Orders, money or providers that need a hand.',
    to: paths.adminExceptions,
  },
  {
    name: 'messages',
    one: 'message',
    many: 'messages',
    why: 'From the contact form, not answered yet.',
    to: paths.adminInbox,
  },
  { name: 'chats', one: 'chat', many: 'chats', why: 'Somebody waits for an answer.', to: paths.adminInbox },
  {
    name: 'applications',
    one: 'application',
    many: 'applications',
    why: 'Somebody would like to be a partner.',
    to: paths.adminPartners,
  },
  { name: 'calls', one: 'call', many: 'calls', why: 'A partner has proposed times.', to: paths.adminInbox },
  {
    name: 'changes',
    one: 'change of the catalog',
    many: 'changes of the catalog',
    why: 'The printer says otherwise than we do.',
    to: paths.adminCatalog,
  },
]

/** `/admin`: what needs a hand today. Nothing is a good day. */
export function HomePage() {
  const waiting = useQuery(homeQuery)
  return (
    <AdminFrame title="What waits">
      <QueryBoundary query={waiting}>{(counts) => <List counts={counts} />}</QueryBoundary>
    </AdminFrame>
  )
}

function List({ counts }: { counts: ToDoCounts }) {
  const some = kinds.filter(({ name }) => counts[name] > 0)
  return (
    <>
      {some.length === 0 ? (
        <div className="rounded-card border border-line bg-surface p-8">
          <p className="font-display text-title">Nothing waits.</p>
          <p className="mt-2 text-ink-soft">
            Every payment became an order, and every order is on its way. A good day.
          </p>
        </div>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {some.map(({ name, one, many, why, to }) => {
            const count = counts[name]
            return (
              <li key={name} className="flex flex-col rounded-card border border-line bg-surface p-5">
                <p className="flex items-baseline gap-3">
                  <span className="font-display text-[2.5rem] leading-none tabular-nums">{count}</span>
                  <span className="font-semibold">{count === 1 ? one : many}</span>
                </p>
                <p className="mt-2 text-ink-soft">{why}</p>
                {name === 'exceptions' && <Kinds kinds={counts.exceptionKinds} />}
                <p className="mt-auto pt-3">
                  <Link
                    to={to}
                    className="link-line inline-flex min-h-11 items-center font-medium"
                    aria-label={`Open: ${count === 1 ? one : many}`}
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
          {counts.erasures === 1 ? 'One person is' : `${counts.erasures} people are`} erased by themselves as soon as
          nothing of theirs is under way.
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
