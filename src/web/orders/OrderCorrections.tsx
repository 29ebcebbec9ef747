import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CHANGE_ORDER, CORRECT_ADDRESS, CORRECT_EMAIL } from '#contract/paths.ts'
import type { OrderKey, OrderView } from '#contract/orders.ts'
import { orderQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { CorrectAddress } from './CorrectAddress.tsx'
import { CorrectEmail } from './CorrectEmail.tsx'

/** What the customer can still correct; renders nothing once it is too late. */
export function OrderCorrections({ order, orderKey }: { order: OrderView; orderKey: OrderKey }) {
  const api = useApi()
  const queries = useQueryClient()
  const [done, setDone] = useState<string>()
  const { can, countryCode, country, needsAddress } = order

  const reload = () => queries.invalidateQueries(orderQuery(orderKey))

  if (!can.correctAddress && !can.correctEmail && !done) return null
  return (
    <div id={CHANGE_ORDER} className="grid scroll-mt-24 gap-5">
      {order.changes?.objection === null && <h2 className="text-title">Change order</h2>}
      {done && <Notice tone="calm">{done}</Notice>}
      {can.correctAddress && (
        <details id={CORRECT_ADDRESS} open={needsAddress} className="scroll-mt-24 border-t border-line pt-5">
          <summary className="cursor-pointer py-2 text-lg font-medium">Correct the address</summary>
          <p className="mt-3 mb-5 max-w-[40em] text-ink-soft">
            The price stays what you paid, so the address has to stay in {country}
            {countryCode === 'US' && ' and in the same state'}
            {countryCode === 'CA' && ' and in the same province'}. Moving farther? Write to us.
          </p>
          <CorrectAddress
            country={countryCode}
            asksTaxNumber
            send={async (body) => {
              setDone((await api('POST /api/order/address', { body: { ...orderKey, ...body } })).done)
              await reload()
            }}
          />
        </details>
      )}
      {can.correctEmail && (
        <details id={CORRECT_EMAIL} className="scroll-mt-24 border-t border-line pt-5">
          <summary className="cursor-pointer py-2 text-lg font-medium">Correct the email</summary>
          <div className="mt-4">
            <CorrectEmail
              hint="Links in our earlier emails stop working. We’ll send a new one to this address."
              send={async (email) => {
                setDone((await api('POST /api/order/email', { body: { ...orderKey, email } })).done)
                // A new email revokes the link that opened this page: a reload would fail.
                if (orderKey.token === undefined) await reload()
              }}
            />
          </div>
        </details>
      )}
    </div>
  )
}
