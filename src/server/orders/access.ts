import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { OrderKey, TrackedOrder } from '#contract/orders.ts'
import { readOrderNumber, type OrderId, type OrderNumber, type SessionId } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import { emailOf } from '#server/accounts/accounts.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { findOrderByNumber, type Order } from './orders.ts'
import { orderAccess, orderViewer } from './schema.ts'
import {
  addLink,
  addViewer,
  addVisit,
  findOrderOfLink,
  findOrderOfPayer,
  findOrderOfSession,
  moveOrders,
  removeViewer,
} from './store.ts'

/** How long an emailed link opens the order page; after that, a new one can be requested. */
const LINK_LIFE_MS = 90 * DAY_MS
/** How long a session can see an order that it found by number and email. */
const VIEWING_MS = 2 * HOUR_MS

type AccessNeeds = Needs<'db' | 'clock'>

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const hashOf = (token: string): string => digestOf(token).toString('hex')

/** Creates a link to an order's page. @returns its token; only a hash of it is stored */
export async function openLink({ db, clock }: AccessNeeds, orderId: OrderId): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const now = clock.now()
  await autocommitWrite(db, (tx) =>
    addLink(tx, { tokenHash: hashOf(token), orderId, createdAt: now, expiresAt: after(now, LINK_LIFE_MS) }),
  )
  return token
}

/** Notes the hour in which a link opened an order's page: evidence for a bank, and nothing about who it was. */
export async function recordVisit({ db, clock }: AccessNeeds, orderId: OrderId): Promise<void> {
  const hour = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS)
  await autocommitWrite(db, (tx) => addVisit(tx, { orderId, hour }))
}

/** Revokes access by emailed link and by number and email. The session that paid keeps its access. */
export async function revokeOrderAccess(tx: Tx, orderId: OrderId): Promise<void> {
  await tx.delete(orderAccess).where(eq(orderAccess.orderId, orderId))
  await tx.delete(orderViewer).where(eq(orderViewer.orderId, orderId))
}

/** `mayCorrect`: opened an emailed link, or paid in this browser. A lookup by number and email can only read. */
export type OrderAccess = { order: Order; isPayer: boolean; mayCorrect: boolean }

/**
 * The order that this key opens for this session.
 * @throws Refusal `link_expired` for a link that was valid once
 * @throws Refusal `order_not_shown` in every other case, whether or not the order exists
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

/**
 * The same for what is not shown to somebody who only knows number and email, such as corrections, claims and messages.
 * @throws Refusal `link_expired`, `order_not_shown` as above, also once the customer was erased
 */
export async function authorizeOrderCustomer(
  shop: AccessNeeds,
  context: Pick<Context, 'session'>,
  { token, session_id, order }: OrderKey,
): Promise<OrderAccess> {
  const access = await authorizeOrderAccess(shop, context, { token, session_id, order })
  if (!access.mayCorrect || access.order.erasedAt) throw new Refusal('order_not_shown')
  return access
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
  // A user with the order's email confirmed could open the emailed link anyway.
  const email = await emailOf({ db }, session.user.id)
  const order = email === null ? undefined : await findOrderByNumber(db, number)
  return order && normalizeEmail(order.customerEmail) === email ? order : undefined
}

/** The order of a link, expired or not: an expired link can be renewed, which emails a new one to the order's address. */
export const findOrderOfToken = async ({ db }: Needs<'db'>, token: string): Promise<Order | undefined> =>
  (await findOrderOfLink(db, hashOf(token)))?.order

/** Looked up when the typed number is invalid. Order numbers contain no I, so it never exists. */
const NO_NUMBER = 'IIII-IIII' as OrderNumber

/**
 * Finds an order by its number and email, and lets the session see it for two hours. A wrong number takes the same time and gets
 * the same answer as a wrong email.
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

/** The new session may see what the old one paid. */
export async function movePaidOrders(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await moveOrders(tx, from, to)
}

/** Ends the access that a session got by number and email. */
export async function endOrderViews(tx: Tx, sessionId: SessionId): Promise<void> {
  await removeViewer(tx, sessionId)
}
