import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { CheckoutId, Payer, SessionId } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { cardDecline, checkout, paymentStart } from '#server/checkout/schema.ts'
import { networkOf } from '#server/http/ip-network.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { findCheckout, findCheckoutOfIntent, clearIntent, lockCheckout, type StoredCheckout } from './checkout.ts'

export const payerAt = (ip: string): Payer =>
  createHash('sha256')
    .update(`payer ${networkOf(ip)}`)
    .digest('base64url') as Payer

type DeclineNeeds = Needs<'db' | 'clock' | 'config'>

/** Limits starts in the same minute: they are many shoppers, or one attacker with ever new sessions. */
const AT_ONCE_MAX = 10
const AT_ONCE_MS = MINUTE_MS
/** For this long a purchase allows one more of those. */
const AT_ONCE_TRUST_MS = 10 * MINUTE_MS
/** Unpaid starts allowed per purchase of the last hour: real shoppers hesitate too. */
const UNPAID_PER_PURCHASE = 2
/** Bounds the counting queries; no limit is this high. */
const COUNTED_MAX = 10_000

/** Limits of declined cards and unpaid starts. `RATE_LIMIT_SCALE` applies to addresses, not to a checkout. */
function limitsOf({ config: { cardTesting, rateLimitScale } }: Pick<DeclineNeeds, 'config'>) {
  const scaled = (max: number) => Math.max(1, Math.round(max * rateLimitScale))
  return {
    declinesOfCheckout: cardTesting.declinesPerCheckout,
    declinesOfPayer: scaled(cardTesting.declinesPerAddress),
    unpaid: scaled(cardTesting.unpaidStartsPerAddress),
    atOnce: scaled(AT_ONCE_MAX),
  }
}

/**
 * Counts a checkout's payment start, once. Payments distinguish a hall full of shoppers behind one address from an attacker with ever
 * new sessions.
 * @returns whether a card may be used; the wallet always may
 * @throws Refusal `too_many` when too many other checkouts have just started
 */
export async function countPaymentStart(
  shop: DeclineNeeds,
  { id, sessionId }: StoredCheckout,
  payer: Payer,
): Promise<{ isCardOpen: boolean }> {
  const { db, clock } = shop
  const now = clock.now()
  const hourAgo = after(now, -HOUR_MS)
  if (await isOpenSince(db, id, payer, hourAgo)) return { isCardOpen: true }

  const max = limitsOf(shop)
  return db.transaction(async (tx) => {
    await lockPayer(tx, payer)
    const { atOnce, oldest, paidLately, unpaid, paid } = await countOthers(tx, id, payer, now)
    if (oldest && atOnce >= max.atOnce + paidLately)
      throw new Refusal('too_many', { retryAfterS: secondsUntil(after(oldest, AT_ONCE_MS), now) })
    const isCardOpen = unpaid < max.unpaid + UNPAID_PER_PURCHASE * paid || (await hasPaidBefore(tx, sessionId))
    const row = { checkoutId: id, payer, startedAt: now, isCardOpen }
    await tx.insert(paymentStart).values(row).onConflictDoUpdate({ target: paymentStart.checkoutId, set: row })
    return { isCardOpen }
  })
}

const secondsUntil = (moment: Date, now: Date) => Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / SECOND_MS))

async function isOpenSince(db: Reader, id: CheckoutId, payer: Payer, since: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from payment_start
    where checkout_id = ${id} and payer = ${payer} and started_at > ${since}::timestamptz and is_card_open`)
  return rows.length > 0
}

/** Serializes counting for this address across all instances until the transaction ends. */
const lockPayer = (tx: Tx, payer: Payer) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${payer}, 0))`)

/** Counts the address's starts of other checkouts. */
async function countOthers(tx: Tx, id: CheckoutId, payer: Payer, now: Date) {
  const since = (ms: number) => sql`${after(now, -ms)}::timestamptz`
  const { rows } = await tx.execute<{
    at_once: number
    oldest: Date | string | null
    paid_lately: number
    unpaid: number
    paid: number
  }>(sql`
    with unpaid as (
      select started_at from payment_start
      where payer = ${payer} and paid_at is null and started_at > ${since(HOUR_MS)} and checkout_id <> ${id} limit ${COUNTED_MAX}
    ), paid as (
      select paid_at from payment_start where payer = ${payer} and paid_at > ${since(HOUR_MS)} limit ${COUNTED_MAX}
    )
    select (select count(*)::int from unpaid where started_at > ${since(AT_ONCE_MS)}) as at_once,
           (select min(started_at) from unpaid where started_at > ${since(AT_ONCE_MS)}) as oldest,
           (select count(*)::int from paid where paid_at > ${since(AT_ONCE_TRUST_MS)}) as paid_lately,
           (select count(*)::int from unpaid) as unpaid,
           (select count(*)::int from paid) as paid`)
  const [found] = rows
  return {
    atOnce: found?.at_once ?? 0,
    oldest: found?.oldest ? new Date(found.oldest) : undefined,
    paidLately: found?.paid_lately ?? 0,
    unpaid: found?.unpaid ?? 0,
    paid: found?.paid ?? 0,
  }
}

/** A session that has paid before is trusted. */
async function hasPaidBefore(db: Reader, sessionId: SessionId): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from ${checkout} where ${checkout.sessionId} = ${sessionId} and ${checkout.state} = 'paid' limit 1`,
  )
  return rows.length > 0
}

/** A paid start no longer counts against its address, and allows others. */
export const markStartPaid = (tx: Tx, id: CheckoutId, now: Date) =>
  tx
    .update(paymentStart)
    .set({ paidAt: now })
    .where(sql`${paymentStart.checkoutId} = ${id}`)

/** Why cards are closed: too many declines for this checkout, or for this address within the hour. */
export type Closure = 'checkout' | 'address'

/** @returns undefined while declines leave cards open */
export async function cardClosure(
  shop: Pick<DeclineNeeds, 'clock' | 'config'> & { db: Reader },
  { id, sessionId }: Pick<StoredCheckout, 'id' | 'sessionId'>,
  payer: Payer | undefined,
): Promise<Closure | undefined> {
  const { db, clock } = shop
  const max = limitsOf(shop)
  const { rows } = await db.execute<{ of_checkout: number; of_payer: number }>(sql`
    select (select count(*)::int from card_decline where checkout_id = ${id}) as of_checkout,
           (select count(*)::int from (
              select 1 from card_decline d join checkout c on c.id = d.checkout_id
              where d.payer = ${payer ?? ''} and d.declined_at > ${after(clock.now(), -HOUR_MS)}::timestamptz
                and c.state <> 'paid' limit ${COUNTED_MAX}) as declines) as of_payer`)
  const { of_checkout: ofCheckout = 0, of_payer: ofPayer = 0 } = rows[0] ?? {}
  if (ofCheckout >= max.declinesOfCheckout) return 'checkout'
  if (ofPayer < max.declinesOfPayer) return undefined
  return (await hasPaidBefore(db, sessionId)) ? undefined : 'address'
}

/** @param summary of what the wallet can still charge */
export const cardClosed = (closure: Closure, summary: unknown): Refusal =>
  new Refusal(closure === 'checkout' ? 'card_closed' : 'card_paused', { summary })

/**
 * Counts declined payments, each once, whether the provider's event, the browser or an API answer reports them. After too many, the
 * intents with which the address could try more cards are canceled at the provider; the wallet stays open.
 * @param ids the provider's ids of the charges or captures
 * @param payer used only when the payment's start did not record one
 */
export async function countDeclines(
  shop: DeclineNeeds & Needs<'jobs' | 'log'>,
  checkoutId: CheckoutId,
  ids: readonly string[],
  payer?: Payer,
): Promise<Closure | undefined> {
  const now = shop.clock.now()
  return shop.db.transaction(async (tx) => {
    const from = (await payerOf(tx, checkoutId)) ?? payer
    // Serialized per address and per checkout, so exactly one caller sees the limit reached.
    if (from) await lockPayer(tx, from)
    const locked = await lockCheckout(tx, checkoutId)
    if (!locked) return undefined
    const rows = ids.map((id) => ({ id, checkoutId, payer: from ?? null, declinedAt: now }))
    const fresh = rows.length
      ? await tx.insert(cardDecline).values(rows).onConflictDoNothing().returning({ id: cardDecline.id })
      : []
    const closure = await cardClosure({ ...shop, db: tx }, locked, from)
    if (fresh.length === 0 || !closure) return closure
    shop.log.warn({ checkout: checkoutId, closure }, 'too many declined cards: card payment closed')
    for (const affected of closure === 'address' && from ? await listDeclined(tx, from, now) : [locked]) {
      if (affected.state !== 'open' || affected.provider !== 'stripe' || !affected.providerPaymentId) continue
      await shop.jobs.enqueue(tx, 'cancel-intent', { intentId: affected.providerPaymentId })
      await clearIntent(tx, affected.id)
    }
    return closure
  })
}

/** Counts by the payment's intent; ignores intents of other shops. */
export async function countDeclinesOfIntent(
  shop: Parameters<typeof countDeclines>[0],
  intentId: string,
  ids: readonly string[],
): Promise<void> {
  const found = await findCheckoutOfIntent(shop.db, intentId)
  if (found) await countDeclines(shop, found.id, ids)
}

async function payerOf(tx: Tx, id: CheckoutId): Promise<Payer | undefined> {
  const [found] = await tx
    .select({ payer: paymentStart.payer })
    .from(paymentStart)
    .where(sql`${paymentStart.checkoutId} = ${id}`)
  return found?.payer
}

/** Open checkouts of an address with a declined card within the hour; those without a decline stay open. */
const listDeclined = (tx: Tx, payer: Payer, now: Date): Promise<StoredCheckout[]> =>
  tx.select().from(checkout).where(sql`${checkout.state} = 'open' and ${checkout.id} in (
    select ${cardDecline.checkoutId} from ${cardDecline}
    where ${cardDecline.payer} = ${payer} and ${cardDecline.declinedAt} > ${after(now, -HOUR_MS)}::timestamptz)`)

/** Longer than any limit looks back: a decline counts as long as its checkout can be open. */
const RETENTION_MS = 7 * DAY_MS

export async function deleteOldStarts(tx: Tx, now: Date): Promise<void> {
  const before = sql`${after(now, -RETENTION_MS)}::timestamptz`
  await tx.delete(paymentStart).where(sql`${paymentStart.startedAt} < ${before}`)
  await tx.delete(cardDecline).where(sql`${cardDecline.declinedAt} < ${before}`)
}

/** Counts a decline that the browser reports, after confirming it with the provider: a browser can claim anything. */
export async function recordDecline(
  shop: Parameters<typeof countDeclines>[0] & Needs<'stripe'>,
  sessionId: SessionId,
  intentId: string,
  payer: Payer,
): Promise<{ checkout: StoredCheckout; closure: Closure | undefined }> {
  const found = await findCheckoutOfIntent(shop.db, intentId)
  if (found?.sessionId !== sessionId) throw new Refusal('unknown_payment')
  const closure = await countDeclines(shop, found.id, await shop.stripe.listDeclines(intentId), payer)
  return { checkout: (await findCheckout(shop.db, found.id)) ?? found, closure }
}
