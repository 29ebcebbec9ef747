import { useState } from 'react'
import { CORRECT_ADDRESS, CORRECT_EMAIL } from '#contract/paths.ts'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { CorrectAddress } from '#web/orders/CorrectAddress.tsx'
import { ChangeItems } from '#web/orders/ChangeItems.tsx'
import { ConfirmChange, effectOf, type PreviewedChange } from '#web/orders/ConfirmChange.tsx'
import { CorrectEmail } from '#web/orders/CorrectEmail.tsx'
import { CorrectPhone } from '#web/orders/CorrectPhone.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useAction, useChange } from './use-action.ts'

const titles = {
  address: 'Correct the address',
  email: 'Correct the email',
  phone: 'Correct the phone number',
  items: 'Change size, color or quantity',
} as const
type Subject = keyof typeof titles

/** Sends a change with the version of the order that was looked at, and closes the dialog. */
type Save = (send: (seen: number) => Promise<{ done: string }>) => Promise<void>

/** Changes of an order's recipient and items, while they are still possible. */
export function OrderCorrections({ order }: { order: AdminOrder }) {
  const [subject, setSubject] = useState<Subject>()
  const [preview, setPreview] = useState<PreviewedChange>()
  const [looked, setLooked] = useState<number | undefined>(order.version)
  const api = useApi()
  const change = useChange()
  const { can } = order
  const save: Save = async (send) => {
    try {
      await change(() => send(looked ?? order.version))
    } catch (error) {
      // Its sentence says what the order is now; pressed again, that is what was looked at.
      if (isRefusal(error, 'order_changed')) setLooked(undefined)
      throw error
    }
    close()
  }
  const params = { number: order.orderNumber }
  const close = () => {
    setSubject(undefined)
    setPreview(undefined)
  }
  const begin = (about: Subject) => {
    setSubject(about)
    setLooked(order.version)
  }
  const open = (about: Subject, label: string, id?: string) => (
    <Button id={id} variant="outline" aria-haspopup="dialog" onClick={() => begin(about)}>
      {label}
    </Button>
  )
  if (can.change !== null && can.correctEmail !== null) return null
  return (
    <section aria-labelledby="recipient-title">
      <h2 id="recipient-title" className="mb-3 text-[1.375rem]">
        Recipient and items
      </h2>
      {order.toPay && <WaitingChange order={order} toPay={order.toPay} />}
      <div className="flex flex-wrap gap-3">
        {can.change === null && open('address', 'Correct address...', CORRECT_ADDRESS)}
        {can.correctEmail === null && open('email', 'Correct email...', CORRECT_EMAIL)}
        {can.change === null && open('phone', 'Correct phone...')}
        {can.change === null && open('items', 'Change size or color...')}
      </div>
      {can.change !== null && !order.toPay && (
        <p className="mt-3 text-sm text-ink-soft">Address and items can’t be changed here. {can.change}</p>
      )}
      <Dialog open={subject !== undefined} onClose={close} title={subject ? titles[subject] : ''}>
        {preview && (
          <ConfirmChange
            before={order.amounts}
            preview={preview}
            effect={effectOf(preview.difference, WORDS)}
            send={() =>
              save((seen) => {
                const body = { ...preview.wish, difference: preview.difference, seen }
                return api('POST /api/admin/orders/:number/change', { params, body })
              })
            }
            onBack={() => setPreview(undefined)}
          />
        )}
        <div hidden={preview !== undefined}>
          {subject === 'address' && <Address order={order} onPreview={setPreview} save={save} />}
          {subject === 'email' && <Email order={order} save={save} />}
          {subject === 'phone' && (
            <CorrectPhone
              start={order.customer.phone}
              send={(phone) =>
                save((seen) =>
                  api('POST /api/admin/orders/:number/change', { params, body: { phone, difference: ZERO, seen } }),
                )
              }
            />
          )}
          {subject === 'items' && (
            <ChangeItems
              lines={order.lines}
              onWish={async (lines) => {
                const body = { lines }
                const seen = await api('POST /api/admin/orders/:number/change/preview', { params, body })
                setPreview({ ...seen, wish: body })
              }}
            />
          )}
        </div>
      </Dialog>
    </section>
  )
}

const WORDS = {
  pays: (amount: string) => `The customer pays ${amount}`,
  gets: (amount: string) => `The customer gets back ${amount}`,
  toPay: {
    text: 'They get a link by email. The order waits, and changes once they have paid. If they don’t pay within a day, it is made as it was.',
    button: 'Email the link to pay',
  },
  now: {
    text: 'The order changes at once. If the printer has not begun, it gets the new one instead, never both. The customer gets an email.',
    button: 'Change the order',
  },
}

/** A change that the customer has to pay first. */
function WaitingChange({ order, toPay }: { order: AdminOrder; toPay: NonNullable<AdminOrder['toPay']> }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const params = { number: order.orderNumber }
  return (
    <div className="mb-4 grid gap-4">
      <Notice tone="calm" title={`A change waits for ${formatUsd(toPay.amount)}`}>
        Then the order is: {toPay.lines.join(', ')}. If the customer doesn’t pay by {formatNewYorkTime(toPay.until)},
        the order is made as it was.
      </Notice>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div>
        <Button
          variant="outline"
          busy={busy}
          onClick={() => void act(() => api('POST /api/admin/orders/:number/change/drop', { params }))}
        >
          Drop the change
        </Button>
      </div>
    </div>
  )
}

type AddressProps = { order: AdminOrder; onPreview: (preview: PreviewedChange) => void; save: Save }

function Address({ order, onPreview, save }: AddressProps) {
  const { orderNumber: number, recipientName, address, can } = order
  const api = useApi()
  return (
    <div className="grid gap-5">
      <p>
        {can.release === null
          ? 'The order stays on hold until you release it.'
          : 'The order goes to the printer once, to this address only.'}{' '}
        In another country, state or province, tax and shipping are computed again, and you see the difference first.
        The customer gets an email.
      </p>
      <CorrectAddress
        country={address.country}
        countries={mainCountries}
        start={{ name: recipientName, address }}
        asksTaxNumber={false}
        send={async (recipient) => {
          const params = { number }
          const preview = await api('POST /api/admin/orders/:number/change/preview', { params, body: { recipient } })
          if (preview.difference !== ZERO) return onPreview({ ...preview, wish: { recipient } })
          return save((seen) => api('POST /api/admin/orders/:number/address', { params, body: { ...recipient, seen } }))
        }}
      />
    </div>
  )
}

function Email({ order: { orderNumber: number, customer }, save }: { order: AdminOrder; save: Save }) {
  const api = useApi()
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">
        Emails go to {customer.email} now. Emails that bounced go out again to the new address; if none did, the
        confirmation does.
      </p>
      <CorrectEmail
        hint="Links in earlier emails stop working."
        send={(email) =>
          save((seen) => api('POST /api/admin/orders/:number/email', { params: { number }, body: { email, seen } }))
        }
      />
    </div>
  )
}
