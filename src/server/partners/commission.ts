import { and, asc, countDistinct, eq, isNotNull, sum as sumOf } from 'drizzle-orm'
import { entriesOfCommission } from '#domain/ledger/ledger.ts'
import type { AttributionObjection } from '#domain/partners/attribution.ts'
import {
  approvedFrom,
  changesOfCommission,
  changesOfOwnPurchase,
  type BookedLine,
  type CommissionKind,
  type ReturnedGoods,
} from '#domain/partners/commission.ts'
import { rateAt } from '#domain/partners/rates.ts'
import type { CheckoutId, OrderId, PaymentKey, ProductId, UserId } from '#shared/ids.ts'
import { cents, sum, ZERO, type Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { commissionEntry } from '#server/partners/schema.ts'
import { post } from '#server/ledger/ledger.ts'
import type { Needs } from '#server/shop.ts'
import { findAttribution } from './attribution.ts'
import { saveObjection } from './own-purchases.ts'
import { listRates } from './rates.ts'
import { commissionKey } from './sealed-lines.ts'

/** What a partner's commission on an order depends on. */
export type CommissionableOrder = {
  orderId: OrderId
  checkoutId: CheckoutId
  paymentKey: PaymentKey
  lines: readonly {
    position: number
    productId: ProductId
    unitPrice: Cents
    listPrice: Cents | null
    quantity: number
  }[]
  returned: readonly ReturnedGoods[]
  /** Only for a sale: whether it is the partner's own purchase. */
  findObjection?: (partnerId: UserId) => Promise<AttributionObjection | undefined>
}

/** What was just posted for the order. `cause` is that posting's key; commission is booked once per cause. */
export type CommissionEvent = { kind: CommissionKind; cause: string }

type Terms = {
  partnerId: UserId
  linkId: number | null
  codeId: number | null
  isBeforeDiscounts: boolean
  paidAt: Date
  rateOf: (line: CommissionableOrder['lines'][number]) => number
  /** The partner's own purchase, which earns nothing. */
  isOwn?: boolean
}

/**
 * Books the change in commission since the last event, in the caller's transaction; nothing if the order has no partner. The caller
 * must hold the order's lock.
 * @returns that change
 */
export async function recalculateCommission(
  tx: Tx,
  { clock, config }: Needs<'clock' | 'config'>,
  goods: CommissionableOrder,
  { kind, cause }: CommissionEvent,
): Promise<Cents> {
  const now = clock.now()
  const booked =
    kind === 'sale'
      ? []
      : await tx
          .select()
          .from(commissionEntry)
          .where(eq(commissionEntry.orderId, goods.orderId))
          .orderBy(asc(commissionEntry.id))
  // An own purchase stays one, whatever is refunded later.
  if (booked.some((entry) => entry.kind === 'own_purchase')) return ZERO
  const terms = kind === 'sale' ? await termsOfSale(tx, goods, now) : await termsOf(tx, goods, booked)
  if (!terms) return ZERO
  const isOwn = kind === 'own_purchase' || terms.isOwn

  const { partnerId, linkId, codeId, paidAt, rateOf, isBeforeDiscounts } = terms
  const lines = goods.lines.map(({ listPrice, ...line }) => ({
    ...line,
    basisPoints: rateOf({ ...line, listPrice }),
    ...(isBeforeDiscounts && { listPrice: listPrice ?? line.unitPrice }),
  }))
  const before = booked.map(bookedLine)
  const changes = isOwn ? changesOfOwnPurchase(before) : changesOfCommission(lines, goods.returned, before)
  if (!changes.length) return ZERO
  await tx.insert(commissionEntry).values(
    changes.flatMap(({ position, base, amount }) => {
      const line = lines.find((candidate) => candidate.position === position)
      if (!line) return []
      const { productId, basisPoints } = line
      const ids = { partnerId, linkId, codeId, orderId: goods.orderId, position, productId }
      const event = { ...ids, kind: isOwn ? ('own_purchase' as const) : kind, cause, basisPoints }
      const approved = approvedFrom(paidAt, now, config.commissionHoldingDays)
      return [{ ...event, baseCents: base, amountCents: amount, bookedAt: now, approvedFrom: approved }]
    }),
  )
  const amount = sum(changes.map((change) => change.amount))
  if (amount === ZERO) return ZERO
  await post(tx, {
    kind: 'commission',
    key: commissionKey(cause),
    orderId: goods.orderId,
    paymentKey: goods.paymentKey,
    partnerId,
    bookedAt: now,
    entries: entriesOfCommission(amount),
  })
  return amount
}

type StoredEntry = typeof commissionEntry.$inferSelect

const bookedLine = ({ position, baseCents, amountCents }: StoredEntry): BookedLine => ({
  position,
  base: baseCents,
  amount: amountCents,
})

/** At the rates valid when the order is paid. @returns undefined if no partner referred it, or the partner has left */
async function termsOfSale(
  tx: Tx,
  { checkoutId, findObjection }: CommissionableOrder,
  now: Date,
): Promise<Terms | undefined> {
  const found = await findAttribution(tx, checkoutId)
  if (!found || found.objection === 'partner_ended') return undefined
  const { partnerId, linkId, codeId, isBeforeDiscounts } = found
  const by = { partnerId, linkId, codeId, isBeforeDiscounts, paidAt: now }
  const objection = found.objection ?? (await findObjection?.(partnerId))
  if (objection) {
    await saveObjection(tx, checkoutId, objection)
    return { ...by, rateOf: () => 0, isOwn: true }
  }
  const rates = await listRates(tx, partnerId)
  return { ...by, rateOf: ({ productId }) => rateAt(rates, productId, now) }
}

/** A line keeps its rate; one that a change added has the rate of when the order was paid. */
async function termsOf(
  tx: Tx,
  { checkoutId }: CommissionableOrder,
  booked: readonly StoredEntry[],
): Promise<Terms | undefined> {
  const [sale] = booked
  if (!sale) return undefined
  const { partnerId, linkId, codeId, bookedAt: paidAt } = sale
  const { isBeforeDiscounts = false } = (await findAttribution(tx, checkoutId)) ?? {}
  const rates = await listRates(tx, partnerId)
  const rateOf: Terms['rateOf'] = ({ position, productId }) =>
    booked.find((entry) => entry.position === position)?.basisPoints ?? rateAt(rates, productId, paidAt)
  return { partnerId, linkId, codeId, isBeforeDiscounts, paidAt, rateOf }
}

/** A partner's orders by code, and what they earned. */
export async function sumsByCode(
  db: Reader,
  partnerId: UserId,
): Promise<Map<number | null, { orders: number; earned: Cents }>> {
  const { codeId, orderId, amountCents } = commissionEntry
  const rows = await db
    .select({ codeId, orders: countDistinct(orderId), earned: sumOf(amountCents) })
    .from(commissionEntry)
    .where(and(eq(commissionEntry.partnerId, partnerId), isNotNull(codeId)))
    .groupBy(codeId)
  return new Map(rows.map(({ codeId: id, orders, earned }) => [id, { orders, earned: cents(Number(earned)) }]))
}
