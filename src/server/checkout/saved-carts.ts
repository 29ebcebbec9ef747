import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import { savedCartPath } from '#contract/saved-carts.ts'
import type { Language } from '#shared/language.ts'
import type { SessionId } from '#shared/ids.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { cartToSave, putSavedLines } from '#server/cart/cart.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { autocommitWrite, type Reader, type Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { cartReminderMail } from '#server/mail/templates/cart-reminder.ts'
import type { Needs } from '#server/shop.ts'
import { applyCode, namesOfCodes, type Cart } from './codes.ts'
import { savedCart, type SavedLine } from './schema.ts'

/** How long a saved cart can be opened. */
const SAVED_CART_DAYS = 30
/** A cart that nobody has touched the buy button of for this long is asked after. */
const REMINDED_AFTER_MS = DAY_MS
const REMINDERS_AT_ONCE = 200

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const newToken = (): string => randomBytes(24).toString('base64url')

const contentOf = async (db: Reader, sessionId: SessionId): Promise<{ lines: SavedLine[]; codes: string[] }> => ({
  lines: await cartToSave(db, sessionId),
  codes: await namesOfCodes(db, sessionId),
})

/** Saves a session's cart as it is now. @returns the token of its link @throws Refusal `cart_empty` */
export async function saveCart(
  { db, clock }: Needs<'db' | 'clock'>,
  sessionId: SessionId | undefined,
): Promise<string> {
  const content = sessionId && (await contentOf(db, sessionId))
  if (!content || content.lines.length === 0) throw new Refusal('cart_empty')
  const token = newToken()
  const row = { ...content, tokenHash: hashOf(token), createdAt: clock.now() }
  await autocommitWrite(db, (tx) => tx.insert(savedCart).values(row))
  return token
}

async function requireSaved({ db, clock }: Needs<'db' | 'clock'>, token: string) {
  const [found] = await db
    .select()
    .from(savedCart)
    .where(
      and(
        eq(savedCart.tokenHash, hashOf(token)),
        gt(savedCart.createdAt, after(clock.now(), -SAVED_CART_DAYS * DAY_MS)),
      ),
    )
  if (!found) throw new Refusal('unknown_saved_cart')
  return found
}

/** @throws Refusal `unknown_saved_cart`, also when it is too old */
export async function showSavedCart(shop: Needs<'db' | 'clock'>, token: string): Promise<{ pieces: number }> {
  const { lines } = await requireSaved(shop, token)
  return { pieces: lines.reduce((pieces, { quantity }) => pieces + quantity, 0) }
}

/**
 * Puts a saved cart into a session's: what is there already is not added again, and nothing is taken out. Codes that no longer work are left
 * out.
 * @returns whether all of its lines are still sold
 * @throws Refusal `unknown_saved_cart`
 */
export async function restoreCart(
  shop: Needs<'db' | 'clock'>,
  cart: Cart,
  token: string,
): Promise<{ isWhole: boolean }> {
  const { lines, codes } = await requireSaved(shop, token)
  const sessionId = await cart.ensureSession()
  const isWhole = await shop.db.transaction((tx) => putSavedLines(tx, sessionId, lines, shop.clock.now()))
  for (const code of codes)
    try {
      await applyCode(shop, cart, code)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  return { isWhole }
}

/**
 * Remembers that a shopper wants one email about this cart. Asking again changes nothing but the address, until it is sent.
 * @throws Refusal `cart_empty`
 */
export async function remindOfCart(
  { db, clock }: Needs<'db' | 'clock'>,
  sessionId: SessionId | undefined,
  email: string,
  language: Language,
): Promise<void> {
  if (!sessionId || (await cartToSave(db, sessionId)).length === 0) throw new Refusal('cart_empty')
  const now = clock.now()
  const row = { sessionId, email: email.toLowerCase(), language, lines: [], codes: [], createdAt: now }
  await autocommitWrite(db, (tx) =>
    tx
      .insert(savedCart)
      .values({ ...row, remindAt: after(now, REMINDED_AFTER_MS) })
      .onConflictDoUpdate({
        target: savedCart.sessionId,
        set: { email: row.email, language },
        setWhere: isNull(savedCart.remindedAt),
      }),
  )
}

/** Sends the reminders that are due, and deletes what is too old. A cart that was bought or emptied is not asked after. */
export async function remindCarts(shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<void> {
  const { db, clock } = shop
  const now = clock.now()
  await db.transaction(async (tx) => {
    await tx.delete(savedCart).where(lt(savedCart.createdAt, after(now, -SAVED_CART_DAYS * DAY_MS)))
    const due = await tx
      .select()
      .from(savedCart)
      .where(and(lte(savedCart.remindAt, now), isNull(savedCart.remindedAt)))
      .limit(REMINDERS_AT_ONCE)
      .for('update')
    for (const row of due) await remind(shop, tx, row, now)
  })
}

async function remind(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  { id, email, sessionId, language }: typeof savedCart.$inferSelect,
  now: Date,
): Promise<void> {
  const content = sessionId && (await contentOf(tx, sessionId))
  const wasAsked = await tx.$count(savedCart, and(eq(savedCart.email, email ?? ''), isNotNull(savedCart.remindedAt)))
  if (!content || content.lines.length === 0 || wasAsked > 0 || email === null)
    return void (await tx.delete(savedCart).where(eq(savedCart.id, id)))
  await tx
    .update(savedCart)
    .set({ ...content, remindedAt: now })
    .where(eq(savedCart.id, id))
  const pieces = content.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const link = baseUrlOf(shop.config) + savedCartPath(LINK_TOKEN)
  const mail = { kind: 'cart_reminder' as const, about: String(id), recipient: { email, name: '' }, orderId: null }
  const written = writtenIn(language, () => cartReminderMail({ link, pieces, days: SAVED_CART_DAYS }))
  await mailLater(shop, tx, { ...mail, ...written }, now)
}

/** Creates the token of a reminder's link. @param about the email's: the saved cart's id */
export async function openSavedCart({ db }: Needs<'db'>, about: string): Promise<string> {
  const token = newToken()
  await db.transaction((tx) =>
    tx
      .update(savedCart)
      .set({ tokenHash: hashOf(token) })
      .where(eq(savedCart.id, Number(about))),
  )
  return token
}

/** A session's reminder follows its cart to a new session. */
export async function moveCartReminder(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await tx.update(savedCart).set({ sessionId: to }).where(eq(savedCart.sessionId, from))
}
