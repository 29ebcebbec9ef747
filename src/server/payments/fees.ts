import { and, eq, isNull } from 'drizzle-orm'
import { entriesOfFee } from '#domain/ledger/ledger.ts'
import type { OrderId, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Tx } from '#server/db/db.ts'
import { post } from '#server/ledger/ledger.ts'
import { findOrderOfPayment } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { payment } from './schema.ts'
import { listWithoutFee } from './store.ts'

type FeeNeeds = Needs<'db' | 'clock' | 'payments'>
type PaymentWithFee = { paymentKey: PaymentKey; provider: PaymentProvider; orderId: OrderId | null }

export const postFee = (tx: Tx, { provider, ...paid }: PaymentWithFee, fee: Cents, now: Date): Promise<void> =>
  post(tx, { ...paid, kind: 'fee', key: `fee:${paid.paymentKey}`, bookedAt: now, entries: entriesOfFee(provider, fee) })

/** @returns false when it was known already */
export async function setFee(tx: Tx, paymentKey: PaymentKey, fee: Cents): Promise<boolean> {
  const rows = await tx
    .update(payment)
    .set({ feeCents: fee })
    .where(and(eq(payment.paymentKey, paymentKey), isNull(payment.feeCents)))
    .returning({ key: payment.paymentKey })
  return rows.length > 0
}

/** Providers report fees long before this. */
const LOOK_BACK_MS = 30 * DAY_MS
const BATCH = 100
/** After this many failures in a row the provider is down, rather than a single payment unreadable. */
const FAILURES_MAX = 5

/**
 * Reads and books a payment's fee if it was not known yet.
 * @throws ProviderUnavailable nothing was changed
 */
export async function followFee({ db, clock, payments }: FeeNeeds, paymentKey: PaymentKey): Promise<void> {
  const read = await payments.read(paymentKey)
  const fee = read?.fee ?? null
  if (!read || fee === null) return
  await db.transaction(async (tx) => {
    if (!(await setFee(tx, paymentKey, fee))) return
    const order = await findOrderOfPayment(tx, paymentKey)
    await postFee(tx, { paymentKey, provider: read.provider, orderId: order?.id ?? null }, fee, clock.now())
  })
}

/**
 * Books fees that were unknown when their payments were settled: providers report them a moment later. A payment that cannot be read
 * does not block the others.
 * @throws ProviderUnavailable the next sweep tries again
 */
export async function followFees(shop: FeeNeeds & Needs<'log'>): Promise<void> {
  let failures = 0
  for (const paymentKey of await listWithoutFee(shop.db, after(shop.clock.now(), -LOOK_BACK_MS), BATCH)) {
    try {
      await followFee(shop, paymentKey)
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === FAILURES_MAX) throw error
      shop.log.warn(
        { err: error, paymentKey },
        'The provider’s fee for a payment could not be read; the next sweep tries again.',
      )
    }
  }
}
