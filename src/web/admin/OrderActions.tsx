import type { FormEvent } from 'react'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { formatUsd } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useAction } from './use-action.ts'

export type MakingAction = 'hold' | 'release' | 'resubmit' | 'cancel'

/** Each says first what it will do; only holding asks for a reason. */
const actions: readonly { what: MakingAction; text: string; title: string; effect: string }[] = [
  {
    what: 'hold',
    text: 'Hold...',
    title: 'Hold this order',
    effect: 'It is not sent to the printer until it is released. The customer is not told.',
  },
  {
    what: 'release',
    text: 'Release...',
    title: 'Release this order',
    effect: 'It goes on to the printer, which takes its cost as usual.',
  },
  {
    what: 'resubmit',
    text: 'Send to the printer again...',
    title: 'Send to the printer again',
    effect: 'The printer gets it once more, and takes its cost. It never has two of the same order.',
  },
  {
    what: 'cancel',
    text: 'Cancel...',
    title: 'Cancel this order',
    effect: 'It is stopped for good, at the printer too, and the customer is told by mail.',
  },
]

type Props = {
  order: AdminOrder
  /** What is asked for just now, here or by another part of the page. */
  activeAction: MakingAction | undefined
  onAsk: (what: MakingAction | undefined) => void
}

/** What can be done with the making of an order; of canceling, also why it cannot be. */
export function OrderActions({ order, activeAction, onAsk: setAsked }: Props) {
  const possible = actions.filter(({ what }) => order.can[what] === null)
  const action = actions.find(({ what }) => what === activeAction)
  return (
    <section aria-labelledby="making">
      <h2 id="making" className="mb-3 text-[1.375rem]">
        Making
      </h2>
      {possible.length > 0 && (
        <div className="mb-3 flex flex-wrap gap-3 last:mb-0">
          {possible.map(({ what, text }) => (
            <Button key={what} variant="outline" aria-haspopup="dialog" onClick={() => setAsked(what)}>
              {text}
            </Button>
          ))}
        </div>
      )}
      {order.can.cancel !== null && <p className="text-ink-soft">{order.can.cancel}</p>}
      <Dialog open={action !== undefined} onClose={() => setAsked(undefined)} title={action?.title}>
        {action && <ConfirmAction key={action.what} order={order} action={action} onDone={() => setAsked(undefined)} />}
      </Dialog>
    </section>
  )
}

type ConfirmActionProps = { order: AdminOrder; action: (typeof actions)[number]; onDone: () => void }

function ConfirmAction({ order, action: { what, title, effect }, onDone }: ConfirmActionProps) {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  const params = { number: order.orderNumber }

  const send = (reason: string) => {
    if (what === 'hold') return api('POST /api/admin/orders/:number/hold', { params, body: { reason } })
    if (what === 'release') return api('POST /api/admin/orders/:number/release', { params })
    if (what === 'resubmit') return api('POST /api/admin/orders/:number/resubmit', { params })
    return api('POST /api/admin/orders/:number/cancel', { params })
  }
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = new FormData(event.currentTarget).get('reason')
    if (await act(() => send(typeof reason === 'string' ? reason : ''))) onDone()
  }
  return (
    <form noValidate aria-label={title} className="grid gap-5" onSubmit={(event) => void onSubmit(event)}>
      <p>{effect}</p>
      {what === 'cancel' && (
        <p>
          No money moves by it: {formatUsd(order.amounts.left)} stay with us until you refund {order.orderNumber}.
        </p>
      )}
      {what === 'hold' && (
        <Field
          label="Why"
          name="reason"
          maxLength={300}
          autoComplete="off"
          hint="For the people of the shop."
          error={trouble?.fields['reason']}
        />
      )}
      {trouble && <Notice>{trouble.sentence}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          {title}
        </Button>
      </div>
    </form>
  )
}
