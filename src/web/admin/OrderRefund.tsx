import { useState, type FormEvent } from 'react'
import type { AdminOrder, RefundRequest } from '#contract/admin-orders.ts'
import { centsFromDecimal, formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { ManualRefund } from './ManualRefund.tsx'
import { useAction } from './use-action.ts'

type Preview = Answer<'POST /api/admin/orders/:number/refund/preview'>
type PreviewedAmounts = Preview & { request: RefundRequest }

/** Giving money back, in two steps: first what would go back, then the yes. */
export function OrderRefund({ order, onCancelFirst }: { order: AdminOrder; onCancelFirst: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="refund">
      <h2 id="refund" className="mb-3 text-[1.375rem]">
        Refund
      </h2>
      {order.can.refund === null ? (
        <>
          <p className="mb-4 text-ink-soft">Up to {formatUsd(order.amounts.left)} can go back.</p>
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
              The customer has nothing of it yet. Refund it again, or pay it another way, such as by bank transfer, and
              book that here.
            </Notice>
            <div>
              <ManualRefund refund={id} amount={amount} />
            </div>
          </div>
        ))}
      <Dialog open={open} onClose={() => setOpen(false)} title={`Refund of order ${order.orderNumber}`}>
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

const ways = [
  { kind: 'rest', text: 'All that is left' },
  { kind: 'pieces', text: 'Some pieces, with their tax' },
  { kind: 'shipping', text: 'Shipping and surcharges, with their tax' },
  { kind: 'amount', text: 'An amount' },
] as const
type Way = (typeof ways)[number]['kind']

type RefundFormProps = { order: AdminOrder; onDone: () => void; onCancelFirst: () => void }

function RefundForm({ order, onDone, onCancelFirst }: RefundFormProps) {
  const api = useApi()
  const { act, ask, busy, trouble } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [way, setWay] = useState<Way>('rest')
  const [seen, setSeen] = useState<PreviewedAmounts>()
  const [reason, setReason] = useState('')
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({})
  const params = { number: order.orderNumber }

  const look = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const wanted = refundRequestIn(typed, way, order)
    const typedReason = textIn(typed, 'reason')
    setReason(typedReason)
    const found = {
      ...(typeof wanted === 'string' && { [way]: wanted }),
      ...(!typedReason && { reason: 'Please say why' }),
    }
    setMistakes(found)
    if (typeof wanted === 'string' || Object.keys(found).length > 0) return
    const preview = await ask(() => api('POST /api/admin/orders/:number/refund/preview', { params, body: { wanted } }))
    if (preview) setSeen({ ...preview, request: wanted })
  }

  const decide = async ({ request: wanted, amount, limit }: PreviewedAmounts) => {
    const made = await act(() =>
      confirmed(() =>
        api('POST /api/admin/orders/:number/refund', { params, body: { wanted, amount, limit, reason } }),
      ),
    )
    if (made) onDone()
    else setSeen(undefined)
  }

  if (seen)
    return (
      <div className="grid gap-5">
        <p>This goes back to the customer, and cannot be taken back:</p>
        <Effect seen={seen} />
        <Notice tone="calm" title="The goods">
          {seen.goods}
        </Notice>
        {trouble && <Notice>{trouble.sentence}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void decide(seen)}>
            Give back {formatUsd(seen.amount)}
          </Button>
          {seen.canCancel && (
            <Button variant="outline" onClick={onCancelFirst}>
              Cancel the order first...
            </Button>
          )}
          <Button variant="quiet" onClick={() => setSeen(undefined)}>
            Change
          </Button>
        </div>
        {dialog}
      </div>
    )
  return (
    <form noValidate aria-label="Refund" className="grid gap-5" onSubmit={(event) => void look(event)}>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">What goes back</legend>
        {ways.map(({ kind, text }) => (
          <label key={kind} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="way"
              value={kind}
              checked={kind === way}
              onChange={() => setWay(kind)}
              className="size-5 accent-(--color-button)"
            />
            {text}
          </label>
        ))}
      </fieldset>
      {way === 'amount' && (
        <Field
          label="Amount in US dollars"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          hint={`At most ${formatUsd(order.amounts.left)}.`}
          error={mistakes['amount']}
        />
      )}
      {way === 'pieces' && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium">Pieces</legend>
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
          {mistakes['pieces'] && <p className="text-sm font-medium text-danger">{mistakes['pieces']}</p>}
        </fieldset>
      )}
      <Field
        label="Why"
        name="reason"
        maxLength={300}
        autoComplete="off"
        defaultValue={reason}
        hint="For our own books; the customer does not read it."
        error={mistakes['reason']}
      />
      {trouble && <Notice>{trouble.sentence}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          See what goes back
        </Button>
      </div>
    </form>
  )
}

/** @returns a sentence when it is no wish */
function refundRequestIn(typed: FormData, way: Way, order: AdminOrder): RefundRequest | string {
  if (way === 'rest' || way === 'shipping') return { kind: way }
  if (way === 'amount') {
    const amount = centsFromDecimal(textIn(typed, 'amount').replace(/^\$/, ''))
    return amount !== undefined && amount > ZERO ? { kind: way, amount } : 'Please give an amount, such as 12.34'
  }
  const pieces = order.lines.flatMap(({ position }) => {
    const quantity = Number(textIn(typed, `pieces-${position}`) || 0)
    return quantity === 0 ? [] : [{ position, quantity }]
  })
  if (pieces.length === 0) return 'Please choose what goes back'
  return pieces.every(({ quantity }) => Number.isInteger(quantity) && quantity > 0)
    ? { kind: way, pieces }
    : 'Please give whole pieces'
}

function textIn(typed: FormData, name: string): string {
  const value = typed.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

const partNames = [
  ['merchandise', 'Goods'],
  ['shipping', 'Shipping'],
  ['surcharge', 'Surcharges'],
  ['tax', 'Tax'],
  ['vatProtection', 'VAT protection'],
] as const

const Effect = ({ seen: { amount, limit, parts } }: { seen: Preview }) => (
  <dl className="grid max-w-[24rem] grid-cols-[1fr_auto] gap-x-8 gap-y-1.5 tabular-nums">
    {partNames.map(([name, title]) =>
      parts[name] === ZERO ? null : (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{title}</dt>
          <dd className="text-right">{formatUsd(parts[name])}</dd>
        </div>
      ),
    )}
    <dt className="border-t border-line pt-1.5 font-semibold">Goes back</dt>
    <dd className="border-t border-line pt-1.5 text-right font-semibold">{formatUsd(amount)}</dd>
    <dt className="text-ink-soft">Could go back at most</dt>
    <dd className="text-right text-ink-soft">{formatUsd(limit)}</dd>
  </dl>
)
