import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { conversationPaths } from '#contract/conversation-paths.ts'
import type { OrderConversation, OrderMessage } from '#contract/conversations.ts'
import type { OrderKey } from '#contract/orders.ts'
import { MESSAGE_MAX } from '#domain/messages/lengths.ts'
import { useApi } from '#web/api/use-api.ts'
import { useSite } from '#web/api/use-site.ts'
import { ClaimPhotos } from '#web/claims/ClaimPhotos.tsx'
import { withKey } from '#web/claims/claim-queries.ts'
import { OrderFrame } from '#web/orders/OrderFrame.tsx'
import { longDay } from '#web/orders/order-labels.ts'
import type { Photo } from '#web/orders/PhotoField.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { PhotoList } from '#web/orders/PhotoList.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { say, sayKnown } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress } from '#shared/language.ts'
import { orderConversationQuery } from './conversation-query.ts'

/** `/order-confirmation/messages`: what the customer of an order and the shop write to each other. */
export function MessagesPage() {
  const [parameters] = useSearchParams()
  return (
    <OrderFrame title={say('Write to us')} queryOf={orderConversationQuery}>
      {(conversation, orderKey) => (
        <Written conversation={conversation} orderKey={orderKey} said={parameters.get('said') ?? ''} />
      )}
    </OrderFrame>
  )
}

type Props = { conversation: OrderConversation; orderKey: OrderKey; said: string }

/** Messages of the form without JavaScript. */
const noticeOf = (said: string): { text: string; tone: 'calm' | undefined } | undefined => {
  switch (said) {
    case 'sent':
      return { text: say('Sent. We answer by email, and here.'), tone: 'calm' }
    case 'invalid':
      return {
        text: say('Not sent: please write something, up to {most} characters.', { most: MESSAGE_MAX }),
        tone: undefined,
      }
    case 'chat_full':
      return { text: say('Not sent: this conversation has reached its limit. Please email us.'), tone: undefined }
    default:
      return undefined
  }
}

function Written({ conversation: { email, messages }, orderKey, said }: Props) {
  const { responsePromise } = useSite()
  const [done, setDone] = useState('')
  const [sent, setSent] = useState(0)
  const notice = done ? { text: sayKnown(done), tone: 'calm' as const } : noticeOf(said)
  return (
    <>
      <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
        <Sentence
          word="We answer within {hours} hours, {days}: here, and by email to {email}."
          parts={{
            hours: responsePromise.withinHours,
            days: sayKnown(responsePromise.days),
            email: <span className="wrap-anywhere">{email}</span>,
          }}
        />
      </p>
      {messages.length > 0 && (
        <ol aria-label={say('Messages')} className="mt-8 grid gap-4">
          {messages.map((message) => (
            <Message key={message.id} message={message} orderKey={orderKey} />
          ))}
        </ol>
      )}
      {notice && (
        <div className="mt-6">
          <Notice {...(notice.tone && { tone: notice.tone })}>{notice.text}</Notice>
        </div>
      )}
      {/* After a message, a new form with a submission of its own. */}
      <MessageForm
        key={sent}
        orderKey={orderKey}
        onSent={(sentence) => {
          setDone(sentence)
          setSent((before) => before + 1)
        }}
      />
    </>
  )
}

const Message = ({
  message: { author, words, at, isFromOther, photos },
  orderKey,
}: {
  message: OrderMessage
  orderKey: OrderKey
}) => (
  <li
    className={classNames(
      'rounded-card border bg-surface p-4 shadow-card sm:p-5',
      author === 'shop' ? 'mr-6 border-accent sm:mr-16' : 'ml-6 border-line sm:ml-16',
    )}
  >
    <p className="text-sm text-ink-soft">
      <span className="font-semibold text-ink">
        {author === 'shop' ? say('We') : isFromOther ? say('Another email address') : say('You')}
      </span>
      , <time dateTime={at}>{longDay(at)}</time>
    </p>
    <p className="mt-1 whitespace-pre-line wrap-anywhere">{words}</p>
    <PhotoList
      what={say('What you sent')}
      addresses={photos.map((photo) => withKey(`/api/order/conversation-photos/${photo}`, orderKey))}
    />
  </li>
)

/** Works without JavaScript, except for photos. */
function MessageForm({ orderKey, onSent }: { orderKey: OrderKey; onSent: (sentence: string) => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const isHydrated = useHydrated()
  const titleId = useId()
  const [submission] = useState(() => crypto.randomUUID())
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  return (
    <section aria-labelledby={titleId} className="mt-10 border-t border-line pt-8">
      <h2 id={titleId} className="text-title">
        {say('Your message')}
      </h2>
      <ApiForm
        method="post"
        action={spokenAddress(conversationPaths.messages)}
        aria-labelledby={titleId}
        className="mt-5 grid gap-5"
        send={async ({ words = '' }) => {
          const body = { ...orderKey, submission, words, photos: photos.map(({ file }) => file) }
          const { done } = await api('POST /api/order/conversation', { body })
          await queries.invalidateQueries(orderConversationQuery(orderKey))
          onSent(done)
        }}
      >
        {Object.entries(orderKey).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <TextArea
          label={say('What can we do for you?')}
          name="words"
          rows={6}
          required
          maxLength={MESSAGE_MAX}
          hint={say('Never send card numbers.')}
        />
        {isHydrated && <ClaimPhotos orderKey={orderKey} photos={photos} onPhotos={setPhotos} isOfClaim={false} />}
        <FormNotice title={say('Not sent. Nothing you entered is lost.')} />
        <div>
          <SubmitButton busyText={say('Sending...')}>{say('Send message')}</SubmitButton>
        </div>
      </ApiForm>
    </section>
  )
}
