import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { OrderKey, TrackedOrder } from '#contract/orders.ts'
import { readOrderNumber, type OrderId, type OrderNumber, type UserId } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import { emailOf } from '#server/accounts/accounts.ts'
import { autocommitWrite } from '#server/db/db.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import type { Order } from './orders.ts'
import {
  addLink,
  addViewer,
  findOrderByNumber,
  findOrderOfLink,
  findOrderOfPayer,
  findOrderOfSession,
} from './store.ts'

/** How long the link of a mail opens the order's page; after that a new one is mailed. */
const LINK_LIFE_MS = 90 * DAY_MS
/** How long a session may look at an order that it found by number and email. */
const VIEWING_MS = 2 * HOUR_MS

type AccessNeeds = Needs<'db' | 'clock'>

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const hashOf = (token: string): string => digestOf(token).toString('hex')

/** A new link to an order's page. @returns its token, which is kept nowhere but in the mail */
export async function openLink({ db, clock }: AccessNeeds, orderId: OrderId): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const now = clock.now()
  await autocommitWrite(db, (tx) =>
    addLink(tx, { tokenHash: hashOf(token), orderId, createdAt: now, expiresAt: after(now, LINK_LIFE_MS) }),
  )
  return token
}

/** `mayCorrect`: came by the link of a mail, or has paid in this browser; a number with its email opens the page to read only. */
export type OrderAccess = { order: Order; isPayer: boolean; mayCorrect: boolean }

/**
 * The order that whoever asks may see.
 * @throws Refusal `link_expired` for a link that was right once
 * @throws Refusal `order_not_shown` in every other case, whether such an order exists or not
 */
export async function authorizeOrderAccess(
  shop: AccessNeeds,
  context: Pick<Context, 'session'>,
  key: OrderKey,
): Promise<OrderAccess> {
  const session = await context.session()
  const order = await findByKey(shop, session, key)
  if (!order) throw new Refusal('order_not_shown')
  const isPayer = order.sessionId === session?.id
  return { order, isPayer, mayCorrect: isPayer || key.token !== undefined }
}

async function findByKey(
  { db, clock }: AccessNeeds,
  session: Awaited<ReturnType<Context['session']>>,
  { token, session_id: paymentId, order: typed }: OrderKey,
): Promise<Order | undefined> {
  if (token !== undefined) {
    const link = await findOrderOfLink(db, hashOf(token))
    if (link && link.expiresAt <= clock.now()) throw new Refusal('link_expired')
    return link?.order
  }
  if (!session) return undefined
  if (paymentId !== undefined) return findOrderOfPayer(db, paymentId, session.id)
  const number = typed === undefined ? undefined : readOrderNumber(typed)
  if (!number) return undefined
  const found = await findOrderOfSession(db, number, session.id, clock.now())
  if (found || !session.user) return found
  // Whoever has proven that they read the order's mail may see what its link shows.
  const email = await emailOf({ db }, session.user.id as UserId)
  const ordered = email === null ? undefined : await findOrderByNumber(db, number)
  return ordered && normalizeEmail(ordered.customerEmail) === email ? ordered : undefined
}

/** The order of a link, expired or not: who has an old one may have a new one mailed to the order's own address. */
export const findOrderOfToken = async ({ db }: Needs<'db'>, token: string): Promise<Order | undefined> =>
  (await findOrderOfLink(db, hashOf(token)))?.order

/** No number has an I, so there is no such order: looked up where what was typed is no number. */
const NO_NUMBER = 'IIII-IIII' as OrderNumber

/**
 * Finds an order by its number and email, and lets the session see it for a while. A wrong number costs the same look-up and
 * comparison as a wrong email, and gets the same answer.
 * @throws Refusal `unknown_order`
 */
export async function trackOrder(
  { db, clock }: AccessNeeds,
  context: Pick<Context, 'ensureSession'>,
  { orderNumber, email }: TrackedOrder,
): Promise<OrderNumber> {
  const order = await findOrderByNumber(db, readOrderNumber(orderNumber) ?? NO_NUMBER)
  const isTheirs = timingSafeEqual(
    digestOf(normalizeEmail(email)),
    digestOf(normalizeEmail(order?.customerEmail ?? '')),
  )
  if (!order || !isTheirs) throw new Refusal('unknown_order')
  const sessionId = await context.ensureSession()
  await autocommitWrite(db, (tx) =>
    addViewer(tx, { sessionId, orderId: order.id, until: after(clock.now(), VIEWING_MS) }),
  )
  return order.orderNumber
}

const normalizeEmail = (email: string): string => email.trim().toLowerCase()
