import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import type { Thread, ThreadMessage } from '#contract/admin-conversations.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { languageNames } from '#shared/language.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PhotoList } from '#web/orders/PhotoList.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { adminOrderQuery } from './admin-queries.ts'
import { AnswerForm } from './AnswerForm.tsx'
import { ConversationFacts } from './ConversationFacts.tsx'
import { Moment } from './Moment.tsx'
import { threadQuery } from './message-queries.ts'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'
import { useMay } from './use-may.ts'

/** `/admin/inbox/:id`: a conversation, with the facts of its order beside it. */
export function ConversationPage() {
  const id = Number(useParams()['id'])
  const thread = useQuery(threadQuery(id))
  const title = thread.data?.orderNumber
    ? `Order ${formatOrderNumber(thread.data.orderNumber)}`
    : (thread.data?.subject ?? 'Conversation')
  return (
    <AdminFrame
      title={title}
      actions={
        <Link to={paths.adminInbox} className="link-line inline-flex min-h-11 items-center">
          Inbox
        </Link>
      }
    >
      <QueryBoundary query={thread}>
        {(data) => (data.orderNumber === null ? <Whole thread={data} /> : <AboutOrder thread={data} />)}
      </QueryBoundary>
    </AdminFrame>
  )
}

function AboutOrder({ thread }: { thread: Thread }) {
  const order = useQuery(adminOrderQuery(thread.orderNumber ?? ''))
  return <Whole thread={thread} order={order.data} />
}

type OfOrder = { thread: Thread; order?: Parameters<typeof AnswerForm>[0]['order'] }

function Whole({ thread, order }: OfOrder) {
  useMarkedRead(thread)
  const { name, email, language, state, messages } = thread
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="min-w-0">
        <p className="mb-5 text-ink-soft wrap-anywhere">
          {name ?? 'Visitor'}
          {email && (
            <>
              ,{' '}
              <a href={`mailto:${email}`} className="link-line">
                {email}
              </a>
            </>
          )}{' '}
          · {language !== 'en' && `reads ${languageNames[language]} · `}
          {stateSentences[state]}
        </p>
        {messages.length === 0 && <p className="mb-5">Nobody has written yet.</p>}
        <ol aria-label="Messages" className="grid gap-4">
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
        <May need="answer_messages">
          <AnswerForm key={`answer ${thread.id}`} thread={thread} order={order} />
        </May>
      </div>
      <aside aria-label="Facts" className="grid content-start gap-8">
        {order && <ConversationFacts order={order} claims={thread.claims} />}
        <May need="answer_messages">
          <NoteForm id={thread.id} />
        </May>
      </aside>
    </div>
  )
}

const stateSentences = {
  waiting: 'waiting for your answer',
  answered: 'answered',
  closed: 'closed; what they write next opens it again',
}

/** Opening it is reading it; what comes while it is open is read too. */
function useMarkedRead({ id, version, isUnread }: Thread) {
  const api = useApi()
  const mayAnswer = useMay()('answer_messages')
  useEffect(() => {
    if (!isUnread || !mayAnswer) return
    // Only a mark in a list: without it the conversation is shown as unread once more.
    api('POST /api/admin/conversations/:id/read', { params: { id }, body: { version } }).catch(() => undefined)
  }, [api, id, version, isUnread, mayAnswer])
}

const authors = { customer: 'Customer', shop: 'You', note: 'Note, only you see it' }
const channels: Readonly<Record<ThreadMessage['channel'], string>> = {
  contact: 'contact form',
  chat: 'chat',
  order: 'order page',
  email: 'email',
  admin: '',
}
const mailStates = { queued: 'Email on its way', sent: 'Emailed', bounced: 'The email bounced: it did not arrive' }

function Message({ message: { author, channel, words, at, sender, photos, mail } }: { message: ThreadMessage }) {
  return (
    <li
      className={classNames(
        'rounded-card border p-4 sm:p-5',
        author === 'customer' && 'mr-6 border-line bg-surface sm:mr-16',
        author === 'shop' && 'ml-6 border-accent bg-surface sm:ml-16',
        author === 'note' && 'border-dashed border-ink/40',
      )}
    >
      <p className="text-sm text-ink-soft">
        <span className="font-semibold text-ink">{authors[author]}</span>
        {channels[channel] && `, ${channels[channel]}`} · <Moment at={at} />
      </p>
      {sender !== null && (
        <p className="mt-2 text-sm font-medium text-danger wrap-anywhere">
          Sent from {sender}, which is not the customer’s address. Your answer goes to the customer’s.
        </p>
      )}
      <p className="mt-2 max-w-[46em] whitespace-pre-line wrap-anywhere">{words}</p>
      <PhotoList
        what="What they sent"
        size="size-28"
        addresses={photos.map((photo) => `/api/admin/conversation-photos/${photo}`)}
      />
      {mail && (
        <p className={classNames('mt-2 text-sm', mail === 'bounced' ? 'font-medium text-danger' : 'text-ink-soft')}>
          {mailStates[mail]}
        </p>
      )}
    </li>
  )
}

function NoteForm({ id }: { id: number }) {
  const api = useApi()
  const change = useChange()
  return (
    <ApiForm
      aria-label="Add a note"
      className="grid gap-3"
      clears
      send={({ words = '' }) =>
        change(() => api('POST /api/admin/conversations/:id/note', { params: { id }, body: { words } }))
      }
    >
      <TextArea label="Note" name="words" rows={2} maxLength={5000} hint="Only you see it." />
      <FormNotice />
      <SubmitButton variant="outline" className="justify-self-start">
        Add note
      </SubmitButton>
    </ApiForm>
  )
}
