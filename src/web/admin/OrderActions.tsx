import type { AdminOrder } from '#contract/admin-orders.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useChange } from './use-action.ts'

export type FulfillmentAction = 'hold' | 'release' | 'resubmit' | 'cancel'

type Action = { what: FulfillmentAction; text: string; title: string; effect: string }

/** Only a hold needs a reason. */
const actions: readonly Action[] = [
  {
    what: 'hold',
    text: 'Hold...',
    title: 'Hold this order',
    effect: 'It won’t go to the printer until you release it. The customer isn’t notified.',
  },
  {
    what: 'release',
    text: 'Release...',
    title: 'Release this order',
    effect: 'It goes to the printer, which charges its cost as usual.',
  },
  {
    what: 'resubmit',
    text: 'Send to the printer again...',
    title: 'Send to the printer again',
    effect: 'The printer gets the order again and charges its cost. It never makes the same order twice.',
  },
  {
    what: 'cancel',
    text: 'Cancel...',
    title: 'Cancel this order',
    effect: 'It stops for good, at the printer too. The customer gets an email.',
  },
]

/** For an order that the customer can still change. */
const sendAtOnce: Action = {
  what: 'resubmit',
  text: 'Send to the printer now...',
  title: 'Send to the printer now',
  effect: 'It goes to the printer at once. The customer can no longer change or cancel it.',
}

type Props = {
  order: AdminOrder
  /** Whose dialog is open; the refund can open it too. */
  activeAction: FulfillmentAction | undefined
  onOpen: (action: FulfillmentAction | undefined) => void
}

/** The fulfillment actions that are possible now, and why an order can't be canceled. */
export function OrderActions({ order, activeAction, onOpen }: Props) {
  const now =
    order.changeableUntil === null ? actions : actions.map((one) => (one.what === 'resubmit' ? sendAtOnce : one))
  const possible = now.filter(({ what }) => order.can[what] === null)
  const action = now.find(({ what }) => what === activeAction)
  return (
    <section aria-labelledby="fulfillment">
      <h2 id="fulfillment" className="mb-3 text-[1.375rem]">
        Fulfillment
      </h2>
      {possible.length > 0 && (
        <div className="mb-3 flex flex-wrap gap-3 last:mb-0">
          {possible.map(({ what, text }) => (
            <Button key={what} variant="outline" aria-haspopup="dialog" onClick={() => onOpen(what)}>
              {text}
            </Button>
          ))}
        </div>
      )}
      {order.can.cancel !== null && <p className="text-ink-soft">{order.can.cancel}</p>}
      {order.changeableUntil && (
        <p className="text-ink-soft">
          The customer can change or cancel it until {formatNewYorkTime(order.changeableUntil)}. Then it goes to the
          printer.
        </p>
      )}
      <Dialog open={action !== undefined} onClose={() => onOpen(undefined)} title={action?.title}>
        {action && <ConfirmAction key={action.what} order={order} action={action} onDone={() => onOpen(undefined)} />}
      </Dialog>
    </section>
  )
}

type ConfirmActionProps = { order: AdminOrder; action: Action; onDone: () => void }

function ConfirmAction({ order, action: { what, title, effect }, onDone }: ConfirmActionProps) {
  const api = useApi()
  const change = useChange()
  const params = { number: order.orderNumber }

  const send = (reason: string) => {
    if (what === 'hold') return api('POST /api/admin/orders/:number/hold', { params, body: { reason } })
    if (what === 'release') return api('POST /api/admin/orders/:number/release', { params })
    if (what === 'resubmit') return api('POST /api/admin/orders/:number/resubmit', { params })
    return api('POST /api/admin/orders/:number/cancel', { params })
  }
  return (
    <ApiForm
      send={async ({ reason = '' }) => {
        await change(() => send(reason))
        onDone()
      }}
      aria-label={title}
      className="grid gap-5"
    >
      <p>{effect}</p>
      {what === 'cancel' && (
        <p>
          This doesn’t refund anything. We keep {formatUsd(order.amounts.left)} until you refund{' '}
          {formatOrderNumber(order.orderNumber)}.
        </p>
      )}
      {what === 'hold' && (
        <Field
          label="Reason"
          name="reason"
          maxLength={300}
          autoComplete="off"
          hint="Internal. The customer doesn’t see it."
        />
      )}
      <FormNotice />
      <div>
        <SubmitButton>{title}</SubmitButton>
      </div>
    </ApiForm>
  )
}
