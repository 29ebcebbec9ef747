import { entriesOfFee } from '#domain/ledger/ledger.ts'
import type { OrderId, PaymentKey, PaymentProvider } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { after, DAY_MS } from '#kernel/time.ts'
import type { Tx } from '#server/db/db.ts'
import { post } from '#server/ledger/ledger.ts'
import { findOrderOfPayment } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { listWithoutFee, setFee } from './store.ts'

type Paid = { paymentKey: PaymentKey; provider: PaymentProvider; orderId: OrderId | null }

/** Books what the provider keeps of a payment. */
export const postFee = (tx: Tx, { provider, ...paid }: Paid, fee: Cents, now: Date): Promise<void> =>
  post(tx, { ...paid, kind: 'fee', key: `fee:${paid.paymentKey}`, bookedAt: now, entries: entriesOfFee(provider, fee) })

/** A provider that has not told by then will not. */
const LOOK_BACK_MS = 30 * DAY_MS
const BATCH = 100

/**
 * Books the fees that were not known yet when their payments were settled: a provider books a payment some moments after it
 * succeeded.
 * @throws ProviderUnavailable the next sweep asks again
 */
export async function followFees({ db, clock, payments }: Needs<'db' | 'clock' | 'payments'>): Promise<void> {
  const now = clock.now()
  for (const { paymentKey, provider } of await listWithoutFee(db, after(now, -LOOK_BACK_MS), BATCH)) {
    const fee = (await payments.read(paymentKey))?.fee ?? null
    if (fee === null) continue
    await db.transaction(async (tx) => {
      if (!(await setFee(tx, paymentKey, fee))) return
      const order = await findOrderOfPayment(tx, paymentKey)
      await postFee(tx, { paymentKey, provider, orderId: order?.id ?? null }, fee, now)
    })
  }
}
