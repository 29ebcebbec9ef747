import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { TypedFields } from '#web/ui/use-form.ts'
import type { ReceivedChat, ReceivedMessage } from '#contract/messages.ts'
import type { ReceivedCall } from '#contract/partners.ts'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { pagedQuery } from './message-queries.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { formatNewYorkTime, waitingSummary } from './date-format.ts'
import { useChange } from './use-action.ts'

const queues = [
  { id: 'messages', title: 'Messages' },
  { id: 'chats', title: 'Chats' },
  { id: 'calls', title: 'Calls' },
] as const

/** `/admin/inbox`: messages, chats and call requests. */
export function InboxPage() {
  const [parameters] = useSearchParams()
  const queue = queues.find(({ id }) => id === parameters.get('queue'))?.id ?? 'messages'
  return (
    <AdminFrame title="Inbox">
      <nav aria-label="Inbox" className="mb-6 border-b border-line">
        <ul className="flex flex-wrap gap-x-6">
          {queues.map(({ id, title }) => (
            <li key={id}>
              <Link
                to={`${paths.adminInbox}?queue=${id}`}
                aria-current={id === queue ? 'page' : undefined}
                className={classNames(
                  '-mb-px inline-flex min-h-11 items-center border-b-2',
                  id === queue ? 'border-accent font-semibold' : 'border-transparent hover:underline',
                )}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {queue === 'messages' && <Messages />}
      {queue === 'chats' && <Chats />}
      {queue === 'calls' && <Calls />}
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

/** Hides the form behind a button once everything is answered. */
function ReplyToggle({ isWaiting, children }: { isWaiting: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(isWaiting)
  if (isOpen) return children
  return (
    <Button variant="plain" className="mt-2" onClick={() => setIsOpen(true)}>
      Reply again
    </Button>
  )
}

const Messages = () => (
  <MessageQueue
    query={useInfiniteQuery(pagedQuery(useApi(), 'GET /api/admin/messages'))}
    rowsIn={(page) => page.messages}
    empty="No messages yet. Messages from the contact form appear here."
  >
    {(message) => <Message key={message.id} message={message} />}
  </MessageQueue>
)

function Message({
  message: { id, name, email, subject, message, sentAt, isWaiting, answers },
}: {
  message: ReceivedMessage
}) {
  const api = useApi()
  return (
    <Entry isWaiting={isWaiting}>
      <Head title={subject} at={sentAt} isWaiting={isWaiting}>
        {name},{' '}
        <a href={`mailto:${email}`} className="link-line">
          {email}
        </a>
      </Head>
      <WrittenText>{message}</WrittenText>
      {answers.map(({ answer, answeredAt }) => (
        <div key={answeredAt} className="mt-4 border-l-2 border-line pl-4">
          <p className="text-sm text-ink-soft">
            Replied <time dateTime={answeredAt}>{formatNewYorkTime(answeredAt)}</time>
          </p>
          <p className="mt-1 max-w-[46em] whitespace-pre-line wrap-anywhere">{answer}</p>
        </div>
      ))}
      <ReplyToggle isWaiting={isWaiting}>
        <ReplyForm
          about={subject}
          button="Reply by email"
          send={(answer) => api('POST /api/admin/messages/:id/answer', { params: { id }, body: { answer } })}
          onArchive={isWaiting ? () => api('POST /api/admin/messages/:id/close', { params: { id } }) : undefined}
        />
      </ReplyToggle>
    </Entry>
  )
}

const Chats = () => (
  <MessageQueue
    query={useInfiniteQuery(pagedQuery(useApi(), 'GET /api/admin/chats'))}
    rowsIn={(page) => page.chats}
    empty="No chats yet."
  >
    {(chat) => <Chat key={chat.id} chat={chat} />}
  </MessageQueue>
)

function Chat({ chat: { id, email, startedAt, waitingSince, isOpen, messages } }: { chat: ReceivedChat }) {
  const api = useApi()
  const isWaiting = waitingSince !== null
  return (
    <Entry isWaiting={isWaiting}>
      <Head title={`Chat ${id}`} at={waitingSince ?? startedAt} isWaiting={isWaiting}>
        {email ?? 'no email'}
      </Head>
      {!isOpen && (
        <p className="mt-2 text-[0.9375rem] text-ink-soft">
          The visitor’s browser no longer has this conversation.{' '}
          {email ? 'Your reply reaches them only by email.' : 'A reply can’t reach them.'}
        </p>
      )}
      <ul className="mt-3 grid max-w-[46em] gap-2">
        {messages.map((line) => (
          <li
            key={line.id}
            className={classNames('border-l-2 pl-4', line.author === 'shop' ? 'border-accent' : 'border-line')}
          >
            <p className="text-sm text-ink-soft">
              {line.author === 'shop' ? 'Shop' : 'Visitor'},{' '}
              <time dateTime={line.timestamp}>{formatNewYorkTime(line.timestamp)}</time>
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{line.message}</p>
          </li>
        ))}
      </ul>
      <ReplyToggle isWaiting={isWaiting}>
        <ReplyForm
          about={`chat ${id}`}
          button={email ? 'Reply in the chat and by email' : 'Reply in the chat'}
          send={(answer) => api('POST /api/admin/chats/:id/answer', { params: { id }, body: { answer } })}
          onArchive={isWaiting ? () => api('POST /api/admin/chats/:id/close', { params: { id } }) : undefined}
        />
      </ReplyToggle>
    </Entry>
  )
}

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
