import { useState } from 'react'
import { CORRECT_ADDRESS, CORRECT_EMAIL } from '#contract/paths.ts'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { CorrectAddress } from '#web/orders/CorrectAddress.tsx'
import { CorrectEmail } from '#web/orders/CorrectEmail.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useAction } from './use-action.ts'

/** Where an order and its mails go, while that can still be corrected. */
export function OrderCorrections({ order }: { order: AdminOrder }) {
  const [asked, setAsked] = useState<'address' | 'email'>()
  const { can } = order
  const close = () => setAsked(undefined)
  if (can.correctAddress !== null && can.correctEmail !== null) return null
  return (
    <section aria-labelledby="recipient-title">
      <h2 id="recipient-title" className="mb-3 text-[1.375rem]">
        Recipient
      </h2>
      <div className="flex flex-wrap gap-3">
        {can.correctAddress === null && (
          <Button id={CORRECT_ADDRESS} variant="outline" aria-haspopup="dialog" onClick={() => setAsked('address')}>
            Correct address...
          </Button>
        )}
        {can.correctEmail === null && (
          <Button id={CORRECT_EMAIL} variant="outline" aria-haspopup="dialog" onClick={() => setAsked('email')}>
            Correct email...
          </Button>
        )}
      </div>
      <Dialog
        open={asked !== undefined}
        onClose={close}
        title={asked === 'email' ? 'Correct the email' : 'Correct the address'}
      >
        {asked === 'address' && <Address order={order} onDone={close} />}
        {asked === 'email' && <Email order={order} onDone={close} />}
      </Dialog>
    </section>
  )
}

type Props = { order: AdminOrder; onDone: () => void }

function Address({ order: { orderNumber: number, customer, address }, onDone }: Props) {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  return (
    <div className="grid gap-5">
      <p>
        The order goes on to the printer at once, and never twice. Tax and shipping stay as they were paid, so the
        country stays, and in the United States and Canada the state. The customer is told by mail.
      </p>
      <CorrectAddress
        country={address.country}
        start={{ name: customer.name, address }}
        asksTaxNumber={false}
        busy={busy}
        failure={trouble}
        onSend={(body) =>
          void act(() => api('POST /api/admin/orders/:number/address', { params: { number }, body })).then(
            (done) => done && onDone(),
          )
        }
      />
    </div>
  )
}

function Email({ order: { orderNumber: number, customer }, onDone }: Props) {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">
        Mails go to {customer.email} now. What it refused goes to the new one, or else the confirmation.
      </p>
      <CorrectEmail
        hint="Links that were mailed before open nothing any more."
        busy={busy}
        failure={trouble}
        onSend={(email) =>
          void act(() => api('POST /api/admin/orders/:number/email', { params: { number }, body: { email } })).then(
            (done) => done && onDone(),
          )
        }
      />
    </div>
  )
}
