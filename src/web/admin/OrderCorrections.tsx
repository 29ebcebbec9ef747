import { useState } from 'react'
import { CORRECT_ADDRESS, CORRECT_EMAIL } from '#contract/paths.ts'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { CorrectAddress } from '#web/orders/CorrectAddress.tsx'
import { CorrectEmail } from '#web/orders/CorrectEmail.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useChange } from './use-action.ts'

/** Corrections of where an order and its emails go, while they are still possible. */
export function OrderCorrections({ order }: { order: AdminOrder }) {
  const [correcting, setCorrecting] = useState<'address' | 'email'>()
  const { can } = order
  const close = () => setCorrecting(undefined)
  if (can.correctAddress !== null && can.correctEmail !== null) return null
  return (
    <section aria-labelledby="recipient-title">
      <h2 id="recipient-title" className="mb-3 text-[1.375rem]">
        Recipient
      </h2>
      <div className="flex flex-wrap gap-3">
        {can.correctAddress === null && (
          <Button
            id={CORRECT_ADDRESS}
            variant="outline"
            aria-haspopup="dialog"
            onClick={() => setCorrecting('address')}
          >
            Correct address...
          </Button>
        )}
        {can.correctEmail === null && (
          <Button id={CORRECT_EMAIL} variant="outline" aria-haspopup="dialog" onClick={() => setCorrecting('email')}>
            Correct email...
          </Button>
        )}
      </div>
      {can.correctAddress !== null && (
        <p className="mt-3 text-sm text-ink-soft">The address can’t be changed here. {can.correctAddress}</p>
      )}
      <Dialog
        open={correcting !== undefined}
        onClose={close}
        title={correcting === 'email' ? 'Correct the email' : 'Correct the address'}
      >
        {correcting === 'address' && <Address order={order} onDone={close} />}
        {correcting === 'email' && <Email order={order} onDone={close} />}
      </Dialog>
    </section>
  )
}

type Props = { order: AdminOrder; onDone: () => void }

function Address({ order: { orderNumber: number, customer, address, can }, onDone }: Props) {
  const api = useApi()
  const change = useChange()
  return (
    <div className="grid gap-5">
      <p>
        {can.release === null
          ? 'The order stays on hold until you release it.'
          : 'The order goes to the printer right away, never twice.'}{' '}
        Tax and shipping stay as paid, so the country can’t change, and in the United States and Canada neither can the
        state or province. The customer gets an email.
      </p>
      <CorrectAddress
        country={address.country}
        start={{ name: customer.name, address }}
        asksTaxNumber={false}
        send={async (body) => {
          await change(() => api('POST /api/admin/orders/:number/address', { params: { number }, body }))
          onDone()
        }}
      />
    </div>
  )
}

function Email({ order: { orderNumber: number, customer }, onDone }: Props) {
  const api = useApi()
  const change = useChange()
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">
        Emails go to {customer.email} now. Emails that bounced go out again to the new address; if none did, the
        confirmation does.
      </p>
      <CorrectEmail
        hint="Links in earlier emails stop working."
        send={async (email) => {
          await change(() => api('POST /api/admin/orders/:number/email', { params: { number }, body: { email } }))
          onDone()
        }}
      />
    </div>
  )
}
