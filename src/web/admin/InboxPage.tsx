import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { TypedFields } from '#web/ui/use-form.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import type { ReceivedCall } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { TabLinks } from '#web/app/TabLinks.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { pagedQuery } from './message-queries.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { ConversationList } from './ConversationList.tsx'
import { Moment } from './Moment.tsx'
import { formatNewYorkTime, waitingSummary } from './date-format.ts'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'

const queues = [
  { id: 'conversations', title: 'Conversations' },
  { id: 'calls', title: 'Calls' },
] as const

/** `/admin/inbox`: conversations with customers and visitors, and call requests of partners. */
export function InboxPage() {
  const [parameters] = useSearchParams()
  const queue = queues.find(({ id }) => id === parameters.get('queue'))?.id ?? 'conversations'
  return (
    <AdminFrame
      title="Inbox"
      actions={
        <Link to={conversationPaths.replies} className={buttonClass('outline')}>
          Saved replies
        </Link>
      }
    >
      <May need="read_partners">
        <div className="mb-6">
          <TabLinks
            name="Inbox"
            tabs={queues.map(({ id, title }) => ({
              to: `${paths.adminInbox}?queue=${id}`,
              text: title,
              isCurrent: id === queue,
            }))}
          />
        </div>
      </May>
      {queue === 'conversations' && <ConversationList />}
      {queue === 'calls' && (
        <May need="read_partners">
          <Calls />
        </May>
      )}
    </AdminFrame>
  )
}

type MessageQueueProps<Page, Row> = {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  rowsIn: (page: Page) => readonly Row[]
  empty: string
  children: (row: Row) => ReactNode
}

function MessageQueue<Page extends { waiting: number }, Row>({
  query,
  rowsIn,
  empty,
  children,
}: MessageQueueProps<Page, Row>) {
  return (
    <QueryBoundary query={query}>
      {({ pages }) => {
        const rows = pages.flatMap(rowsIn)
        return (
          <>
            <p role="status" className="mb-4 text-ink-soft">
              {rows.length === 0 ? empty : waitingSummary(pages[0]?.waiting ?? 0)}
            </p>
            <ul className="grid gap-5">{rows.map(children)}</ul>
            <MoreButton query={query}>More</MoreButton>
          </>
        )
      }}
    </QueryBoundary>
  )
}

const Entry = ({ isWaiting, children }: { isWaiting: boolean; children: ReactNode }) => (
  <li
    className={classNames(
      'rounded-card border bg-surface p-5',
      isWaiting ? 'border-l-4 border-line border-l-accent' : 'border-line',
    )}
  >
    {children}
  </li>
)

type HeadProps = { title: string; at: string; isWaiting: boolean; children: ReactNode }

const Head = ({ title, at, isWaiting, children }: HeadProps) => (
  <header>
    <h2 className="text-[1.125rem] leading-tight wrap-anywhere">{title}</h2>
    <p className="mt-1 text-[0.9375rem] wrap-anywhere text-ink-soft">
      {children} · {isWaiting && 'waiting since '}
      <Moment at={at} />
    </p>
  </header>
)

const WrittenText = ({ children }: { children: string }) => (
  <p className="mt-3 max-w-[46em] whitespace-pre-line wrap-anywhere">{children}</p>
)

const Calls = () => (
  <MessageQueue
    query={useInfiniteQuery(pagedQuery(useApi(), 'GET /api/admin/calls'))}
    rowsIn={(page) => page.calls}
    empty="No call requests yet."
  >
    {(call) => <Call key={call.id} call={call} />}
  </MessageQueue>
)

const callStates: Record<Exclude<ReceivedCall['state'], 'waiting'>, string> = {
  agreed: 'Confirmed',
  declined: 'Declined',
}

function Call({ call }: { call: ReceivedCall }) {
  const { username, email, topic, times, timeZone, state, agreedTime, reply, sentAt } = call
  const isWaiting = state === 'waiting'
  return (
    <Entry isWaiting={isWaiting}>
      <Head title={topic} at={sentAt} isWaiting={isWaiting}>
        {username}
        {email && `, ${email}`}
        {!isWaiting && ` · ${callStates[state]}`}
      </Head>
      {agreedTime && <p className="mt-3 font-medium">{formatNewYorkTime(agreedTime)} (New York time)</p>}
      {reply && <WrittenText>{reply}</WrittenText>}
      {isWaiting && <CallAnswer call={call} times={times} timeZone={timeZone} />}
    </Entry>
  )
}

const formatTimeIn = (at: string, timeZone: string): string => {
  try {
    return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  } catch {
    return formatNewYorkTime(at)
  }
}

function CallAnswer({
  call: { id, topic },
  times,
  timeZone,
}: {
  call: ReceivedCall
  times: readonly string[]
  timeZone: string
}) {
  const api = useApi()
  const change = useChange()
  const answer = ({ time = '', reply = '' }: TypedFields) =>
    change(async () => {
      await api('POST /api/admin/calls/:id/answer', { params: { id }, body: { time: time || null, reply } })
      return { done: time ? 'Call confirmed' : 'Call declined' }
    })
  return (
    <ApiForm send={answer} aria-label={`Reply to ${topic}`} className="mt-4 grid max-w-[38rem] gap-4">
      <Select
        label="Time"
        name="time"
        hint={`New York time; the partner’s own (${timeZone}) in parentheses.`}
        options={[
          ...times.map((time) => ({
            value: time,
            label: `${formatNewYorkTime(time)} (${formatTimeIn(time, timeZone)})`,
          })),
          { value: '', label: 'None of these times work' },
        ]}
      />
      <TextArea label="Reply (optional)" name="reply" rows={2} maxLength={2000} />
      <FormNotice />
      <SubmitButton className="justify-self-start">Send reply</SubmitButton>
    </ApiForm>
  )
}
