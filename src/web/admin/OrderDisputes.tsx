import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminDispute } from '#contract/admin-disputes.ts'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { disputePaths } from '#contract/dispute-paths.ts'
import { countdown } from '#domain/payments/dispute-answer.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { download } from '#web/api/download.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { giftCardDisputesQuery, orderDisputesQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'

const CONFIRMED_MS = 4000
const isQueued = ({ answer }: AdminDispute): boolean => answer?.state === 'queued'

const names = { stripe: 'Stripe', paypal: 'PayPal' } as const

type Shown = { disputes: AdminDispute[] }

/** Asks again until the provider has confirmed an answer. */
const untilConfirmed = ({ state }: { state: { data: Shown | undefined } }): number | false =>
  state.data?.disputes.some(isQueued) ? CONFIRMED_MS : false

/** An order's disputes: what the bank waits for, the evidence, and the owner's answer. */
export function OrderDisputes({ order: { orderNumber, disputes } }: { order: AdminOrder }) {
  const query = useQuery({
    ...orderDisputesQuery(orderNumber),
    enabled: disputes.length > 0,
    refetchInterval: untilConfirmed,
  })
  if (disputes.length === 0) return null
  return (
    <section aria-labelledby="disputes" className="rounded-card border border-line bg-surface p-5">
      <h2 id="disputes" className="mb-4 text-[1.375rem]">
        {disputes.length === 1 ? 'Dispute' : 'Disputes'}
      </h2>
      <DisputeList query={query} />
    </section>
  )
}

/** Those of the payment that a gift card was bought with. */
export function GiftCardDisputes({ id }: { id: number }) {
  const query = useQuery({ ...giftCardDisputesQuery(id), refetchInterval: untilConfirmed })
  return <DisputeList query={query} />
}

function DisputeList({ query }: { query: UseQueryResult<Shown> }) {
  return (
    <QueryBoundary query={query}>
      {(shown) => (
        <ul className="grid gap-8">
          {shown.disputes.map((dispute) => (
            <li key={dispute.id} className="grid gap-4">
              <DisputeFacts dispute={dispute} />
              <Answer dispute={dispute} />
            </li>
          ))}
        </ul>
      )}
    </QueryBoundary>
  )
}

function DisputeFacts({ dispute }: { dispute: AdminDispute }) {
  const { provider, amount, fee, status, reason, openedAt, decidedAt, respondBy, objection } = dispute
  const isSoon = respondBy !== null && respondBy.hours < 72
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap gap-x-3">
        <span>
          <span className="font-semibold">{formatUsd(amount)}</span> at {names[provider]}
        </span>
        <StatusLabel status={status} />
      </p>
      <p className="text-sm text-ink-soft">
        Opened <Moment at={openedAt} />
        {reason && `, ${reason.replaceAll('_', ' ')}`}
        {fee > ZERO && `, fee ${formatUsd(fee)}`}
      </p>
      {decidedAt && (
        <p className="text-sm text-ink-soft">
          Decided <Moment at={decidedAt} />
        </p>
      )}
      {objection === null && respondBy && (
        <p className={isSoon ? 'font-semibold text-danger' : undefined}>
          Evidence due {countdown(respondBy.hours)} (
          <time dateTime={respondBy.at}>{formatNewYorkTime(respondBy.at)}</time>)
        </p>
      )}
    </div>
  )
}

function Answer({ dispute }: { dispute: AdminDispute }) {
  const { provider, id, answer, objection, gaps } = dispute
  const [open, setOpen] = useState<'send' | 'accept'>()
  const { run, busy, failure } = useRequest()
  const hasFile = answer?.kind === 'evidence' && answer.state !== 'refused'
  return (
    <>
      {answer?.state === 'sent' && (
        <p>
          {answer.kind === 'evidence' ? 'Evidence sent' : 'Accepted'} {answer.sentAt && <Moment at={answer.sentAt} />}
        </p>
      )}
      {answer?.state === 'queued' && (
        <Notice tone="calm" title="On its way">
          {names[provider]} hasn’t confirmed it yet. The shop keeps trying.
        </Notice>
      )}
      {answer?.state === 'refused' && (
        <Notice title={`${names[provider]} did not take it`}>{answer.failure ?? 'No reason given.'}</Notice>
      )}
      {objection === null && gaps.length > 0 && (
        <div>
          <p className="font-semibold">What the bank will miss</p>
          <ul className="list-disc pl-5">
            {gaps.map((gap) => (
              <li key={gap}>{gap}</li>
            ))}
          </ul>
        </div>
      )}
      {objection !== null && answer === null && dispute.decidedAt === null && <p>{objection}</p>}
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        {objection === null && (
          <May need="owner">
            <Button aria-haspopup="dialog" onClick={() => setOpen('send')}>
              Send evidence...
            </Button>
          </May>
        )}
        <Button variant="outline" busy={busy} onClick={() => void run(() => download(disputePaths.pack(provider, id)))}>
          {hasFile ? 'Evidence as sent (PDF)' : 'See the evidence (PDF)'}
        </Button>
        {objection === null && (
          <May need="owner">
            <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen('accept')}>
              Accept the dispute...
            </Button>
          </May>
        )}
      </div>
      <Dialog
        open={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === 'accept' ? 'Accept the dispute' : `Send evidence to ${names[provider]}`}
      >
        {open && <AnswerForm dispute={dispute} kind={open} onDone={() => setOpen(undefined)} />}
      </Dialog>
    </>
  )
}

type AnswerFormProps = { dispute: AdminDispute; kind: 'send' | 'accept'; onDone: () => void }

function AnswerForm({ dispute: { provider, id, amount }, kind, onDone }: AnswerFormProps) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  const params = { provider, id }
  const send = async () => {
    await change(() =>
      confirmed(() =>
        kind === 'send'
          ? api('POST /api/admin/disputes/:provider/:id/evidence', { params })
          : api('POST /api/admin/disputes/:provider/:id/acceptance', { params }),
      ),
    )
    onDone()
  }
  return (
    <>
      <ApiForm send={send} aria-label={kind === 'send' ? 'Send evidence' : 'Accept the dispute'} className="grid gap-5">
        <p>
          {kind === 'send'
            ? `${names[provider]} takes evidence once. What the PDF shows now is sent, and the bank decides.`
            : `The customer keeps ${formatUsd(amount)}, and the fee is not returned. This can’t be undone.`}
        </p>
        <FormNotice />
        <div>
          <SubmitButton>{kind === 'send' ? 'Send evidence' : `Give up ${formatUsd(amount)}`}</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
