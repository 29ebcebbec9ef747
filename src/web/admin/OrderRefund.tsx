import { use, useState } from 'react'
import * as z from 'zod/mini'
import { REASON_SENTENCE, type AdminOrder, type RefundRequest } from '#contract/admin-orders.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { centsFromDecimal, formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormContext } from '#web/ui/form-context.ts'
import type { TypedFields } from '#web/ui/use-form.ts'
import { ManualRefund } from './ManualRefund.tsx'
import { useAction } from './use-action.ts'

type Preview = Answer<'POST /api/admin/orders/:number/refund/preview'>
type PreviewedAmounts = Preview & { request: RefundRequest }

/** A refund in two steps: a preview of the amounts, then the confirmation. */
export function OrderRefund({ order, onCancelFirst }: { order: AdminOrder; onCancelFirst: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="refund">
      <h2 id="refund" className="mb-3 text-[1.375rem]">
        Refund
      </h2>
      {order.can.refund === null ? (
        <>
          <p className="mb-4 text-ink-soft">Up to {formatUsd(order.amounts.left)} can be refunded.</p>
          <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Refund...
          </Button>
        </>
      ) : (
        <p className="text-ink-soft">{order.can.refund}</p>
      )}
      {order.refunds
        .filter(({ isOwed }) => isOwed)
        .map(({ id, amount }) => (
          <div key={id} className="mt-5 grid gap-4">
            <Notice tone="calm" title={`A refund of ${formatUsd(amount)} failed`}>
              The customer hasn’t received it. Refund it again, or pay another way, such as by bank transfer, and record
              that here.
            </Notice>
            <div>
              <ManualRefund refund={id} amount={amount} />
            </div>
          </div>
        ))}
      <Dialog open={open} onClose={() => setOpen(false)} title={`Refund order ${formatOrderNumber(order.orderNumber)}`}>
        {open && (
          <RefundForm
            order={order}
            onDone={() => setOpen(false)}
            onCancelFirst={() => {
              setOpen(false)
              onCancelFirst()
            }}
          />
        )}
      </Dialog>
    </section>
  )
}

const refundKinds = [
  { kind: 'rest', text: 'Everything not yet refunded' },
  { kind: 'pieces', text: 'Some items, with their tax' },
  { kind: 'shipping', text: 'Shipping and surcharges, with their tax' },
  { kind: 'amount', text: 'Another amount' },
] as const
type RefundKind = (typeof refundKinds)[number]['kind']

type RefundFormProps = { order: AdminOrder; onDone: () => void; onCancelFirst: () => void }

function RefundForm({ order, onDone, onCancelFirst }: RefundFormProps) {
  const api = useApi()
  const { act, reset, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [kind, setKind] = useState<RefundKind>('rest')
  const [asCredit, setAsCredit] = useState(false)
  const [preview, setPreview] = useState<PreviewedAmounts>()
  const [schema] = useState(() => refundFields(order))
  const [reason, setReason] = useState('')
  const params = { number: order.orderNumber }

  const showPreview = async ({ request, reason: typedReason }: z.output<typeof schema>) => {
    reset()
    setReason(typedReason)
    const amounts = await api('POST /api/admin/orders/:number/refund/preview', { params, body: { wanted: request } })
    setPreview({ ...amounts, request })
  }

  const refund = async ({ request: wanted, amount, limit }: PreviewedAmounts) => {
    const succeeded = await act(() =>
      confirmed(() =>
        api('POST /api/admin/orders/:number/refund', { params, body: { wanted, amount, limit, reason, asCredit } }),
      ),
    )
    if (succeeded) onDone()
    else setPreview(undefined)
  }

  if (preview)
    return (
      <div className="grid gap-5">
        <p>The customer gets this back. A refund can’t be undone.</p>
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
        <div className="flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void refund(preview)}>
            Refund {formatUsd(preview.amount)}
          </Button>
          {preview.canCancel && (
            <Button variant="outline" onClick={onCancelFirst}>
              Cancel the order first...
            </Button>
          )}
          <Button variant="quiet" onClick={() => setPreview(undefined)}>
            Back
          </Button>
        </div>
        {dialog}
      </div>
    )
  return (
    <ApiForm schema={schema} send={showPreview} aria-label="Refund" className="grid gap-5">
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">What to refund</legend>
        {refundKinds.map((choice) => (
          <label key={choice.kind} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="kind"
              value={choice.kind}
              checked={choice.kind === kind}
              onChange={() => setKind(choice.kind)}
              className="size-5 accent-(--color-button)"
            />
            {choice.text}
          </label>
        ))}
      </fieldset>
      {kind === 'amount' && (
        <Field
          label="Amount in US dollars"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          hint={`At most ${formatUsd(order.amounts.left)}.`}
        />
      )}
      {kind === 'pieces' && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium">Items</legend>
          {order.lines
            .filter(({ quantity, returned }) => quantity > returned)
            .map(({ position, productName, variantName, quantity, returned }) => (
              <Field
                key={position}
                label={`${productName}${variantName ? `, ${variantName}` : ''}`}
                name={`pieces-${position}`}
                type="number"
                min={0}
                max={quantity - returned}
                defaultValue={0}
                hint={`0 to ${quantity - returned}`}
              />
            ))}
          <PiecesError />
        </fieldset>
      )}
      <Field
        label="Reason"
        name="reason"
        maxLength={300}
        autoComplete="off"
        defaultValue={reason}
        hint="Internal. The customer doesn’t see it."
      />
      {failure && <Notice>{failure.sentence}</Notice>}
      <FormNotice />
      <div>
        <SubmitButton>Preview refund</SubmitButton>
      </div>
    </ApiForm>
  )
}

function PiecesError() {
  const error = use(FormContext).errorOf('pieces')
  return error && <p className="text-sm font-medium text-danger">{error}</p>
}

const refundFields = (order: AdminOrder) =>
  z.pipe(
    z.record(z.string(), z.string()),
    z.transform((typed, { issues }) => {
      const request = refundRequestIn(typed, order)
      const reason = textIn(typed, 'reason')
      if (typeof request !== 'string' && reason) return { request, reason }
      const refuse = (name: string, message: string) =>
        issues.push({ code: 'custom', input: typed, path: [name], message })
      if (typeof request === 'string') refuse(textIn(typed, 'kind'), request)
      if (!reason) refuse('reason', REASON_SENTENCE)
      return z.NEVER
    }),
  )

/** @returns the request, or the sentence to show beside its field */
function refundRequestIn(typed: TypedFields, order: AdminOrder): RefundRequest | string {
  const kind = refundKinds.find((choice) => choice.kind === typed['kind'])?.kind ?? 'rest'
  if (kind === 'rest' || kind === 'shipping') return { kind }
  if (kind === 'amount') {
    const amount = centsFromDecimal(textIn(typed, 'amount').replace(/^\$/, ''))
    return amount !== undefined && amount > ZERO ? { kind, amount } : 'Enter an amount, such as 12.34'
  }
  const pieces = order.lines.flatMap(({ position }) => {
    const quantity = Number(textIn(typed, `pieces-${position}`) || 0)
    return quantity === 0 ? [] : [{ position, quantity }]
  })
  if (pieces.length === 0) return 'Choose at least one item'
  return pieces.every(({ quantity }) => Number.isInteger(quantity) && quantity > 0)
    ? { kind, pieces }
    : 'Enter whole numbers'
}

const textIn = (typed: TypedFields, name: string): string => typed[name]?.trim() ?? ''

const partNames = [
  ['merchandise', 'Items'],
  ['shipping', 'Shipping'],
  ['surcharge', 'Surcharges'],
  ['tax', 'Tax'],
  ['vatProtection', 'VAT protection'],
] as const

export const RefundAmounts = ({ preview: { amount, limit, parts } }: { preview: Preview }) => (
  <dl className="grid max-w-[24rem] grid-cols-[1fr_auto] gap-x-8 gap-y-1.5">
    {partNames.map(([name, title]) =>
      parts[name] === ZERO ? null : (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{title}</dt>
          <dd className="text-right">{formatUsd(parts[name])}</dd>
        </div>
      ),
    )}
    <dt className="border-t border-line pt-1.5 font-semibold">Refund</dt>
    <dd className="border-t border-line pt-1.5 text-right font-semibold">{formatUsd(amount)}</dd>
    <dt className="text-ink-soft">Maximum refund</dt>
    <dd className="text-right text-ink-soft">{formatUsd(limit)}</dd>
  </dl>
)
