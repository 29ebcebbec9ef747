import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminPhoneOrder } from '#contract/phone-orders.ts'
import type { PhoneOrderState } from '#domain/checkout/phone-order.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { phoneOrdersQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { useAction } from './use-action.ts'

const states: Readonly<Record<PhoneOrderState, string>> = {
  awaiting_payment: 'Awaiting payment',
  held: 'PayPal reviews the payment',
  paid: 'Paid',
  canceled: 'Canceled',
  expired: 'Link expired',
}

/** Orders taken by phone that are not paid; shows nothing while all are paid. */
export function PhoneOrders() {
  const { data } = useQuery(phoneOrdersQuery)
  if (!data?.orders.length) return null
  return (
    <section aria-labelledby="by-phone" className="mb-10">
      <h2 id="by-phone" className="mb-3 text-[1.375rem]">
        Taken by phone, not paid
      </h2>
      <ul className="grid gap-4">
        {data.orders.map((order) => (
          <PhoneOrderCard key={order.id} order={order} />
        ))}
      </ul>
    </section>
  )
}

function PhoneOrderCard({
  order: { id, state, customer, lines, createdAt, expiresAt, link },
}: {
  order: AdminPhoneOrder
}) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const [isCanceling, setIsCanceling] = useState(false)
  const isOpen = state === 'awaiting_payment' || state === 'expired'
  const params = { id }
  const cancel = async () => {
    if (await act(() => api('POST /api/admin/phone-orders/:id/cancel', { params }))) setIsCanceling(false)
  }
  return (
    <li className="rounded-card border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="text-base font-semibold wrap-anywhere">
          {customer.name}, {customer.country}
        </h3>
        <p className="font-medium">{states[state]}</p>
      </div>
      <p className="mt-1 text-[0.9375rem] wrap-anywhere text-ink-soft">
        {customer.email} · taken <Moment at={createdAt} />
        {state === 'awaiting_payment' && (
          <>
            , link until <Moment at={expiresAt} />
          </>
        )}
      </p>
      <ul className="mt-3 text-[0.9375rem]">
        {lines.map(({ productName, variantName, quantity }) => (
          <li key={`${productName} ${variantName}`}>
            {quantity} × {productName}
            {variantName && <span className="text-ink-soft">, {variantName}</span>}
          </li>
        ))}
      </ul>
      {failure && !isCanceling && (
        <div className="mt-3">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
      {isOpen && (
        <div className="mt-4 flex flex-wrap gap-3">
          <Button
            variant="outline"
            busy={busy}
            onClick={() => void act(() => api('POST /api/admin/phone-orders/:id/send', { params }))}
          >
            Send the link again
          </Button>
          {state === 'awaiting_payment' && <CopyButton text={link} what="payment link" />}
          <Button variant="quiet" aria-haspopup="dialog" onClick={() => setIsCanceling(true)}>
            Cancel...
          </Button>
        </div>
      )}
      <Dialog open={isCanceling} onClose={() => setIsCanceling(false)} title={`Cancel the order of ${customer.name}?`}>
        <div className="grid gap-5">
          <p>The link stops working at once, and nothing is charged. The customer gets no email about it.</p>
          {failure && <Notice>{failure.sentence}</Notice>}
          <div>
            <Button busy={busy} onClick={() => void cancel()}>
              Cancel the order
            </Button>
          </div>
        </div>
      </Dialog>
    </li>
  )
}
