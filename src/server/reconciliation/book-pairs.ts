import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import {
  differenceKinds,
  type Booking,
  type OrderInBothBooks,
  type PrinterOrderRow,
  type PaymentInBothBooks,
} from '#domain/reconciliation/differences.ts'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { orderNumberInExternalId, printerOrderIdsOf } from '#domain/reconciliation/printer-orders.ts'
import type { CheckoutId, OrderId, PaymentKey } from '#shared/ids.ts'
import { cents, minus, negate, sum, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from '#server/ledger/schema.ts'
import { refund, shopOrder } from '#server/orders/schema.ts'
import { dispute, paymentException } from '#server/payments/outcome-schema.ts'
import { payment } from '#server/payments/schema.ts'
import { printerOrder } from '#server/fulfillment/schema.ts'
import { providerTransaction, shopException } from '#server/reconciliation/schema.ts'
import type { Book } from './store.ts'

const onProvider = sql<string>`coalesce(sum(${ledgerEntry.amountCents}) filter (where ${ledgerEntry.account} like 'provider:%'), 0)`
const onFees = sql<string>`coalesce(sum(${ledgerEntry.amountCents}) filter (where ${ledgerEntry.account} in ('expense:provider_fees', 'expense:dispute_fees')), 0)`
const onPrinter = sql<string>`coalesce(sum(${ledgerEntry.amountCents}) filter (where ${ledgerEntry.account} = 'print_partner'), 0)`

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
      union select ${ledgerPosting.paymentKey} from ${ledgerPosting}
        where ${ledgerPosting.bookedAt} >= ${since} and ${ledgerPosting.paymentKey} is not null
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
  const payments = await db
    .select({
      key: payment.paymentKey,
      capturedAt: payment.capturedAt,
      orderId: shopOrder.id,
      exceptionId: paymentException.id,
    })
    .from(payment)
    .leftJoin(shopOrder, eq(shopOrder.paymentKey, payment.paymentKey))
    .leftJoin(paymentException, eq(paymentException.paymentKey, payment.paymentKey))
    .where(inArray(payment.paymentKey, all))
  const bookings = await db
    .select({
      key: ledgerPosting.paymentKey,
      kind: ledgerPosting.kind,
      bookedAt: ledgerPosting.bookedAt,
      amount: onProvider,
      fee: onFees,
    })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(inArray(ledgerPosting.paymentKey, all))
    .groupBy(ledgerPosting.id)
  // Refunds paid outside of the provider are not in its books.
  const refunds = await db
    .select()
    .from(refund)
    .where(and(inArray(refund.paymentKey, all), isNull(refund.paysRefundId)))
  const paid = await ordersOfCheckouts(
    db,
    movements.flatMap(({ checkoutId }) => checkoutId ?? []),
  )

  const byKey = <Row>(rows: readonly Row[], keyOf: (row: Row) => string | null) => Map.groupBy(rows, keyOf)
  const movementsOf = byKey(movements, ({ paymentKey: key }) => key)
  const bookingsOf = byKey(bookings, ({ key }) => key)
  const refundsOf = byKey(refunds, ({ paymentKey: key }) => key)
  return all.map((key) => {
    const [known] = payments.filter((row) => row.key === key)
    const theirs = (movementsOf.get(key) ?? []).map(asMovement)
    const ours = bookingsOf.get(key) ?? []
    const moments = [...theirs.map(({ occurredAt }) => occurredAt), ...ours.map(({ bookedAt }) => bookedAt)]
    return {
      key,
      movements: theirs,
      bookings: ours.map(({ kind, amount, fee }): Booking => ({ kind, amount: asCents(amount), fee: asCents(fee) })),
      payment: known ? { orderId: known.orderId, isException: known.exceptionId !== null } : null,
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

async function ordersOfCheckouts(db: Reader, ids: readonly CheckoutId[]): Promise<Set<CheckoutId>> {
  if (!ids.length) return new Set()
  const rows = await db
    .select({ id: shopOrder.checkoutId })
    .from(shopOrder)
    .where(inArray(shopOrder.checkoutId, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

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

/** The sum of these postings on the payment providers' accounts, or the printer's. */
export async function sumOfPostings(
  db: Reader,
  keys: readonly string[],
  account: 'provider' | 'partner',
): Promise<Cents> {
  const [row] = await db
    .select({ amount: account === 'provider' ? onProvider : onPrinter })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(inArray(ledgerPosting.key, [...keys]))
  return asCents(row?.amount ?? '0')
}

// ---- orders

/** Orders changed since then, here or at the printer. */
export async function listTouchedOrders(db: Reader, since: Date, last: number, limit: number): Promise<OrderId[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from (
      select ${shopOrder.id} as id from ${shopOrder} where ${shopOrder.updatedAt} >= ${since}
      union select ${shopOrder.id} from ${printerOrder}
        join ${shopOrder} on ${shopOrder.orderNumber} = left(${printerOrder.externalId}, 9)
        where ${printerOrder.createdAt} >= ${since}
      union select id::int from (${openAbout('order:')}) open (id)
    ) touched where id > ${last} order by id limit ${limit}`)
  return rows.map(({ id }) => id as OrderId)
}

export type OrderPair = OrderInBothBooks & { movedAt: Date }

export async function readOrderPairs(db: Reader, ids: readonly OrderId[]): Promise<OrderPair[]> {
  if (!ids.length) return []
  const orders = await db
    .select()
    .from(shopOrder)
    .where(inArray(shopOrder.id, [...ids]))
  const theirs = await db
    .select()
    .from(printerOrder)
    .where(
      inArray(
        printerOrder.externalId,
        orders.flatMap(({ orderNumber, externalId }) => printerOrderIdsOf(orderNumber, externalId)),
      ),
    )
  const booked = await db
    .select({ orderId: ledgerPosting.orderId, amount: onPrinter })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(inArray(ledgerPosting.orderId, [...ids]))
    .groupBy(ledgerPosting.orderId)
  const keys = orders.map(({ paymentKey: key }) => key)
  const refunds = await db.select().from(refund).where(inArray(refund.paymentKey, keys))
  const disputes = await db.select().from(dispute).where(inArray(dispute.paymentKey, keys))

  return orders.map((order) => {
    const returned = [
      ...refunds.filter(({ paymentKey: key, status }) => key === order.paymentKey && status !== 'failed'),
      ...disputes.filter(({ paymentKey: key, status }) => key === order.paymentKey && status === 'lost'),
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
      partnerOrders: theirs
        .filter((row) => row.externalId && orderNumberInExternalId(row.externalId) === orderNumber)
        .map(asRow),
      bookedCost: negate(asCents(booked.find(({ orderId }) => orderId === id)?.amount ?? '0')),
      movedAt: updatedAt,
    }
  })
}

const asRow = ({ id, externalId, status, costCents }: typeof printerOrder.$inferSelect): PrinterOrderRow => ({
  id,
  externalId,
  status,
  cost: costCents,
})

/** How often a stray order's cost can be booked again after it changed. */
const STRAY_BOOKINGS_MAX = 5
export const strayKeys = (id: number): string[] =>
  Array.from({ length: STRAY_BOOKINGS_MAX }, (_, index) => `stray:${id}:${index + 1}`)

/** Orders at the printer without an order of the shop, created in this period. */
export async function listStrays(
  db: Reader,
  { since, until, last, limit }: { since: Date; until: Date; last: number; limit: number },
): Promise<PrinterOrderRow[]> {
  const rows = await db
    .select()
    .from(printerOrder)
    .leftJoin(shopOrder, sql`${shopOrder.orderNumber} = left(${printerOrder.externalId}, 9)`)
    .where(
      and(
        isNull(shopOrder.id),
        sql`${printerOrder.createdAt} >= ${since} and ${printerOrder.createdAt} < ${until}`,
        sql`${printerOrder.id} > ${last}`,
      ),
    )
    .orderBy(printerOrder.id)
    .limit(limit)
  return rows.map((row) => asRow(row.partner_order))
}

export const readStray = async (db: Reader, id: number): Promise<PrinterOrderRow | undefined> => {
  const [row] = await db.select().from(printerOrder).where(eq(printerOrder.id, id))
  return row && asRow(row)
}

// ---- sums

export type Sums = { provider: Book; theirs: Cents; ours: Cents }

/** Lines of other programs' payments with the same account, in US dollars. */
const isForeign = sql`t.currency = 'usd' and t.payment_key is not null
  and not exists (select 1 from payment p where p.payment_key = t.payment_key)
  and not exists (
    select 1 from provider_transaction c
    where c.payment_key = t.payment_key and c.kind = 'charge' and c.checkout_id is not null)`
const isCharged = sql`o.status not in ('draft', 'failed')`
const balances = sql`('provider:stripe', 'provider:paypal', 'print_partner')`
const bookOf = sql`case e.account when 'provider:stripe' then 'stripe' when 'provider:paypal' then 'paypal' else 'printful' end`

/**
 * Each provider's balance by its books and by ours; negative if we owe it. Other programs' lines are subtracted from the total, because
 * filtering every line takes ten times as long.
 */
export async function readSums(db: Reader): Promise<Sums[]> {
  const { rows } = await db.execute<{ provider: Book; theirs: string; ours: string }>(sql`
    select provider, coalesce(sum(theirs), 0)::text as theirs, coalesce(sum(ours), 0)::text as ours from (
      select t.provider, sum(t.amount_cents - t.fee_cents) as theirs, 0 as ours from provider_transaction t
        where t.currency = 'usd' group by t.provider
      union all select t.provider, -sum(t.amount_cents - t.fee_cents), 0 from provider_transaction t
        where ${isForeign} group by t.provider
      union all select 'printful', -sum(o.cost_cents), 0 from partner_order o where ${isCharged}
      union all select ${bookOf}, 0, sum(e.amount_cents) from ledger_entry e where e.account in ${balances} group by 1
    ) books group by provider`)
  return books.map((provider) => {
    const row = rows.find((candidate) => candidate.provider === provider)
    return { provider, theirs: asCents(row?.theirs ?? '0'), ours: asCents(row?.ours ?? '0') }
  })
}

const books: readonly Book[] = ['stripe', 'paypal', 'printful']

/** Movements per day, latest first. Near midnight, our books can have a line a day later, because they use the time we learned of it. */
export async function readDays(db: Reader, since: Date, zone: string): Promise<(Sums & { day: string })[]> {
  const dayOf = (moment: SQL) => sql`to_char(${moment} at time zone ${zone}, 'YYYY-MM-DD')`
  const { rows } = await db.execute<{ day: string; provider: Book; theirs: string; ours: string }>(sql`
    select day, provider, sum(theirs)::text as theirs, sum(ours)::text as ours from (
      select ${dayOf(sql`t.occurred_at`)} as day, t.provider, t.amount_cents - t.fee_cents as theirs, 0 as ours
        from provider_transaction t where t.occurred_at >= ${since} and t.currency = 'usd'
      union all select ${dayOf(sql`t.occurred_at`)}, t.provider, t.fee_cents - t.amount_cents, 0
        from provider_transaction t where t.occurred_at >= ${since} and ${isForeign}
      union all select ${dayOf(sql`o.created_at`)}, 'printful', -o.cost_cents, 0
        from partner_order o where o.created_at >= ${since} and ${isCharged}
      union all select ${dayOf(sql`p.booked_at`)}, ${bookOf}, 0, e.amount_cents
        from ledger_posting p join ledger_entry e on e.posting_id = p.id
        where p.booked_at >= ${since} and e.account in ${balances}
    ) moved group by day, provider order by day desc, provider`)
  return rows.map(({ theirs, ours, ...row }) => ({ ...row, theirs: asCents(theirs), ours: asCents(ours) }))
}
