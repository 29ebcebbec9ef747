import { useInfiniteQuery } from '@tanstack/react-query'
import type { SubscriberRow } from '#contract/messages.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from './QueryBoundary.tsx'
import { pagesOf } from './message-queries.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { NewsletterIssues } from './NewsletterIssues.tsx'
import { Moment } from './Moment.tsx'
import { useAction } from './use-action.ts'

/** `/admin/subscribers`: the newsletter’s issues, and who gets them. */
export function SubscribersPage() {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  const asked = useInfiniteQuery(pagesOf(api, 'GET /api/admin/subscribers'))
  const end = ({ id }: SubscriberRow) =>
    act(async () => {
      await api('POST /api/admin/subscribers/:id/leave', { params: { id } })
      return { done: 'The subscription has ended' }
    })
  return (
    <AdminFrame title="Subscribers">
      <NewsletterIssues />
      {trouble && <Notice>{trouble.sentence}</Notice>}
      <QueryBoundary query={asked}>
        {({ pages }) => (
          <>
            <p role="status" className="mb-4 max-w-[44em] text-ink-soft">
              {pages[0]?.subscribed ?? 0} subscribed. Whoever asked and has not confirmed gets nothing.
            </p>
            <Table
              caption="Subscribers"
              isCaptionHidden
              stacks
              columns={columns(end, busy)}
              rows={pages.flatMap(({ subscribers }) => subscribers)}
              keyOf={({ id }) => id}
              empty="Nobody has asked for the newsletter yet."
            />
          </>
        )}
      </QueryBoundary>
      {asked.hasNextPage && (
        <Button
          variant="outline"
          className="mt-6"
          busy={asked.isFetchingNextPage}
          onClick={() => void asked.fetchNextPage()}
        >
          Older
        </Button>
      )}
    </AdminFrame>
  )
}

const states: Record<SubscriberRow['state'], string> = {
  asked: 'Asked, not confirmed',
  subscribed: 'Subscribed',
  left: 'Unsubscribed',
}

type EndSubscription = (of: SubscriberRow) => void

const columns = (end: EndSubscription, busy: boolean): readonly [Column<SubscriberRow>, ...Column<SubscriberRow>[]] => [
  {
    key: 'email',
    title: 'Email',
    cell: ({ email }) => <span className="block max-w-[24em] min-w-44 wrap-anywhere">{email}</span>,
  },
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'state', title: 'State', cell: ({ state }) => states[state] },
  {
    key: 'since',
    title: 'Since',
    cell: ({ leftAt, confirmedAt, askedAt }) => <Moment at={leftAt ?? confirmedAt ?? askedAt} />,
  },
  {
    key: 'end',
    title: 'Change',
    isAction: true,
    cell: (one) =>
      one.state === 'subscribed' && (
        <Button variant="plain" className="-my-3" busy={busy} onClick={() => end(one)}>
          Unsubscribe<span className="sr-only"> {one.email}</span>
        </Button>
      ),
  },
]
