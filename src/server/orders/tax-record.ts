import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { totalOf } from '#domain/payments/returns.ts'
import { linesToReverse, restOfLines, type RecordedLine } from '#domain/tax/bookings.ts'
import type { OrderId } from '#shared/ids.ts'
import { minus, plus, ZERO } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderChange, refund, shopOrder, taxTransaction } from '#server/orders/schema.ts'
import { countRepeats } from '#server/ledger/ledger.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { TaxTransaction } from '#server/providers/stripe/tax.ts'
import type { Needs } from '#server/shop.ts'
import { listChanges } from './changes.ts'
import { listOrderLines, type Order } from './orders.ts'

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
  await db.transaction(async (tx) => {
    if (recorded?.transaction) await keepTaxTransaction(tx, orderId, recorded.transaction)
    await tx
      .update(shopOrder)
      .set(
        recorded
          ? { taxReport: 'reported', taxTransactionId: recorded.transaction?.id ?? null }
          : { taxReport: 'not_reported' },
      )
      .where(and(eq(shopOrder.id, orderId), eq(shopOrder.taxReport, 'waiting')))
  })
}

/** What the tax source answered, for comparing its books with ours. */
async function keepTaxTransaction(
  tx: Tx,
  orderId: OrderId,
  { id, reference, reverses, net, tax, lines, postedAt }: TaxTransaction,
): Promise<void> {
  const row = { id, reference, orderId, reverses, netCents: net, taxCents: tax, lines, postedAt }
  await tx.insert(taxTransaction).values(row).onConflictDoNothing()
}

/** @returns undefined when Stripe Tax refuses it */
async function recordedAs(
  { stripe, log }: Needs<'stripe' | 'log'>,
  calculationId: string,
  reference: string,
): Promise<{ transaction: TaxTransaction | null } | undefined> {
  try {
    return { transaction: await stripe.recordTax(calculationId, reference) }
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
  const { id: orderId, orderNumber, taxReport } = found.order
  if (taxReport === 'waiting') throw new Error(`the tax of ${orderNumber} is not recorded yet`)
  // Consumption tax charged by the printer was never recorded at Stripe Tax.
  const refunded = { net: minus(minus(totalOf(parts), parts.vatProtection), parts.tax), tax: parts.tax }
  const rest = await listRestOfRecorded({ db, stripe }, found.order)
  // A refund that failed was recorded again as a sale of its own, so an order can have several.
  const lines = [...Map.groupBy(rest, (line) => line.sale).values(), rest]
    .values()
    .map((candidate) => linesToReverse(candidate, refunded))
    .find((candidate) => candidate !== undefined)
  if (!lines) {
    log.error(
      { orderNumber, refund: refundId },
      'The tax of this refund could not be reversed at Stripe Tax. Reverse it by hand.',
    )
    return
  }
  const reference = await referenceOf(db, orderNumber, refundId)
  const reversals: TaxTransaction[] = []
  for (const [sale, ofSale] of Map.groupBy(lines, (line) => line.sale))
    reversals.push(await stripe.reverseTax(sale, ofSale, reversals.length === 0 ? reference : `${reference}-${sale}`))
  await db.transaction(async (tx) => {
    for (const reversal of reversals) await keepTaxTransaction(tx, orderId, reversal)
    await tx
      .update(refund)
      .set({ taxReversalId: reversals[0]?.id ?? null })
      .where(eq(refund.id, refundId))
  })
}

/** The lines of an order that Stripe Tax has recorded and not reversed. Recorded by a release that did not keep them, they are read there. */
async function listRestOfRecorded(
  { db, stripe }: Needs<'db' | 'stripe'>,
  { id: orderId, taxTransactionId }: Pick<Order, 'id' | 'taxTransactionId'>,
): Promise<(RecordedLine & { sale: string })[]> {
  const list = () =>
    db.select().from(taxTransaction).where(eq(taxTransaction.orderId, orderId)).orderBy(asc(taxTransaction.postedAt))
  const kept = await list()
  const reversed = await db.select({ id: refund.taxReversalId }).from(refund).where(eq(refund.orderId, orderId))
  const missing = [taxTransactionId, ...reversed.map(({ id }) => id)].filter(
    (id) => id !== null && !kept.some((one) => one.id === id),
  )
  for (const id of missing) {
    const read = id === null ? undefined : await stripe.readTax(id)
    if (read) await db.transaction((tx) => keepTaxTransaction(tx, orderId, read))
  }
  const all = missing.length > 0 ? await list() : kept
  return all
    .filter(({ reverses }) => reverses === null)
    .flatMap((sale) => {
      const reversals = all.filter(({ reverses }) => reverses === sale.id).flatMap(({ lines }) => lines)
      return restOfLines(sale.lines, reversals).map((line) => ({ ...line, sale: sale.id }))
    })
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
  const reversal = await reversalOf({ stripe, log }, taxTransactionId, `${reference}-before`)
  if (taxReport === 'reported' && !reversal)
    log.error({ orderNumber }, 'The tax before a change could not be reversed at Stripe Tax. Reverse it by hand.')
  const recorded = evidence.calculationId
    ? await recordedAs({ stripe, log }, evidence.calculationId, reference)
    : undefined
  await db.transaction(async (tx) => {
    for (const transaction of [reversal, recorded?.transaction])
      if (transaction) await keepTaxTransaction(tx, id, transaction)
    await tx
      .update(shopOrder)
      .set({
        taxEvidence: evidence,
        taxTransactionId: recorded?.transaction?.id ?? null,
        taxReport: recorded ? 'reported' : 'not_reported',
      })
      .where(and(eq(shopOrder.id, id), isNull(shopOrder.erasedAt)))
  })
}

/** @returns undefined for a sale of an earlier release, or one of which a part was reversed before */
async function reversalOf(
  { stripe, log }: Needs<'stripe' | 'log'>,
  transactionId: string | null,
  reference: string,
): Promise<TaxTransaction | undefined> {
  if (transactionId === null) return undefined
  try {
    return await stripe.reverseAllTax(transactionId, reference)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error({ err: error, reference }, 'Stripe Tax refused to reverse a sale as a whole.')
    return undefined
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
  const recorded = await stripe.recordTax(
    answer.calculationId,
    `${await referenceOf(db, orderNumber, refundId)}-failed`,
  )
  await db.transaction(async (tx) => {
    if (recorded) await keepTaxTransaction(tx, orderId, recorded)
    await tx.update(refund).set({ taxReversalId: null }).where(eq(refund.id, refundId))
  })
}
