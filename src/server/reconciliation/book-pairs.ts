import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import {
  differenceKinds,
  type Booking,
  type OrderInBothBooks,
  type PaymentInBothBooks,
} from '#domain/reconciliation/differences.ts'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { orderNumberInExternalId, printerOrderIdsOf } from '#domain/reconciliation/printer-orders.ts'
import type { CalendarDay } from '#shared/calendar-day.ts'
import type { OrderId, PaymentKey } from '#shared/ids.ts'
import { cents, minus, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import { startOfDay, type TimeZone } from '#shared/time-zone.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { listPrinterOrders, ordersPrintedSince, printerCharges } from '#server/fulfillment/printer-orders.ts'
import { readLedgerByDay } from '#server/ledger/day-sums.ts'
import { listPostingsOf, listPrinterBalances, paymentsBookedSince } from '#server/ledger/sums.ts'
import { listOrdersById, listOrdersFrom, ordersChangedSince } from '#server/orders/orders.ts'
import { listEveryRefund, listRefundsOf } from '#server/orders/refunds.ts'
import { isKnownPayment, listCaptured, listDisputesOfOrders } from '#server/payments/payments.ts'
import { providerTransaction, shopException } from './schema.ts'
import { isChargeOfCheckout, type Book } from './store.ts'

const differences = sql.join(
  differenceKinds.map((kind) => sql`${kind}`),
  sql`, `,
)
/** Open differences are compared again, regardless of age. */
const openAbout = (prefix: string): SQL =>
  sql`select substr(${shopException.about}, ${prefix.length + 1}) from ${shopException}
      where ${shopException.resolvedAt} is null and ${shopException.kind} in (${differences}) and ${shopException.about} like ${`${prefix}%`}`

/** Payments with movements since then in either book, by key. */
export async function listTouchedPayments(db: Reader, since: Date, last: string, limit: number): Promise<PaymentKey[]> {
  const { rows } = await db.execute<{ key: PaymentKey }>(sql`
    select key from (
      select ${providerTransaction.paymentKey} as key from ${providerTransaction}
        where ${providerTransaction.occurredAt} >= ${since} and ${providerTransaction.paymentKey} is not null
      union ${paymentsBookedSince(since)}
      union ${openAbout('payment:')}
    ) touched where key > ${last} order by key limit ${limit}`)
  return rows.map(({ key }) => key)
}

/** `capturedAt`: null if the shop does not know the payment. `movedAt`: the last movement in either book. */
export type PaymentPair = PaymentInBothBooks & { capturedAt: Date | null; movedAt: Date }

/** All movements and postings of each payment. */
export async function readPaymentPairs(db: Reader, keys: readonly PaymentKey[]): Promise<PaymentPair[]> {
  if (!keys.length) return []
  const all = [...keys]
  const movements = await db.select().from(providerTransaction).where(inArray(providerTransaction.paymentKey, all))
  const payments = await listCaptured(db, all)
  const bookings = await listPostingsOf(db, all)
  // Refunds paid outside of the provider, and to gift cards, are not in its books.
  const refunds = (await listRefundsOf(db, all)).filter(
    ({ paysRefundId, giftCardId }) => paysRefundId === null && giftCardId === null,
  )
  const checkouts = movements.flatMap(({ checkoutId }) => checkoutId ?? [])
  const orders = await listOrdersFrom(db, all, checkouts)
  const paid = new Set(orders.map(({ checkoutId }) => checkoutId))

  const byKey = <Row>(rows: readonly Row[], keyOf: (row: Row) => string | null) => Map.groupBy(rows, keyOf)
  const movementsOf = byKey(movements, ({ paymentKey: key }) => key)
  const bookingsOf = byKey(bookings, ({ key }) => key)
  const refundsOf = byKey(refunds, ({ paymentKey: key }) => key)
  return all.map((key) => {
    const known = payments.find((row) => row.key === key)
    const orderId = orders.find(({ paymentKey: paidBy }) => paidBy === key)?.id ?? null
    const theirs = (movementsOf.get(key) ?? []).map(asMovement)
    const ours = bookingsOf.get(key) ?? []
    const moments = [...theirs.map(({ occurredAt }) => occurredAt), ...ours.map(({ bookedAt }) => bookedAt)]
    return {
      key,
      movements: theirs,
      bookings: ours.map(({ kind, amount, fee }): Booking => ({ kind, amount, fee })),
      payment: known ? { orderId, isException: known.exceptionId !== null } : null,
      refunds: (refundsOf.get(key) ?? []).map(({ providerRefundId, amountCents, status, bookedAt, reversedAt }) => ({
        providerRefundId,
        amount: amountCents,
        status,
        isBooked: bookedAt !== null && reversedAt === null,
      })),
      isSecond: theirs.some(({ checkoutId }) => checkoutId !== null && paid.has(checkoutId)),
      capturedAt: known?.capturedAt ?? null,
      movedAt: new Date(Math.max(0, ...moments.map(Number))),
    }
  })
}

const asMovement = ({ amountCents, feeCents, ...row }: typeof providerTransaction.$inferSelect): Movement => ({
  ...row,
  amount: amountCents,
  fee: feeCents,
})

/** The database returns sums as text, because they can exceed its integers. */
const asCents = (text: string): Cents => cents(Number(text))

/** A page of lines without a payment since then, in order. */
export const listLines = async (
  db: Reader,
  since: Date,
  last: Pick<Movement, 'provider' | 'id'> | undefined,
  limit: number,
): Promise<Movement[]> =>
  (
    await db
      .select()
      .from(providerTransaction)
      .where(
        and(
          isNull(providerTransaction.paymentKey),
          sql`${providerTransaction.occurredAt} >= ${since}`,
          last && sql`(${providerTransaction.provider}, ${providerTransaction.id}) > (${last.provider}, ${last.id})`,
        ),
      )
      .orderBy(providerTransaction.provider, providerTransaction.id)
      .limit(limit)
  ).map(asMovement)

export const readLine = async (db: Reader, { provider, id }: Pick<Movement, 'provider' | 'id'>): Promise<Movement[]> =>
  (
    await db
      .select()
      .from(providerTransaction)
      .where(and(eq(providerTransaction.provider, provider), eq(providerTransaction.id, id)))
  ).map(asMovement)

/** All lines of a payout: sent, and possibly returned by the bank. */
export const listLinesOfSource = async (
  db: Reader,
  { provider, sourceId }: Pick<Movement, 'provider' | 'sourceId'>,
): Promise<Movement[]> =>
  (
    await db
      .select()
      .from(providerTransaction)
      .where(and(eq(providerTransaction.provider, provider), eq(providerTransaction.sourceId, sourceId ?? '')))
  ).map(asMovement)

// ---- orders

/** Orders changed since then, here or at the printer. */
export async function listTouchedOrders(db: Reader, since: Date, last: number, limit: number): Promise<OrderId[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from (
      ${ordersChangedSince(since)}
      union ${ordersPrintedSince(since)}
      union select id::int from (${openAbout('order:')}) open (id)
    ) touched where id > ${last} order by id limit ${limit}`)
  return rows.map(({ id }) => id as OrderId)
}

export type OrderPair = OrderInBothBooks & { movedAt: Date }

export async function readOrderPairs(db: Reader, ids: readonly OrderId[]): Promise<OrderPair[]> {
  if (!ids.length) return []
  const orders = await listOrdersById(db, ids)
  const theirs = await listPrinterOrders(
    db,
    orders.flatMap(({ orderNumber, externalId }) => printerOrderIdsOf(orderNumber, externalId)),
  )
  const booked = await listPrinterBalances(db, ids)
  const refunds = await listEveryRefund(db, ids)
  const disputes = await listDisputesOfOrders(db, ids)

  return orders.map((order) => {
    const returned = [
      ...refunds.filter(
        ({ orderId, status, changeId }) => orderId === order.id && status !== 'failed' && changeId === null,
      ),
      ...disputes.filter(({ orderId, status }) => orderId === order.id && status === 'lost'),
    ]
    const returnedTotal = sum(returned.map(({ amountCents }) => amountCents))
    const { id, orderNumber, externalId, fulfillmentStatus, paymentStatus, totalCents, updatedAt } = order
    return {
      order: {
        id,
        orderNumber,
        externalId,
        fulfillmentStatus,
        paymentStatus,
        isTaken: order.printfulOrderId !== null,
        unreturned: cents(Math.max(0, minus(totalCents, returnedTotal))),
      },
      partnerOrders: theirs.filter((row) => row.externalId && orderNumberInExternalId(row.externalId) === orderNumber),
      bookedCost: negate(booked.find(({ orderId }) => orderId === id)?.amount ?? ZERO),
      movedAt: updatedAt,
    }
  })
}

/** How often a stray order's cost can be booked again after it changed. */
const STRAY_BOOKINGS_MAX = 5
export const strayKeys = (id: number): string[] =>
  Array.from({ length: STRAY_BOOKINGS_MAX }, (_, index) => `stray:${id}:${index + 1}`)

// ---- sums

export type Sums = { provider: Book; theirs: Cents; ours: Cents }

/**
 * The lines of other programs' payments with the same account, in US dollars, as `provider`, `occurred_at`, `amount_cents`: what they
 * changed in the balance.
 */
const foreignLines = sql`
  select t.provider, t.occurred_at, t.amount_cents - t.fee_cents as amount_cents from provider_transaction t
  where not t.is_ours and t.payment_key is not null and t.currency = 'usd'
    and not ${isKnownPayment(sql`t.payment_key`)} and not ${isChargeOfCheckout(sql`t.payment_key`)}`

/** Balances by their books: lines of other programs are taken out. */
const theirBooks = (since: SQL, dayOf: (moment: SQL) => SQL): SQL => sql`
  select s.provider, ${dayOf(sql`s.at`)} as day, s.amount_cents as theirs, 0 as ours from provider_sum s where s.at >= ${since}
  union all select f.provider, ${dayOf(sql`f.occurred_at`)}, -f.amount_cents, 0 from (${foreignLines}) f where f.occurred_at >= ${since}
  union all select 'printful', ${dayOf(sql`c.at`)}, -c.cost_cents, 0 from (${printerCharges}) c where c.at >= ${since}`

const ourBooks = (ledger: SQL): SQL => sql`
  select case account when 'provider:stripe' then 'stripe' when 'provider:paypal' then 'paypal' else 'printful' end as provider,
    day, 0 as theirs, amount_cents as ours
  from (${ledger}) e where account in ('provider:stripe', 'provider:paypal', 'print_partner')`

/** Each provider's balance by its books and by ours; negative if we owe it. @param zone of the stored sums */
export async function readSums(db: Db, zone: TimeZone): Promise<Sums[]> {
  const theirs = theirBooks(sql`'-infinity'::timestamptz`, () => sql`null::date`)
  const { rows } = await readLedgerByDay(db, zone, (tx, ledger) =>
    tx.execute<{ provider: Book; theirs: string; ours: string }>(sql`
      select provider, coalesce(sum(theirs), 0)::text as theirs, coalesce(sum(ours), 0)::text as ours from (
        ${theirs} union all ${ourBooks(ledger())}
      ) books group by provider`),
  )
  return books.map((provider) => {
    const row = rows.find((candidate) => candidate.provider === provider)
    return { provider, theirs: asCents(row?.theirs ?? '0'), ours: asCents(row?.ours ?? '0') }
  })
}

const books: readonly Book[] = ['stripe', 'paypal', 'printful']

/** Movements per day, latest first. Near midnight, our books can have a line a day later, because they use the time we learned of it. */
export async function readDays(db: Db, since: CalendarDay, zone: TimeZone): Promise<(Sums & { day: string })[]> {
  const dayOf = (moment: SQL) => sql`(${moment} at time zone ${zone})::date`
  const theirs = theirBooks(sql`${new Date(startOfDay(zone, since))}::timestamptz`, dayOf)
  const { rows } = await readLedgerByDay(db, zone, (tx, ledger) =>
    tx.execute<{ day: string; provider: Book; theirs: string; ours: string }>(sql`
      select day::text as day, provider, sum(theirs)::text as theirs, sum(ours)::text as ours from (
        ${theirs} union all ${ourBooks(ledger(since))}
      ) moved group by day, provider order by day desc, provider`),
  )
  return rows.map(({ theirs, ours, ...row }) => ({ ...row, theirs: asCents(theirs), ours: asCents(ours) }))
}
