import { useInfiniteQuery } from '@tanstack/react-query'
import type { SubscriberRow } from '#contract/messages.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { pagedQuery } from './message-queries.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { NewsletterIssues } from './NewsletterIssues.tsx'
import { Moment } from './Moment.tsx'
import { useAction } from './use-action.ts'

/** `/admin/subscribers`: newsletter issues and their subscribers. */
export function SubscribersPage() {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const query = useInfiniteQuery(pagedQuery(api, 'GET /api/admin/subscribers'))
  const unsubscribe = ({ id }: SubscriberRow) =>
    act(async () => {
      await api('POST /api/admin/subscribers/:id/leave', { params: { id } })
      return { done: 'Unsubscribed' }
    })
  return (
    <AdminFrame title="Subscribers">
      <NewsletterIssues />
      {failure && <Notice>{failure.sentence}</Notice>}
      <QueryBoundary query={query}>
        {({ pages }) => (
          <>
            <p role="status" className="mb-4 max-w-[44em] text-ink-soft">
              {pages[0]?.subscribed ?? 0} subscribed. People who haven’t confirmed get nothing.
            </p>
            <Table
              caption="Subscribers"
              isCaptionHidden
              stacks
              columns={columns(unsubscribe, busy)}
              rows={pages.flatMap(({ subscribers }) => subscribers)}
              keyOf={({ id }) => id}
              empty="No subscribers yet."
            />
          </>
        )}
      </QueryBoundary>
      <MoreButton query={query}>Older</MoreButton>
    </AdminFrame>
  )
}

const states: Record<SubscriberRow['state'], string> = {
  asked: 'Not confirmed',
  subscribed: 'Subscribed',
  left: 'Unsubscribed',
  bounced: 'Can’t be reached',
  complained: 'Reported as spam',
}

type Unsubscribe = (subscriber: SubscriberRow) => void

const columns = (
  unsubscribe: Unsubscribe,
  busy: boolean,
): readonly [Column<SubscriberRow>, ...Column<SubscriberRow>[]] => [
  {
    key: 'email',
    title: 'Email',
    cell: ({ email }) => <span className="block max-w-[24em] min-w-44 wrap-anywhere">{email}</span>,
  },
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'state', title: 'Status', cell: ({ state }) => states[state] },
  {
    key: 'since',
    title: 'Since',
    cell: ({ leftAt, confirmedAt, askedAt }) => <Moment at={leftAt ?? confirmedAt ?? askedAt} />,
  },
  {
    key: 'end',
    title: 'Unsubscribe',
    isAction: true,
    cell: (subscriber) =>
      subscriber.state === 'subscribed' && (
        <Button variant="plain" className="-my-3" busy={busy} onClick={() => unsubscribe(subscriber)}>
          Unsubscribe<span className="sr-only"> {subscriber.email}</span>
        </Button>
      ),
  },
]
