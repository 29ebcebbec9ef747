import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { ANSWER_MAX, type Thread } from '#contract/admin-conversations.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { fillReply } from '#domain/messages/conversation.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { useApi } from '#web/api/use-api.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { statusText } from './StatusLabel.tsx'
import { savedRepliesQuery } from './message-queries.ts'
import { useChange } from './use-action.ts'

type Props = { thread: Thread; order?: AdminOrder | undefined }

/** Answers a conversation, closes or reopens it. */
export function AnswerForm({ thread, order }: Props) {
  const { id, version, state, reaches } = thread
  const api = useApi()
  const change = useChange()
  const fieldId = useId()
  const params = { id }
  const [words, setWords] = useState('')
  const button = reaches.chat
    ? reaches.email
      ? 'Answer in the chat and by email'
      : 'Answer in the chat'
    : 'Answer by email'
  const step = state === 'closed' ? 'reopen' : 'close'
  return (
    <section aria-labelledby={`${fieldId}-title`} className="mt-8 border-t border-line pt-6">
      <h2 id={`${fieldId}-title`} className="text-[1.375rem]">
        Answer
      </h2>
      {!reaches.email && !reaches.chat ? (
        <div className="mt-4">
          <Notice tone="calm">
            An answer can’t reach this visitor: their browser no longer has the chat, and they left no email.
          </Notice>
        </div>
      ) : (
        <SavedReplyChoice
          thread={thread}
          order={order}
          onChoice={(reply) => setWords((before) => (before.trim() ? `${before.trimEnd()}\n\n${reply}` : reply))}
        />
      )}
      <ApiForm
        aria-labelledby={`${fieldId}-title`}
        className="mt-4 grid gap-4"
        send={async () => {
          await change(() => api('POST /api/admin/conversations/:id/answer', { params, body: { words, version } }))
          setWords('')
        }}
      >
        {(reaches.email || reaches.chat) && (
          <TextArea
            label="Your answer"
            name="words"
            rows={7}
            maxLength={ANSWER_MAX}
            value={words}
            onValue={setWords}
            hint="Greeting and earlier messages are added to the email."
          />
        )}
        <FormNotice />
        <div className="flex flex-wrap gap-3">
          {(reaches.email || reaches.chat) && <SubmitButton busyText="Sending...">{button}</SubmitButton>}
          <FormButton
            variant="outline"
            send={() =>
              change(() =>
                step === 'close'
                  ? api('POST /api/admin/conversations/:id/close', { params, body: { version } })
                  : api('POST /api/admin/conversations/:id/reopen', { params, body: { version } }),
              )
            }
          >
            {step === 'close' ? 'Close without an answer' : 'Reopen'}
          </FormButton>
        </div>
      </ApiForm>
    </section>
  )
}

function SavedReplyChoice({ thread, order, onChoice }: Props & { onChoice: (words: string) => void }) {
  const { data } = useQuery(savedRepliesQuery)
  const { name: shop } = useSite()
  const replies = data?.replies ?? []
  if (replies.length === 0)
    return (
      <p className="mt-3 text-[0.9375rem] text-ink-soft">
        Do you write the same often?{' '}
        <Link to={conversationPaths.replies} className="link-line">
          Add a saved reply
        </Link>
        .
      </p>
    )
  const values = { shop, ...valuesOf(thread, order) }
  return (
    <Select
      label="Saved reply"
      className="mt-4 max-w-sm"
      value=""
      options={[
        { value: '', label: 'Choose one to fill in' },
        ...replies.map(({ id, title }) => ({ value: String(id), label: title })),
      ]}
      onValue={(value) => {
        const reply = replies.find(({ id }) => String(id) === value)
        if (reply) onChoice(fillReply(reply.words, values))
      }}
    />
  )
}

/** What the order or the person says about each placeholder; what is unknown stays in the text to be replaced. */
function valuesOf({ name }: Thread, order: AdminOrder | undefined) {
  const [firstName] = (name ?? '').trim().split(/\s+/)
  const tracking = order?.parcels.findLast(({ trackingUrl, trackingNumber }) => trackingUrl ?? trackingNumber)
  const parcel = tracking?.trackingUrl ?? tracking?.trackingNumber
  return {
    ...(firstName && { 'first-name': firstName }),
    ...(order && { order: formatOrderNumber(order.orderNumber), status: statusText(order.status).toLowerCase() }),
    ...(parcel && { tracking: parcel }),
  }
}
