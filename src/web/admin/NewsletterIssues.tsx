import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewsletterIssueRow } from '#contract/messages.ts'
import { countryInSentence, countryName, mainCountries } from '#domain/checkout/countries.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { fromLocalTime } from '#web/ui/local-time.ts'
import { Select } from '#web/ui/Select.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { adminCollectionsQuery, issuesQuery } from './admin-queries.ts'
import { MailForms } from './MailPreview.tsx'
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
        {({ issues: rows, complaintsTo }) => (
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
            <p className="mt-4 max-w-[44em] text-sm text-ink-soft">
              {complaintsTo === null ? (
                'Without IMAP_URL, only addresses that the mail server refuses at once are unsubscribed.'
              ) : (
                <>
                  Addresses that can’t be reached are unsubscribed. So is who calls an issue spam, if you register{' '}
                  <span className="wrap-anywhere">{complaintsTo}</span> for the feedback loops of mail providers.
                </>
              )}
            </p>
            <Dialog open={open?.what === 'write'} onClose={close} title={open?.issue ? 'Edit draft' : 'New issue'}>
              {open?.what === 'write' && <Editor key={open.issue?.id ?? 'new'} issue={open.issue} onDone={close} />}
            </Dialog>
            <Dialog open={open?.what === 'send'} onClose={close} title="Send this issue?">
              {open?.what === 'send' && <SendForm issue={open.issue} onDone={close} />}
            </Dialog>
          </>
        )}
      </QueryBoundary>
    </section>
  )
}

const states = { draft: 'Draft', scheduled: 'Scheduled', sending: 'Sending', sent: 'Sent' } as const

const columnsWith = (
  open: (dialog: OpenDialog) => void,
): readonly [Column<NewsletterIssueRow>, ...Column<NewsletterIssueRow>[]] => [
  {
    key: 'subject',
    title: 'Subject',
    cell: ({ subject }) => <span className="block max-w-[24em] min-w-44 wrap-anywhere">{subject}</span>,
  },
  { key: 'state', title: 'Status', cell: ({ state }) => states[state] },
  {
    key: 'to',
    title: 'Sent to',
    isNumber: true,
    cell: ({ state, sentTo }) => (state === 'sending' || state === 'sent' ? sentTo : ''),
  },
  { key: 'segment', title: 'To', cell: ({ segment }) => segmentText(segment) },
  {
    key: 'when',
    title: 'When',
    cell: ({ begunAt, sendAt, writtenAt }) => <Moment at={begunAt ?? sendAt ?? writtenAt} />,
  },
  {
    key: 'do',
    title: 'Actions',
    isAction: true,
    cell: (issue) =>
      issue.state === 'scheduled' ? (
        <Unschedule issue={issue} />
      ) : (
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
        )
      ),
  },
]

/** Who gets it, in words. */
const segmentText = ({ collection, country, withCode }: NewsletterIssueRow['segment']): string =>
  [
    collection && `bought from ${collection}`,
    country && `had something sent to ${countryInSentence(country)}`,
    withCode && 'used a code',
  ]
    .filter(Boolean)
    .join(', ') || 'everybody'

function Unschedule({ issue: { id, subject } }: { issue: NewsletterIssueRow }) {
  const api = useApi()
  const { act, busy } = useAction()
  const unschedule = () =>
    act(async () => {
      await api('POST /api/admin/issues/:id/unschedule', { params: { id } })
      return { done: 'A draft again' }
    })
  return (
    <Button variant="plain" className="-my-3" busy={busy} onClick={() => void unschedule()}>
      Don’t send<span className="sr-only"> {subject}</span>
    </Button>
  )
}

function Editor({ issue, onDone }: { issue: NewsletterIssueRow | null; onDone: () => void }) {
  const api = useApi()
  const change = useChange()
  const { data: listed } = useQuery(adminCollectionsQuery)
  const save = async ({ subject = '', body = '', button = '', path = '', ...to }: TypedFields) => {
    const segment = {
      ...(to['collection'] && { collection: to['collection'] }),
      ...(to['country'] && { country: to['country'] }),
      ...(to['codes'] === 'used' && { withCode: true }),
    }
    const draft = { subject, body, button: button.trim() || null, path: path.trim() || null, segment }
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
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-3 font-semibold">Who gets it</legend>
        <Select
          label="Bought from"
          name="collection"
          defaultValue={issue?.segment.collection ?? ''}
          options={[
            { value: '', label: 'Any or nothing' },
            ...(listed?.collections ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Select
          label="Country"
          name="country"
          defaultValue={issue?.segment.country ?? ''}
          hint="Of an order’s address"
          options={[
            { value: '', label: 'Any' },
            ...mainCountries.map((value) => ({ value, label: countryName(value) })),
          ]}
        />
        <Select
          label="Discount codes"
          name="codes"
          defaultValue={issue?.segment.withCode ? 'used' : ''}
          options={[
            { value: '', label: 'Any' },
            { value: 'used', label: 'Bought with a code' },
          ]}
        />
      </fieldset>
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

function SendForm({ issue, onDone }: { issue: NewsletterIssueRow; onDone: () => void }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const params = { id: issue.id }
  const { subject, body, button, path, segment } = issue
  const audience = useQuery({
    queryKey: ['newsletter audience', segment],
    queryFn: () => api('POST /api/admin/issues/audience', { body: segment }),
  })
  const preview = useQuery({
    queryKey: ['newsletter preview', issue],
    queryFn: () => api('POST /api/admin/issues/show', { body: { subject, body, button, path, segment } }),
  })
  const subscribed = audience.data?.subscribed
  const send = async () => {
    const sent = await act(async () => {
      await api('POST /api/admin/issues/:id/send', { params })
      return { done: 'Sending now' }
    })
    if (sent) onDone()
  }
  const mailPreview = () =>
    act(async () => {
      await api('POST /api/admin/issues/:id/preview', { params })
      return { done: 'Preview sent to the shop’s mailbox' }
    })
  const change = useChange()
  const schedule = async (typed: TypedFields) => {
    await change(async () => {
      const sendAt = fromLocalTime(typed['sendAt'] ?? '') ?? ''
      await api('POST /api/admin/issues/:id/schedule', { params, body: { sendAt } })
      return { done: 'Scheduled' }
    })
    onDone()
  }
  return (
    <div className="grid gap-5">
      <QueryBoundary query={preview}>{(mail) => <MailForms mail={mail} />}</QueryBoundary>
      <p>
        {subscribed === undefined
          ? ''
          : subscribed === 0
            ? 'Nobody would get it.'
            : `It goes to ${subscribed === 1 ? 'one subscriber' : `${subscribed} subscribers`} (${segmentText(segment)}), once each, as fast as the settings say. Sent emails can’t be recalled.`}
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} disabled={!subscribed} onClick={() => void send()}>
          Send now
        </Button>
        <Button variant="outline" busy={busy} onClick={() => void mailPreview()}>
          Email me a preview
        </Button>
        <Button variant="plain" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <ApiForm
        send={schedule}
        aria-label="Schedule"
        className="flex flex-wrap items-end gap-3 border-t border-line pt-5"
      >
        <Field
          label="Or send it later"
          name="sendAt"
          type="datetime-local"
          required
          hint="By the clock of this device"
          className="min-w-60"
        />
        <SubmitButton variant="outline">Schedule</SubmitButton>
        <FormNotice />
      </ApiForm>
    </div>
  )
}
