import { useState } from 'react'
import type { AdminClaim } from '#contract/admin-claims.ts'
import type { RefundRequest } from '#contract/admin-orders.ts'
import { CLAIM_WORDS_MAX } from '#domain/claims/claim.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { centsFromDecimal, formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { RefundAmounts } from './OrderRefund.tsx'
import { useAction, useChange } from './use-action.ts'

type Step = 'ask' | 'refuse' | 'settle'
type Action = 'replace' | 'pieces' | 'rest' | 'amount' | Step

const titles: Readonly<Record<Action, string>> = {
  replace: 'Replace',
  pieces: 'Refund these items',
  rest: 'Refund the whole order',
  amount: 'Refund an amount',
  ask: 'Ask the customer',
  refuse: 'Refuse',
  settle: 'Settled another way',
}

/** What the owner can decide about a claim. */
export function ClaimActions({ claim }: { claim: AdminClaim }) {
  const [action, setAction] = useState<Action>()
  const close = () => setAction(undefined)
  return (
    <div className="mt-5 flex flex-wrap gap-3">
      {actionsFor(claim).map((one) => (
        <Button
          key={one}
          variant={one === 'pieces' || one === 'replace' ? 'primary' : 'outline'}
          aria-haspopup="dialog"
          onClick={() => setAction(one)}
        >
          {titles[one]}
        </Button>
      ))}
      <Dialog
        open={action !== undefined}
        onClose={close}
        title={`${action ? titles[action] : ''}: order ${formatOrderNumber(claim.orderNumber)}`}
      >
        {(action === 'ask' || action === 'refuse' || action === 'settle') && (
          <Words id={claim.id} step={action} onDone={close} />
        )}
        {action === 'replace' && <Replace claim={claim} onDone={close} />}
        {(action === 'pieces' || action === 'rest' || action === 'amount') && (
          <Refund claim={claim} kind={action} onDone={close} />
        )}
      </Dialog>
    </div>
  )
}

/** Who withdraws wants the money; an order without a payment, or refunded whole, has none to give back. */
const actionsFor = ({ kind, order: { total, refunded } }: AdminClaim): readonly Action[] => [
  ...(kind === 'claim' ? (['replace'] as const) : []),
  ...(total > refunded ? (['pieces', 'rest', 'amount'] as const) : []),
  ...(['ask', 'refuse', 'settle'] as const),
]

const wordsFor: Readonly<Record<Step, { label: string; hint: string; send: string }>> = {
  ask: {
    label: 'Your question',
    hint: 'The customer gets it by email, with a link to the page where they answer.',
    send: 'Send question',
  },
  refuse: { label: 'Why', hint: 'The customer gets it by email. A refusal can’t be undone.', send: 'Refuse' },
  settle: {
    label: 'What you did',
    hint: 'For what was refunded from the order’s page, or what the printer makes again itself. The customer gets your words by email.',
    send: 'Close',
  },
}

function Replace({ claim: { id, items }, onDone }: { claim: AdminClaim; onDone: () => void }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const replace = async () => {
    if (await act(() => api('POST /api/admin/claims/:id/replace', { params: { id } }))) onDone()
  }
  return (
    <div className="grid gap-5">
      <p>We make these again at our expense and send them to the order’s address. The customer gets an email.</p>
      <ul className="list-disc pl-6">
        {items.map(({ position, productName, variantName, quantity }) => (
          <li key={position}>
            {quantity} × {productName}
            {variantName && `, ${variantName}`}
          </li>
        ))}
      </ul>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div>
        <Button busy={busy} onClick={() => void replace()}>
          Replace
        </Button>
      </div>
    </div>
  )
}

function Words({ id, step, onDone }: { id: number; step: Step; onDone: () => void }) {
  const { label, hint, send } = wordsFor[step]
  const api = useApi()
  const change = useChange()
  return (
    <ApiForm
      aria-label={titles[step]}
      className="grid gap-5"
      send={async ({ words = '' }) => {
        await change(() => api(`POST /api/admin/claims/:id/${step}`, { params: { id }, body: { words } }))
        onDone()
      }}
    >
      <TextArea label={label} name="words" rows={5} maxLength={CLAIM_WORDS_MAX} hint={hint} />
      <FormNotice />
      <div>
        <SubmitButton>{send}</SubmitButton>
      </div>
    </ApiForm>
  )
}

type Preview = Answer<'POST /api/admin/orders/:number/refund/preview'> & { wanted: RefundRequest }
type RefundProps = { claim: AdminClaim; kind: 'pieces' | 'rest' | 'amount'; onDone: () => void }

/** Shows what would go back, then refunds exactly that. */
function Refund({ claim: { id, orderNumber, items }, kind, onDone }: RefundProps) {
  const api = useApi()
  const { act, run, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [asCredit, setAsCredit] = useState(false)
  const [preview, setPreview] = useState<Preview>()
  const params = { number: orderNumber }

  const show = async (wanted: RefundRequest) => {
    const amounts = await api('POST /api/admin/orders/:number/refund/preview', { params, body: { wanted } })
    setPreview({ ...amounts, wanted })
  }
  const refund = async ({ wanted, amount, limit }: Preview) => {
    const succeeded = await act(() =>
      confirmed(() =>
        api('POST /api/admin/claims/:id/refund', { params: { id }, body: { wanted, amount, limit, asCredit } }),
      ),
    )
    if (succeeded) onDone()
    else setPreview(undefined)
  }

  if (preview)
    return (
      <div className="grid gap-5">
        <p>The customer gets this back, and the claim is resolved. A refund can’t be undone.</p>
        <RefundAmounts preview={preview} />
        <Checkbox
          label="As store credit, which the customer gets by email. Only if the customer agreed"
          checked={asCredit}
          onChecked={setAsCredit}
        />
        <Notice tone="calm" title="The items">
          {preview.goods}
        </Notice>
        {failure && <Notice>{failure.sentence}</Notice>}
        <div>
          <Button busy={busy} onClick={() => void refund(preview)}>
            Refund {formatUsd(preview.amount)}
          </Button>
        </div>
        {dialog}
      </div>
    )
  if (kind === 'amount')
    return (
      <ApiForm
        aria-label={titles.amount}
        className="grid gap-5"
        send={async ({ amount: typed = '' }) => {
          const amount = centsFromDecimal(typed.trim().replace(/^\$/, ''))
          if (amount === undefined || amount <= ZERO) throw new Error('Enter an amount, such as 12.34')
          await show({ kind, amount })
        }}
      >
        {failure && <Notice>{failure.sentence}</Notice>}
        <Field label="Amount in US dollars" name="amount" inputMode="decimal" autoComplete="off" />
        <FormNotice />
        <div>
          <SubmitButton>Preview refund</SubmitButton>
        </div>
      </ApiForm>
    )
  const wanted: RefundRequest =
    kind === 'rest' ? { kind } : { kind, pieces: items.map(({ position, quantity }) => ({ position, quantity })) }
  return (
    <div className="grid gap-5">
      <p>
        {kind === 'rest'
          ? 'Everything of the order that has not been refunded, with shipping.'
          : 'The claimed items with their tax.'}
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div>
        <Button busy={busy} onClick={() => void run(() => show(wanted))}>
          Preview refund
        </Button>
      </div>
    </div>
  )
}
