import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  sql,
  sum,
  type SQL,
} from 'drizzle-orm'
import type { ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, OrderNumber, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import { cents, plus, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { findFirstCheckoutTime } from '#server/checkout/checkout.ts'
import { orderNumbersOf } from '#server/orders/orders.ts'
import { countOpenPaymentExceptions, listPaymentExceptions, type ExceptionPage } from '#server/payments/exceptions.ts'
import { isKnownPayment } from '#server/payments/payments.ts'
import { providerReading, providerTransaction, reconciliation, shopException } from '#server/reconciliation/schema.ts'

/** Providers with books to read; Printful's are its orders. */
export type Book = PaymentProvider | 'printful'

export type ProviderReading = typeof providerReading.$inferSelect

export const findReading = async (db: Reader, book: Book): Promise<ProviderReading | undefined> =>
  (await db.select().from(providerReading).where(eq(providerReading.provider, book)))[0]

export async function saveReading(tx: Tx, row: typeof providerReading.$inferInsert): Promise<void> {
  await tx.insert(providerReading).values(row).onConflictDoUpdate({ target: providerReading.provider, set: row })
}

/** A day before the first checkout. @param now for a shop without any */
export async function readingStart(db: Reader, now: Date): Promise<Date> {
  return after((await findFirstCheckoutTime(db)) ?? now, -DAY_MS)
}

export async function upsertMovements(tx: Tx, movements: readonly Movement[], now: Date): Promise<void> {
  if (!movements.length) return
  const rows = movements.map(({ amount, fee, ...row }) => ({ ...row, amountCents: amount, feeCents: fee, readAt: now }))
  await tx
    .insert(providerTransaction)
    .values(rows)
    .onConflictDoUpdate({
      target: [providerTransaction.provider, providerTransaction.id],
      set: {
        kind: sql`excluded.kind`,
        amountCents: sql`excluded.amount_cents`,
        feeCents: sql`excluded.fee_cents`,
        currency: sql`excluded.currency`,
        paymentKey: sql`coalesce(excluded.payment_key, ${providerTransaction.paymentKey})`,
        sourceId: sql`excluded.source_id`,
        checkoutId: sql`excluded.checkout_id`,
        occurredAt: sql`excluded.occurred_at`,
        readAt: now,
      },
    })
  await markOurs(
    tx,
    movements.flatMap(({ paymentKey }) => paymentKey ?? []),
  )
}

/** Shown at once; a busy month between two withdrawals has fewer. */
const MOVEMENTS_MAX = 5000

/** A provider's lines after a time, until another, the earliest first. */
export const listMovementsBetween = async (
  db: Reader,
  provider: PaymentProvider,
  since: Date,
  until: Date,
): Promise<Movement[]> =>
  (
    await db
      .select()
      .from(providerTransaction)
      .where(
        and(
          eq(providerTransaction.provider, provider),
          gt(providerTransaction.occurredAt, since),
          lte(providerTransaction.occurredAt, until),
        ),
      )
      .orderBy(asc(providerTransaction.occurredAt), asc(providerTransaction.id))
      .limit(MOVEMENTS_MAX)
  ).map(({ amountCents, feeCents, ...row }) => ({ ...row, amount: amountCents, fee: feeCents }))

/** Whether a charge of this payment names a checkout of the shop. */
export const isChargeOfCheckout = (key: SQL): SQL => sql`exists (
  select from provider_transaction c where c.payment_key = ${key} and c.kind = 'charge' and c.checkout_id is not null)`

/** Lines of a shop's own payment are never looked up again. */
const markOurs = (tx: Tx, keys: readonly PaymentKey[]) =>
  tx
    .update(providerTransaction)
    .set({ isOurs: true })
    .where(
      and(
        inArray(providerTransaction.paymentKey, [...keys]),
        eq(providerTransaction.isOurs, false),
        or(
          isKnownPayment(sql`${providerTransaction.paymentKey}`),
          isChargeOfCheckout(sql`${providerTransaction.paymentKey}`),
        ),
      ),
    )

/** The ids among these that were read before. */
export async function knownMovements(
  db: Reader,
  provider: PaymentProvider,
  ids: readonly string[],
): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const rows = await db
    .select({ id: providerTransaction.id })
    .from(providerTransaction)
    .where(and(eq(providerTransaction.provider, provider), inArray(providerTransaction.id, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** Payment keys by capture id. */
export async function keysOfCharges(
  db: Reader,
  captureIds: readonly string[],
): Promise<(readonly [captureId: string, key: PaymentKey])[]> {
  if (!captureIds.length) return []
  const rows = await db
    .select({ captureId: providerTransaction.sourceId, key: providerTransaction.paymentKey })
    .from(providerTransaction)
    .where(
      and(
        eq(providerTransaction.provider, 'paypal'),
        eq(providerTransaction.kind, 'charge'),
        inArray(providerTransaction.sourceId, [...captureIds]),
      ),
    )
  return rows.flatMap(({ captureId, key }) => (captureId && key ? [[captureId, key] as const] : []))
}

// ---- comparisons

export type Run = typeof reconciliation.$inferSelect
export type Trigger = Run['trigger']

export async function beginRun(tx: Tx, row: typeof reconciliation.$inferInsert): Promise<number> {
  const [added] = await tx.insert(reconciliation).values(row).returning({ id: reconciliation.id })
  assert(added, 'an insert without a row')
  return added.id
}

export async function endRun(tx: Tx, id: number, row: Partial<typeof reconciliation.$inferInsert>): Promise<Run> {
  const [ended] = await tx.update(reconciliation).set(row).where(eq(reconciliation.id, id)).returning()
  assert(ended, 'a run that never began')
  return ended
}

/** The last finished run. */
export const findLastRun = async (db: Reader, trigger?: Trigger): Promise<Run | undefined> =>
  (
    await db
      .select()
      .from(reconciliation)
      .where(and(isNotNull(reconciliation.finishedAt), trigger && eq(reconciliation.trigger, trigger)))
      .orderBy(desc(reconciliation.startedAt))
      .limit(1)
  )[0]

/** Deletes the rows of old frequent checks. */
export const deleteWatches = (tx: Tx, before: Date) =>
  tx.delete(reconciliation).where(and(eq(reconciliation.trigger, 'watch'), lt(reconciliation.startedAt, before)))

// ---- exceptions

export type ListedException = {
  id: number
  kind: ExceptionKind
  about: string
  orderId: OrderId | null
  orderNumber: OrderNumber | null
  amount: Cents
  cause: string | null
  deadlineAt: Date | null
  openedAt: Date
  resolvedAt: Date | null
}

const LISTED = {
  id: shopException.id,
  kind: shopException.kind,
  about: shopException.about,
  orderId: shopException.orderId,
  amount: shopException.amountCents,
  cause: shopException.cause,
  deadlineAt: shopException.deadlineAt,
  openedAt: shopException.openedAt,
  resolvedAt: shopException.resolvedAt,
}

/** Exceptions of both tables, latest first. */
export async function selectExceptions(db: Reader, page: ExceptionPage): Promise<ListedException[]> {
  const { isOpen, olderThan, limit, only, except } = page
  const watched = await db
    .select(LISTED)
    .from(shopException)
    .where(
      and(
        isOpen ? isNull(shopException.resolvedAt) : isNotNull(shopException.resolvedAt),
        olderThan === undefined ? undefined : lt(shopException.id, olderThan),
        only && inArray(shopException.kind, [...only]),
        except && except.length > 0 ? notInArray(shopException.kind, [...except]) : undefined,
      ),
    )
    .orderBy(desc(shopException.id))
    .limit(limit)
  const paid = (await listPaymentExceptions(db, page)).map(({ paymentKey: key, amountCents, ...row }) => ({
    ...row,
    about: `payment:${key}`,
    amount: amountCents,
    cause: null,
    deadlineAt: null,
  }))
  return withOrderNumbers(db, [...watched, ...paid].toSorted((a, b) => b.id - a.id).slice(0, limit))
}

async function withOrderNumbers(
  db: Reader,
  rows: readonly (Omit<ListedException, 'kind' | 'orderNumber'> & { kind: string })[],
): Promise<ListedException[]> {
  const numbers = await orderNumbersOf(
    db,
    rows.flatMap(({ orderId }) => orderId ?? []),
  )
  return rows.map((row) => ({
    ...row,
    kind: row.kind as ExceptionKind,
    orderNumber: (row.orderId !== null && numbers.get(row.orderId)) || null,
  }))
}

export async function findOpenException(
  db: Reader,
  id: number,
): Promise<Pick<ListedException, 'id' | 'kind' | 'about' | 'orderId'> | undefined> {
  const [exception] = await selectExceptions(db, { isOpen: true, olderThan: id + 1, limit: 1 })
  return exception?.id === id ? exception : undefined
}

/** Open exceptions after a given id, earliest first. */
export const listUnmailed = async (db: Reader, after: number, limit: number): Promise<ListedException[]> =>
  withOrderNumbers(
    db,
    await db
      .select(LISTED)
      .from(shopException)
      .where(and(isNull(shopException.resolvedAt), gt(shopException.id, after), ne(shopException.kind, 'disputed')))
      .orderBy(asc(shopException.id))
      .limit(limit),
  )

export type ExceptionCrowd = { kind: ExceptionKind; count: number; amount: Cents; since: Date }

/** Kinds of which more than `least` are open, most first. */
export async function listCrowds(db: Reader, least: number): Promise<ExceptionCrowd[]> {
  const { rows } = await db.execute<{ kind: ExceptionKind; count: number; amount: string; since: Date }>(sql`
    select kind, count(*)::int as count, sum(amount_cents)::text as amount, min(opened_at) as since from (
      select kind, amount_cents, opened_at from shop_exception where resolved_at is null
      union all select kind, amount_cents, opened_at from payment_exception where resolved_at is null) open
    group by kind having count(*) > ${least} order by count desc, kind`)
  return rows.map(({ amount, since, ...row }) => ({ ...row, amount: cents(Number(amount)), since: new Date(since) }))
}

/** Open exceptions and their total amount. */
export async function countOpen(db: Reader): Promise<{ count: number; amount: Cents }> {
  const [row] = await db
    .select({ count: count(), amount: sum(shopException.amountCents).mapWith(Number) })
    .from(shopException)
    .where(isNull(shopException.resolvedAt))
  const paid = await countOpenPaymentExceptions(db)
  return { count: (row?.count ?? 0) + paid.count, amount: plus(cents(row?.amount ?? 0), paid.amount) }
}
