import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { ConversationRow } from '#contract/admin-conversations.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { conversationStates } from '#domain/messages/conversation.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { isOneOf } from '#shared/one-of.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Moment } from './Moment.tsx'
import { conversationsQuery } from './message-queries.ts'

/** What customers and visitors wrote, those that wait first. */
export function ConversationList() {
  const [parameters, setParameters] = useSearchParams()
  const typed = parameters.get('state') ?? ''
  const state = isOneOf(conversationStates, typed) ? typed : ''
  const query = useInfiniteQuery(conversationsQuery(useApi(), state))
  return (
    <>
      <form aria-label="Filter" className="mb-5" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="Show"
          value={state}
          className="w-60"
          options={[
            { value: '', label: 'All, waiting first' },
            { value: 'waiting', label: 'Waiting for you' },
            { value: 'answered', label: 'Answered' },
            { value: 'closed', label: 'Closed' },
          ]}
          onValue={(value) => setParameters(value ? { state: value } : {})}
        />
      </form>
      <QueryBoundary query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ conversations }) => conversations)
          return (
            <>
              <p role="status" className="mb-4 text-ink-soft">
                {rows.length === 0
                  ? 'No conversations here. What people write on an order’s page, by the contact form, in the chat or by email appears in this list.'
                  : summaryOf(pages[0])}
              </p>
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
                {rows.map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </ul>
              <MoreButton query={query}>More</MoreButton>
            </>
          )
        }}
      </QueryBoundary>
    </>
  )
}

function summaryOf({ waiting, unread }: { waiting: number; unread: number } = { waiting: 0, unread: 0 }): string {
  const first = waiting === 0 ? 'All answered.' : `${waiting} waiting for an answer, longest wait first.`
  return unread === 0 ? first : `${first} ${unread} unread.`
}

const stateNames = { waiting: 'Waiting for you', answered: 'Answered', closed: 'Closed' }
const authors = { customer: '', shop: 'You: ', note: 'Note: ' }

function Row({ row }: { row: ConversationRow }) {
  const { id, orderNumber, subject, name, email, state, isUnread, preview, lastAuthor, lastAt } = row
  return (
    <li>
      <Link
        to={conversationPaths.thread(id)}
        className={classNames(
          'block rounded-card border bg-surface px-5 py-4 hover:border-ink/50',
          state === 'waiting' ? 'border-l-4 border-line border-l-accent' : 'border-line',
        )}
      >
        <span className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <span className={classNames('min-w-0 wrap-anywhere', isUnread && 'font-semibold')}>
            {isUnread && (
              <>
                <span aria-hidden="true" className="mr-2 inline-block size-2.5 rounded-full bg-accent" />
                <span className="sr-only">New: </span>
              </>
            )}
            {name ?? email ?? 'Visitor'}
          </span>
          <span className="text-sm text-ink-soft">
            {stateNames[state]} · <Moment at={lastAt} />
          </span>
        </span>
        <span className="mt-1 block font-medium wrap-anywhere">
          {orderNumber === null ? subject : `Order ${formatOrderNumber(orderNumber)}`}
        </span>
        <span className="mt-0.5 block truncate text-[0.9375rem] text-ink-soft">
          {authors[lastAuthor]}
          {preview}
        </span>
      </Link>
    </li>
  )
}
