import { and, asc, eq, lt } from 'drizzle-orm'
import { totalOf } from '#domain/payments/returns.ts'
import type { OrderId } from '#shared/ids.ts'
import { minus, plus, ZERO } from '#shared/money.ts'
import { type Reader, type Tx, autocommitWrite } from '#server/db/db.ts'
import { refund, shopOrder } from '#server/db/schema.ts'
import { countUnder } from '#server/ledger/ledger.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { listOrderLines } from './orders.ts'

/** The order's tax gets into the tax source's books if and only if the transaction commits, by whatever it was paid. */
export const recordTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId): Promise<void> =>
  jobs.enqueue(tx, 'record-tax', { orderId })

/**
 * The job behind it; safe to repeat, because the books take an order number once. An order that cannot be recorded (its tax
 * was never calculated, or the calculation is gone after 90 days) is left to whoever files the returns.
 * @throws ProviderUnavailable later again; nothing was written
 */
export async function recordTax({ db, stripe, log }: Needs<'db' | 'stripe' | 'log'>, orderId: OrderId): Promise<void> {
  const order = await findUnrecorded(db, orderId)
  if (!order) return
  const { orderNumber, taxEvidence } = order
  const recorded = taxEvidence?.calculationId
    ? await recordedAs({ stripe, log }, taxEvidence.calculationId, orderNumber)
    : undefined
  if (!taxEvidence?.calculationId) log.warn({ orderNumber }, 'no tax was calculated for this order: it is not reported')
  await autocommitWrite(db, (tx) =>
    tx
      .update(shopOrder)
      .set(recorded ? { taxReport: 'reported', taxTransactionId: recorded.id } : { taxReport: 'not_reported' })
      .where(and(eq(shopOrder.id, orderId), eq(shopOrder.taxReport, 'waiting'))),
  )
}

/** @returns undefined when the books refuse it */
async function recordedAs(
  { stripe, log }: Needs<'stripe' | 'log'>,
  calculationId: string,
  orderNumber: Unrecorded['orderNumber'],
): Promise<{ id: string | null } | undefined> {
  try {
    return { id: await stripe.recordTax(calculationId, orderNumber) }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error({ err: error, orderNumber, calculationId }, 'the tax source does not take this sale: it is not reported')
    return undefined
  }
}

type Unrecorded = NonNullable<Awaited<ReturnType<typeof findUnrecorded>>>

const findUnrecorded = async (db: Reader, id: OrderId) =>
  (
    await db
      .select({ orderNumber: shopOrder.orderNumber, taxEvidence: shopOrder.taxEvidence })
      .from(shopOrder)
      .where(and(eq(shopOrder.id, id), eq(shopOrder.taxReport, 'waiting')))
  )[0]

/** Orders whose tax should be in the books by now; the oldest first. */
export const listUnrecordedTax = (db: Reader, before: Date, limit: number): Promise<{ id: OrderId }[]> =>
  db
    .select({ id: shopOrder.id })
    .from(shopOrder)
    .where(and(eq(shopOrder.taxReport, 'waiting'), lt(shopOrder.createdAt, before)))
    .orderBy(asc(shopOrder.createdAt))
    .limit(limit)

/** The tax of a refund leaves the tax source's books if and only if the transaction commits. */
export const reverseTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, refundId: number): Promise<void> =>
  jobs.enqueue(tx, 'reverse-tax', { refundId })

/**
 * The job behind it; safe to repeat. What was never in the books needs no reversal.
 * @throws Error while the sale itself is not in the books yet: it is tried again
 */
export async function reverseTax({ db, stripe, log }: Needs<'db' | 'stripe' | 'log'>, refundId: number): Promise<void> {
  const [found] = await db
    .select({ refund, order: shopOrder })
    .from(refund)
    .innerJoin(shopOrder, eq(shopOrder.id, refund.orderId))
    .where(eq(refund.id, refundId))
  const parts = found?.refund.parts
  if (!found || !parts || parts.tax === 0) return
  // One that has failed meanwhile left no tax to reverse.
  if (found.refund.taxReversalId || found.refund.reversedAt) return
  const { orderNumber, taxReport, taxTransactionId } = found.order
  if (taxReport === 'waiting') throw new Error(`the tax of ${orderNumber} is not in the books yet`)
  if (!taxTransactionId) {
    log.error({ orderNumber, refund: refundId }, 'the tax of a refund has to be reversed by hand')
    return
  }
  // What the partner charged for consumption tax was never in these books.
  const gross = minus(totalOf(parts), parts.vatProtection)
  const id = await stripe.reverseTax(taxTransactionId, gross, await referenceOf(db, orderNumber, refundId))
  await db.transaction((tx) => tx.update(refund).set({ taxReversalId: id }).where(eq(refund.id, refundId)))
}

/** The tax source takes a reference once: a refund that failed and is alive again goes by the next one. */
async function referenceOf(db: Reader, orderNumber: string, refundId: number): Promise<string> {
  const count = await countUnder(db, `refund:${refundId}`)
  return `${orderNumber}-r${refundId}${count > 1 ? `-${count}` : ''}`
}

/** The tax of a refund that failed late comes into the tax source's books again if and only if the transaction commits. */
export const rebookTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, refundId: number): Promise<void> =>
  jobs.enqueue(tx, 'rebook-tax', { refundId })

/** By which a tax that is reckoned of a part may differ from the part of the tax. */
const ROUNDING_MAX = 1

/**
 * The job behind it; safe to repeat. A reversal cannot be reversed there, so what had gone back is sold once more, under a reference
 * of its own. Where today's rates make another tax of it, it is left to whoever files the returns.
 * @throws ProviderUnavailable later again; nothing was written
 */
export async function rebookTax({ db, stripe, log }: Needs<'db' | 'stripe' | 'log'>, refundId: number): Promise<void> {
  const [found] = await db
    .select({ refund, order: shopOrder })
    .from(refund)
    .innerJoin(shopOrder, eq(shopOrder.id, refund.orderId))
    .where(eq(refund.id, refundId))
  const parts = found?.refund.parts
  if (!found || !parts || !found.refund.reversedAt || !found.refund.taxReversalId) return
  const { orderNumber, shippingAddress, id: orderId } = found.order
  const [line] = await listOrderLines(db, orderId)
  if (!line) return
  const sending = plus(parts.shipping, parts.surcharge)
  // A calculation needs goods; what is sent without any is taxed as they are.
  const [goods, shipping] = parts.merchandise > ZERO ? [parts.merchandise, sending] : [sending, ZERO]
  const answer = await stripe.calculateTax(
    [{ variantId: line.variantId, unitPrice: goods, quantity: 1 }],
    shipping,
    shippingAddress,
  )
  if (!answer.calculationId || Math.abs(minus(answer.amount, parts.tax)) > ROUNDING_MAX) {
    log.error({ orderNumber, refund: refundId }, 'the tax of a refund that failed has to be put back by hand')
    return
  }
  await stripe.recordTax(answer.calculationId, `${await referenceOf(db, orderNumber, refundId)}-failed`)
  await db.transaction((tx) => tx.update(refund).set({ taxReversalId: null }).where(eq(refund.id, refundId)))
}
