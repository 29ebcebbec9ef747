import { asc, eq, sql } from 'drizzle-orm'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import type { RefundParts } from '#domain/payments/returns.ts'
import {
  addTax,
  negateTax,
  NO_TAX,
  taxOfRefund,
  taxPartsOf,
  taxPlaceOf,
  type TaxAmounts,
  type TaxBookingKind,
  type TaxPlace,
} from '#domain/tax/bookings.ts'
import type { OrderId } from '#shared/ids.ts'
import { sum, ZERO } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import { taxBooking } from '#server/orders/schema.ts'
import { partsOfOrder, type Order } from './orders.ts'

// The tax report's own book. Each posting of a sale, change or refund has its booking in the same transaction, by place and rate, so
// that the report ties to the ledger and stays the same when an order's address is corrected or erased.

export type TaxBooking = typeof taxBooking.$inferSelect

type NewBooking = { key: string; kind: TaxBookingKind; orderId: OrderId; refundId?: number; place: TaxPlace; at: Date }

const isNothing = ({ net, tax, vatProtection }: Omit<TaxAmounts, 'parts'>): boolean =>
  net === ZERO && tax === ZERO && vatProtection === ZERO

function insertion(tx: Tx, booking: NewBooking, amounts: TaxAmounts) {
  const { place, at: bookedAt, ...row } = booking
  const { net: netCents, tax: taxCents, vatProtection: vatProtectionCents, parts } = amounts
  return tx.insert(taxBooking).values({ ...row, ...place, netCents, taxCents, vatProtectionCents, parts, bookedAt })
}

async function insertBooking(tx: Tx, booking: NewBooking, amounts: TaxAmounts): Promise<void> {
  if (!isNothing(amounts)) await insertion(tx, booking, amounts)
}

const withoutRates = (parts: RefundParts): Omit<TaxAmounts, 'parts'> => ({
  net: sum([parts.merchandise, parts.shipping, parts.surcharge]),
  tax: parts.tax,
  vatProtection: parts.vatProtection,
})

/** All of an order's amounts, by the rates of its evidence. */
function amountsOf(parts: RefundParts, evidence: TaxEvidence | null): TaxAmounts {
  const amounts = withoutRates(parts)
  return { ...amounts, parts: taxPartsOf(evidence, amounts) }
}

/** A statement that books a sale for the tax report. @param key of its posting */
export const taxBookingOfSale = (tx: Tx, order: Order, key: string, at: Date) =>
  insertion(
    tx,
    { key, kind: 'sale', orderId: order.id, place: taxPlaceOf(order.shippingAddress), at },
    amountsOf(partsOfOrder(order), order.taxEvidence),
  )

/** An order's bookings, oldest first. Those of a release that had none are made now. */
export async function listBookings(tx: Tx, orderId: OrderId): Promise<TaxBooking[]> {
  const list = () => tx.select().from(taxBooking).where(eq(taxBooking.orderId, orderId)).orderBy(asc(taxBooking.id))
  const bookings = await list()
  if (bookings.length > 0) return bookings
  await tx.execute(sql`select book_missing_tax(null, ${orderId})`)
  return list()
}

export const amountsOfBooking = ({ netCents, taxCents, vatProtectionCents, parts }: TaxBooking): TaxAmounts => ({
  net: netCents,
  tax: taxCents,
  vatProtection: vatProtectionCents,
  parts,
})

const restAt = ({ country, state }: TaxPlace, bookings: readonly TaxBooking[]): TaxAmounts =>
  bookings
    .filter((booking) => booking.country === country && booking.state === state)
    .map(amountsOfBooking)
    .reduce(addTax, NO_TAX)

const beforeKey = (changeId: number): string => `change:${changeId}:before`

type BookedRefund = { id: number; parts: RefundParts | null; changeId: number | null }

/**
 * Books a refund for the tax report, in the period in which it goes back; before its posting. What a change gives back goes back from
 * where the order was taxed before.
 * @param order locked @param key of its posting
 */
export async function bookTaxOfRefund(
  tx: Tx,
  { id: orderId }: Pick<Order, 'id'>,
  { id: refundId, parts, changeId }: BookedRefund,
  key: string,
  at: Date,
): Promise<void> {
  if (!parts) return
  const bookings = await listBookings(tx, orderId)
  const before = changeId === null ? undefined : bookings.find((booking) => booking.key === beforeKey(changeId))
  const place = before ?? bookings.findLast(({ kind, key: of }) => kind !== 'refund' && !of.endsWith(':before'))
  if (!place) return
  const amounts = negateTax(taxOfRefund(restAt(place, bookings), withoutRates(parts)))
  await insertBooking(tx, { key, kind: 'refund', orderId, refundId, place: placeOf(place), at }, amounts)
}

const placeOf = ({ country, state }: TaxPlace): TaxPlace => ({ country, state })

/** Takes a failed refund back; before its posting. @param order locked @param key of its posting */
export async function bookTaxOfFailedRefund(
  tx: Tx,
  { id: orderId }: Pick<Order, 'id'>,
  { id: refundId }: Pick<BookedRefund, 'id'>,
  key: string,
  at: Date,
): Promise<void> {
  const booking = (await listBookings(tx, orderId)).findLast((one) => one.refundId === refundId)
  if (!booking) return
  const row = { key, kind: 'refund' as const, orderId, refundId, place: placeOf(booking), at }
  await insertBooking(tx, row, negateTax(amountsOfBooking(booking)))
}

/**
 * Books a change that was priced again: what the order was leaves its former place and rates, what it has become comes to the new
 * ones. What the change will give back stays until it does. Before the posting.
 * @param refund what the change will give back @param key of the change's posting
 */
export async function bookTaxOfChange(
  tx: Tx,
  changed: Order,
  {
    changeId,
    refund,
    evidence,
    key,
    at,
  }: {
    changeId: number
    refund: RefundParts
    evidence: TaxEvidence
    key: string
    at: Date
  },
): Promise<void> {
  const bookings = await listBookings(tx, changed.id)
  const last = bookings.findLast(({ kind, key: of }) => kind !== 'refund' && !of.endsWith(':before'))
  if (!last) return
  const rest = restAt(last, bookings)
  const stays = taxOfRefund(rest, withoutRates(refund))
  const about = { kind: 'change' as const, orderId: changed.id, at }
  const before = addTax(negateTax(rest), stays)
  await insertBooking(tx, { ...about, key: beforeKey(changeId), place: placeOf(last) }, before)
  const after = amountsOf(partsOfOrder(changed), evidence)
  await insertBooking(tx, { ...about, key, place: taxPlaceOf(changed.shippingAddress) }, after)
}

/** Books what the previous release booked without the tax report. Safe to repeat. */
export const bookMissingTax = async (tx: Tx, since: Date): Promise<void> => {
  await tx.execute(sql`select book_missing_tax(${since}::timestamptz, null)`)
}
