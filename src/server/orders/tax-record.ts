import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { totalOf } from '#domain/payments/returns.ts'
import type { OrderId } from '#shared/ids.ts'
import { minus, plus, ZERO } from '#shared/money.ts'
import { type Reader, type Tx, autocommitWrite } from '#server/db/db.ts'
import { orderChange, refund, shopOrder } from '#server/orders/schema.ts'
import { countRepeats } from '#server/ledger/ledger.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { listChanges } from './changes.ts'
import { listOrderLines } from './orders.ts'

/** Records the order's tax with Stripe Tax once the transaction commits, also for PayPal payments. */
export const recordTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId): Promise<void> =>
  jobs.enqueue(tx, 'record-tax', { orderId })

/**
 * Safe to repeat, because Stripe Tax takes an order number once. An order that cannot be recorded (its tax was never calculated, or
 * the calculation expired after 90 days) has to be added by hand when filing.
 * @throws ProviderUnavailable nothing was written; the job retries
 */
export async function recordTax({ db, stripe, log }: Needs<'db' | 'stripe' | 'log'>, orderId: OrderId): Promise<void> {
  const order = await findUnrecorded(db, orderId)
  if (!order) return
  const { orderNumber, taxEvidence } = order
  const recorded = taxEvidence?.calculationId
    ? await recordedAs({ stripe, log }, taxEvidence.calculationId, orderNumber)
    : undefined
  if (!taxEvidence?.calculationId)
    log.warn(
      { orderNumber },
      'No tax was calculated for this order. It is missing from Stripe Tax; add it when filing.',
    )
  await autocommitWrite(db, (tx) =>
    tx
      .update(shopOrder)
      .set(recorded ? { taxReport: 'reported', taxTransactionId: recorded.id } : { taxReport: 'not_reported' })
      .where(and(eq(shopOrder.id, orderId), eq(shopOrder.taxReport, 'waiting'))),
  )
}

/** @returns undefined when Stripe Tax refuses it */
async function recordedAs(
  { stripe, log }: Needs<'stripe' | 'log'>,
  calculationId: string,
  reference: string,
): Promise<{ id: string | null } | undefined> {
  try {
    return { id: await stripe.recordTax(calculationId, reference) }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error(
      { err: error, reference, calculationId },
      'Stripe Tax refused this sale. It is missing there; add it when filing.',
    )
    return undefined
  }
}

const findUnrecorded = async (db: Reader, id: OrderId) =>
  (
    await db
      .select({ orderNumber: shopOrder.orderNumber, taxEvidence: shopOrder.taxEvidence })
      .from(shopOrder)
      .where(and(eq(shopOrder.id, id), eq(shopOrder.taxReport, 'waiting')))
  )[0]

/** Orders whose tax should have been recorded by now, oldest first. */
export const listUnrecordedTax = (db: Reader, before: Date, limit: number): Promise<{ id: OrderId }[]> =>
  db
    .select({ id: shopOrder.id })
    .from(shopOrder)
    .where(and(eq(shopOrder.taxReport, 'waiting'), lt(shopOrder.createdAt, before)))
    .orderBy(asc(shopOrder.createdAt))
    .limit(limit)

/** Reverses a refund's tax at Stripe Tax once the transaction commits. */
export const reverseTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, refundId: number): Promise<void> =>
  jobs.enqueue(tx, 'reverse-tax', { refundId })

/**
 * Safe to repeat. A sale that was never recorded needs no reversal.
 * @throws Error while the sale itself is not recorded yet; the job retries
 */
export async function reverseTax({ db, stripe, log }: Needs<'db' | 'stripe' | 'log'>, refundId: number): Promise<void> {
  const [found] = await db
    .select({ refund, order: shopOrder })
    .from(refund)
    .innerJoin(shopOrder, eq(shopOrder.id, refund.orderId))
    .where(eq(refund.id, refundId))
  const parts = found?.refund.parts
  if (!found || !parts || parts.tax === 0) return
  // A refund that failed meanwhile has no tax to reverse.
  if (found.refund.taxReversalId || found.refund.reversedAt) return
  const { orderNumber, taxReport, taxTransactionId } = found.order
  if (taxReport === 'waiting') throw new Error(`the tax of ${orderNumber} is not recorded yet`)
  if (!taxTransactionId) {
    log.error(
      { orderNumber, refund: refundId },
      'The tax of this refund could not be reversed at Stripe Tax. Reverse it by hand.',
    )
    return
  }
  // Consumption tax charged by the printer was never recorded at Stripe Tax.
  const gross = minus(totalOf(parts), parts.vatProtection)
  const id = await stripe.reverseTax(taxTransactionId, gross, await referenceOf(db, orderNumber, refundId))
  await db.transaction((tx) => tx.update(refund).set({ taxReversalId: id }).where(eq(refund.id, refundId)))
}

/** Stripe Tax takes a reference once, so a refund that failed and then succeeded gets a new one. */
async function referenceOf(db: Reader, orderNumber: string, refundId: number): Promise<string> {
  const count = await countRepeats(db, `refund:${refundId}`)
  return `${orderNumber}-r${refundId}${count > 1 ? `-${count}` : ''}`
}

/** Records the tax of a changed order once the transaction commits, instead of the one before. */
export const correctTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, changeId: number): Promise<void> =>
  jobs.enqueue(tx, 'correct-tax', { changeId })

/**
 * Takes back what Stripe Tax has of an order, and records what it was changed to. Safe to repeat; of several changes the newest counts.
 * @throws Error while the sale itself is not recorded yet; the job retries
 */
export async function correctTax({ db, stripe, log }: Needs<'db' | 'stripe' | 'log'>, changeId: number): Promise<void> {
  const [found] = await db
    .select({ order: shopOrder })
    .from(orderChange)
    .innerJoin(shopOrder, eq(shopOrder.id, orderChange.orderId))
    .where(eq(orderChange.id, changeId))
  if (!found) return
  const { id, orderNumber, taxReport, taxTransactionId, taxEvidence } = found.order
  const newest = (await listChanges(db, id)).findLast(({ state, plan }) => state === 'done' && plan?.taxEvidence)
  const evidence = newest?.plan?.taxEvidence
  if (!newest || !evidence || evidence.calculationId === taxEvidence?.calculationId) return
  if (taxReport === 'waiting') throw new Error(`the tax of ${orderNumber} is not recorded yet`)
  const reference = `${orderNumber}-c${newest.id}`
  if (taxReport === 'reported' && !(await isReversed({ stripe, log }, taxTransactionId, `${reference}-before`)))
    log.error({ orderNumber }, 'The tax before a change could not be reversed at Stripe Tax. Reverse it by hand.')
  const recorded = evidence.calculationId
    ? await recordedAs({ stripe, log }, evidence.calculationId, reference)
    : undefined
  await autocommitWrite(db, (tx) =>
    tx
      .update(shopOrder)
      .set({
        taxEvidence: evidence,
        taxTransactionId: recorded?.id ?? null,
        taxReport: recorded ? 'reported' : 'not_reported',
      })
      .where(and(eq(shopOrder.id, id), isNull(shopOrder.erasedAt))),
  )
}

/** @returns false for a sale of an earlier release, or one of which a part was reversed before */
async function isReversed(
  { stripe, log }: Needs<'stripe' | 'log'>,
  transactionId: string | null,
  reference: string,
): Promise<boolean> {
  if (transactionId === null) return false
  try {
    await stripe.reverseAllTax(transactionId, reference)
    return true
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error({ err: error, reference }, 'Stripe Tax refused to reverse a sale as a whole.')
    return false
  }
}

/** Records the tax of a failed refund at Stripe Tax again once the transaction commits. */
export const rebookTaxLater = ({ jobs }: Needs<'jobs'>, tx: Tx, refundId: number): Promise<void> =>
  jobs.enqueue(tx, 'rebook-tax', { refundId })

/** In cents: tax calculated on part of an order can differ this much from that part's share of the order's tax. */
const ROUNDING_MAX = 1

/**
 * Safe to repeat. Stripe Tax cannot undo a reversal, so the amount is recorded as a new sale under its own reference. If today's
 * rates give a different tax, it has to be added by hand when filing.
 * @throws ProviderUnavailable nothing was written; the job retries
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
  // A calculation needs goods, so shipping without goods is calculated as goods.
  const [goods, shipping] = parts.merchandise > ZERO ? [parts.merchandise, sending] : [sending, ZERO]
  const answer = await stripe.calculateTax(
    [{ variantId: line.variantId, unitPrice: goods, quantity: 1 }],
    shipping,
    shippingAddress,
  )
  if (!answer.calculationId || Math.abs(minus(answer.amount, parts.tax)) > ROUNDING_MAX) {
    log.error(
      { orderNumber, refund: refundId },
      'The tax of this failed refund could not be recorded at Stripe Tax again. Add it when filing.',
    )
    return
  }
  await stripe.recordTax(answer.calculationId, `${await referenceOf(db, orderNumber, refundId)}-failed`)
  await db.transaction((tx) => tx.update(refund).set({ taxReversalId: null }).where(eq(refund.id, refundId)))
}
