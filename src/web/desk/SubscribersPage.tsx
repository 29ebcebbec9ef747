import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListedSubscriber } from '#contract/correspondence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Asked } from './Asked.tsx'
import { pagesOf } from './correspondence-queries.ts'
import { DeskFrame } from './DeskFrame.tsx'
import { Issues } from './Issues.tsx'
import { Moment } from './Moment.tsx'
import { useAction } from './use-action.ts'

/** `/desk/subscribers`: the newsletter’s issues, and who gets them. */
export function SubscribersPage() {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  const asked = useInfiniteQuery(pagesOf(api, 'GET /api/desk/subscribers'))
  const end = ({ id }: ListedSubscriber) =>
    act(async () => {
      await api('POST /api/desk/subscribers/:id/leave', { params: { id } })
      return { done: 'The subscription has ended' }
    })
  return (
    <DeskFrame title="Subscribers">
      <Issues />
      {trouble && <Notice>{trouble.sentence}</Notice>}
      <Asked query={asked}>
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
      </Asked>
      {asked.hasNextPage && (
        <Button
          look="outline"
          className="mt-6"
          busy={asked.isFetchingNextPage}
          onClick={() => void asked.fetchNextPage()}
        >
          Older
        </Button>
      )}
    </DeskFrame>
  )
}

const states: Record<ListedSubscriber['state'], string> = {
  asked: 'Asked, not confirmed',
  subscribed: 'Subscribed',
  left: 'Unsubscribed',
}

type End = (of: ListedSubscriber) => void

const columns = (end: End, busy: boolean): readonly [Column<ListedSubscriber>, ...Column<ListedSubscriber>[]] => [
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
        <Button look="plain" className="-my-3" busy={busy} onClick={() => end(one)}>
          Unsubscribe<span className="sr-only"> {one.email}</span>
        </Button>
      ),
  },
]
