import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewsletterIssueRow } from '#contract/messages.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { issuesQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { useAction, useChange } from './use-action.ts'

type OpenDialog = { what: 'write'; issue: NewsletterIssueRow | null } | { what: 'send'; issue: NewsletterIssueRow }

/** Newsletter issues: drafted, previewed, sent to all subscribers. */
export function NewsletterIssues() {
  const issues = useQuery(issuesQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  return (
    <section aria-labelledby="issues" className="mb-10">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-4">
        <h2 id="issues" className="text-[1.375rem]">
          Issues
        </h2>
        <Button aria-haspopup="dialog" onClick={() => setOpen({ what: 'write', issue: null })}>
          New issue
        </Button>
      </div>
      <QueryBoundary query={issues}>
        {({ issues: rows, subscribed }) => (
          <>
            <Table
              caption="Newsletter issues"
              isCaptionHidden
              stacks
              columns={columnsWith(setOpen)}
              rows={rows}
              keyOf={({ id }) => id}
              empty="No issues yet."
            />
            <Dialog open={open?.what === 'write'} onClose={close} title={open?.issue ? 'Edit draft' : 'New issue'}>
              {open?.what === 'write' && <Editor key={open.issue?.id ?? 'new'} issue={open.issue} onDone={close} />}
            </Dialog>
            <Dialog open={open?.what === 'send'} onClose={close} title="Send this issue?">
              {open?.what === 'send' && <SendForm issue={open.issue} subscribed={subscribed} onDone={close} />}
            </Dialog>
          </>
        )}
      </QueryBoundary>
    </section>
  )
}

const states = { draft: 'Draft', sending: 'Sending', sent: 'Sent' } as const

const columnsWith = (
  open: (dialog: OpenDialog) => void,
): readonly [Column<NewsletterIssueRow>, ...Column<NewsletterIssueRow>[]] => [
  {
    key: 'subject',
    title: 'Subject',
    cell: ({ subject }) => <span className="block max-w-[24em] min-w-44 wrap-anywhere">{subject}</span>,
  },
  { key: 'state', title: 'Status', cell: ({ state }) => states[state] },
  { key: 'to', title: 'Sent to', isNumber: true, cell: ({ state, sentTo }) => (state === 'draft' ? '' : sentTo) },
  {
    key: 'when',
    title: 'When',
    cell: ({ begunAt, writtenAt }) => <Moment at={begunAt ?? writtenAt} />,
  },
  {
    key: 'do',
    title: 'Actions',
    isAction: true,
    cell: (issue) =>
      issue.state === 'draft' && (
        <span className="flex flex-wrap gap-x-3">
          <Button
            variant="plain"
            className="-my-3"
            aria-haspopup="dialog"
            onClick={() => open({ what: 'write', issue })}
          >
            Edit<span className="sr-only"> {issue.subject}</span>
          </Button>
          <Button
            variant="plain"
            className="-my-3"
            aria-haspopup="dialog"
            onClick={() => open({ what: 'send', issue })}
          >
            Send...<span className="sr-only"> {issue.subject}</span>
          </Button>
        </span>
      ),
  },
]

function Editor({ issue, onDone }: { issue: NewsletterIssueRow | null; onDone: () => void }) {
  const api = useApi()
  const change = useChange()
  const save = async ({ subject = '', body = '', button = '', path = '' }: TypedFields) => {
    const draft = { subject, body, button: button.trim() || null, path: path.trim() || null }
    await change(async () => {
      if (issue) await api('PUT /api/admin/issues/:id', { params: { id: issue.id }, body: draft })
      else await api('POST /api/admin/issues', { body: draft })
      return { done: 'Draft saved' }
    })
    onDone()
  }
  return (
    <ApiForm send={save} aria-label="Issue" className="grid gap-5">
      <Field label="Subject" name="subject" defaultValue={issue?.subject} maxLength={120} />
      <TextArea
        label="Message"
        name="body"
        rows={9}
        maxLength={10_000}
        defaultValue={issue?.body}
        hint="A blank line starts a paragraph. The greeting and the unsubscribe link are added automatically."
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Button (optional)"
          name="button"
          defaultValue={issue?.button ?? ''}
          maxLength={40}
          hint="Such as: See the collection"
        />
        <Field
          label="Button link"
          name="path"
          defaultValue={issue?.path ?? ''}
          maxLength={200}
          hint="Such as: /RudyCollection"
        />
      </div>
      <FormNotice />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Save draft</SubmitButton>
        <Button variant="plain" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </ApiForm>
  )
}

function SendForm({
  issue,
  subscribed,
  onDone,
}: {
  issue: NewsletterIssueRow
  subscribed: number
  onDone: () => void
}) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const params = { id: issue.id }
  const send = async () => {
    const sent = await act(async () => {
      await api('POST /api/admin/issues/:id/send', { params })
      return { done: 'Sending now' }
    })
    if (sent) onDone()
  }
  const preview = () =>
    act(async () => {
      await api('POST /api/admin/issues/:id/preview', { params })
      return { done: 'Preview sent to the shop’s mailbox' }
    })
  return (
    <div className="grid gap-5">
      <article aria-label="Preview" className="rounded-card border border-line bg-ground p-5">
        <h3 className="font-display text-title wrap-anywhere">{issue.subject}</h3>
        <p className="mt-3 whitespace-pre-wrap wrap-anywhere">{issue.body}</p>
        {issue.button && (
          <p className="mt-4 wrap-anywhere">
            <span className="font-semibold">{issue.button}</span>
            <span className="ml-3 text-ink-soft">{issue.path}</span>
          </p>
        )}
      </article>
      <p>
        {subscribed === 0
          ? 'There are no subscribers yet.'
          : `It goes to ${subscribed === 1 ? 'one subscriber' : `${subscribed} subscribers`}, once each. Sent emails can’t be recalled.`}
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} disabled={subscribed === 0} onClick={() => void send()}>
          Send to all
        </Button>
        <Button variant="outline" busy={busy} onClick={() => void preview()}>
          Email me a preview
        </Button>
        <Button variant="plain" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
