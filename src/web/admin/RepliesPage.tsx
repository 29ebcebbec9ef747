import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ANSWER_MAX, SavedReplyDraft, type SavedReply } from '#contract/admin-conversations.ts'
import { paths } from '#contract/paths.ts'
import { replyPlaceholders } from '#domain/messages/conversation.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { savedRepliesQuery } from './message-queries.ts'
import { useChange } from './use-action.ts'

/** `/admin/inbox/replies`: texts for answers. */
export function RepliesPage() {
  const replies = useQuery(savedRepliesQuery)
  return (
    <AdminFrame
      title="Saved replies"
      actions={
        <Link to={paths.adminInbox} className="link-line inline-flex min-h-11 items-center">
          Inbox
        </Link>
      }
    >
      <p className="max-w-[44em]">
        Texts that you send often. In a conversation you choose one, and it is filled in for you to check and send.
      </p>
      <dl aria-label="Placeholders" className="mt-4 grid gap-1 text-[0.9375rem] sm:grid-cols-[auto_1fr] sm:gap-x-4">
        {Object.entries(replyPlaceholders).map(([name, meaning]) => (
          <div key={name} className="contents">
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd className="text-ink-soft max-sm:mb-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <QueryBoundary query={replies}>
        {({ replies: saved }) => (
          <>
            <ul className="mt-8 grid gap-5">
              {saved.map((reply) => (
                <li key={reply.id} className="rounded-card border border-line bg-surface p-5">
                  <Reply key={reply.version} reply={reply} />
                </li>
              ))}
            </ul>
            <section aria-labelledby="new-reply" className="mt-8">
              <h2 id="new-reply" className="mb-4 text-[1.375rem]">
                {saved.length === 0 ? 'Your first reply' : 'New reply'}
              </h2>
              <NewReply />
            </section>
          </>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const Fields = ({ title, words }: { title?: string; words?: string }) => (
  <>
    <Field label="Title" name="title" maxLength={80} defaultValue={title} hint="You see it, the customer doesn’t." />
    <TextArea label="Reply" name="words" rows={5} maxLength={ANSWER_MAX} defaultValue={words} />
    <FormNotice />
  </>
)

function NewReply() {
  const api = useApi()
  const change = useChange()
  return (
    <ApiForm
      schema={SavedReplyDraft}
      clears
      aria-labelledby="new-reply"
      className="grid max-w-[44rem] gap-4"
      send={(body) =>
        change(async () => {
          await api('POST /api/admin/saved-replies', { body })
          return { done: 'Reply saved' }
        })
      }
    >
      <Fields />
      <SubmitButton className="justify-self-start">Save reply</SubmitButton>
    </ApiForm>
  )
}

function Reply({ reply: { id, title, words, version } }: { reply: SavedReply }) {
  const api = useApi()
  const change = useChange()
  const [isOpen, setIsOpen] = useState(false)
  const params = { id }
  if (!isOpen)
    return (
      <>
        <h2 className="text-[1.125rem] wrap-anywhere">{title}</h2>
        <p className="mt-2 max-w-[46em] whitespace-pre-line wrap-anywhere text-ink-soft">{words}</p>
        <Button variant="outline" className="mt-4" onClick={() => setIsOpen(true)}>
          Change<span className="sr-only"> {title}</span>
        </Button>
      </>
    )
  return (
    <ApiForm
      schema={SavedReplyDraft}
      aria-label={`Change ${title}`}
      className="grid max-w-[44rem] gap-4"
      send={async (draft) => {
        await change(() => api('PUT /api/admin/saved-replies/:id', { params, body: { ...draft, version } }))
        setIsOpen(false)
      }}
    >
      <Fields title={title} words={words} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Save reply</SubmitButton>
        <FormButton variant="outline" send={() => change(() => api('DELETE /api/admin/saved-replies/:id', { params }))}>
          Delete
        </FormButton>
        <Button variant="plain" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      </div>
    </ApiForm>
  )
}
