import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { CheckoutId, Payer, SessionId } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { cardDecline, checkout, paymentStart } from '#server/db/schema.ts'
import { addressOf } from '#server/http/address.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { findCheckout, findCheckoutOfIntent, clearIntent, lockCheckout, type StoredCheckout } from './store.ts'

export const payerAt = (ip: string): Payer =>
  createHash('sha256')
    .update(`payer ${addressOf(ip)}`)
    .digest('base64url') as Payer

type DeclineNeeds = Needs<'db' | 'clock' | 'config'>

/** Sessions that begin at the same moment are many people, or one stranger with ever new ones. */
const AT_ONCE_MAX = 10
const AT_ONCE_MS = MINUTE_MS
/** For how long a purchase makes room for one more of those. */
const AT_ONCE_TRUST_MS = 10 * MINUTE_MS
/** Each purchase of the last hour makes room for so many starts that do not end in one: people look, and come back. */
const ROOM_OF_PURCHASE = 2
/** Beyond it more makes no difference. */
const COUNTED_MAX = 10_000

/** How often cards may be declined here, and payments begun that are not paid. `RATE_LIMIT_SCALE` counts for addresses, not for a checkout. */
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
 * Counts the start of a checkout's payment, once, however often and by whichever means it is begun. What tells a hall full of
 * shoppers behind one address from one stranger with ever new sessions is that shoppers pay.
 * @returns whether a card may be used; the wallet may in any case
 * @throws Refusal `too_many` when too many others have just begun
 */
export async function countStart(
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
    const isCardOpen = unpaid < max.unpaid + ROOM_OF_PURCHASE * paid || (await hasPaidBefore(tx, sessionId))
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

/** Until the transaction ends nobody else counts for this address, at whichever instance. */
const lockPayer = (tx: Tx, payer: Payer) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${payer}, 0))`)

/** The starts of other checkouts. */
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

/** Whoever has bought here before is no stranger. */
async function hasPaidBefore(db: Reader, sessionId: SessionId): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from ${checkout} where ${checkout.sessionId} = ${sessionId} and ${checkout.state} = 'paid' limit 1`,
  )
  return rows.length > 0
}

/** The payment that was begun has come: its start no longer counts against its address, and makes room for others. */
export const markStartPaid = (tx: Tx, id: CheckoutId, now: Date) =>
  tx
    .update(paymentStart)
    .set({ paidAt: now })
    .where(sql`${paymentStart.checkoutId} = ${id}`)

/** Why a card may not be used: too often declined for this checkout, or for this address within the hour. */
export type Closure = 'checkout' | 'address'

/** Whether a card may be used for a checkout, as far as declined cards are concerned. */
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

/** @param summary what the wallet would charge */
export const cardClosed = (closure: Closure, summary: unknown): Refusal =>
  new Refusal(closure === 'checkout' ? 'card_closed' : 'card_paused', { summary })

/**
 * Counts declined payments, each once, whoever tells of them: the provider's event, the browser, or an answer that we got ourselves.
 * When there were too many, the intents that the address could still try cards at are canceled at the provider; the wallet stays open.
 * @param ids the provider's own: a charge's, a capture's
 * @param payer where the one who tells pays from; otherwise it is known from the start of the payment
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
    // Those who count for one address wait for each other, and so do those of one checkout: the fifth is seen by one of them.
    if (from) await lockPayer(tx, from)
    const locked = await lockCheckout(tx, checkoutId)
    if (!locked) return undefined
    const rows = ids.map((id) => ({ id, checkoutId, payer: from ?? null, declinedAt: now }))
    const fresh = rows.length
      ? await tx.insert(cardDecline).values(rows).onConflictDoNothing().returning({ id: cardDecline.id })
      : []
    const closure = await cardClosure({ ...shop, db: tx }, locked, from)
    if (fresh.length === 0 || !closure) return closure
    shop.log.warn({ checkout: checkoutId, closure }, 'too many cards were declined: card payment is closed')
    for (const one of closure === 'address' && from ? await listTried(tx, from, now) : [locked]) {
      if (one.state !== 'open' || one.provider !== 'stripe' || !one.providerPaymentId) continue
      await shop.jobs.enqueue(tx, 'cancel-intent', { intentId: one.providerPaymentId })
      await clearIntent(tx, one.id)
    }
    return closure
  })
}

/** The same for a payment that is known by its intent. @returns undefined when it is none of ours, too */
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

/** The checkouts of an address at which a card was declined within the hour: whoever had none goes on. */
const listTried = (tx: Tx, payer: Payer, now: Date): Promise<StoredCheckout[]> =>
  tx.select().from(checkout).where(sql`${checkout.state} = 'open' and ${checkout.id} in (
    select ${cardDecline.checkoutId} from ${cardDecline}
    where ${cardDecline.payer} = ${payer} and ${cardDecline.declinedAt} > ${after(now, -HOUR_MS)}::timestamptz)`)

/** Counts that no limit looks at any more; a decline counts as long as its checkout can be open. */
const RETENTION_MS = 7 * DAY_MS

/** Forgets what is over. */
export async function deleteOldStarts(tx: Tx, now: Date): Promise<void> {
  const before = sql`${after(now, -RETENTION_MS)}::timestamptz`
  await tx.delete(paymentStart).where(sql`${paymentStart.startedAt} < ${before}`)
  await tx.delete(cardDecline).where(sql`${cardDecline.declinedAt} < ${before}`)
}

/** The browser tells that the bank has said no: the provider is asked what it knows of it, as anybody could tell anything. */
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
