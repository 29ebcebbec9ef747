import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Address } from '#domain/checkout/address.ts'
import { withRecipientName } from '#domain/orders/gift.ts'
import type { FreeOrderKind } from '#domain/orders/kind.ts'
import { piecesLeft } from '#domain/orders/replacement.ts'
import type { Pieces } from '#domain/payments/returns.ts'
import { assert } from '#shared/assert.ts'
import { orderNumberFrom, type SessionId } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'
import { ZERO } from '#shared/money.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { listOrderLines, type Order, type OrderLine } from './orders.ts'
import { orderLine, shopOrder } from './schema.ts'

export type Recipient = {
  email: string
  name: string
  phone: string | null
  /** CPF or CNPJ, for parcels to Brazil. */
  taxNumber: string | null
  address: Address
  language: Language
}

type FreeLine = Pick<
  OrderLine,
  'productId' | 'variantId' | 'productName' | 'variantName' | 'imageUrl' | 'collection' | 'quantity'
> &
  Partial<Pick<OrderLine, 'replacesPosition'>>

type FreeOrder = {
  kind: FreeOrderKind
  /** Only of a replacement. */
  replaced?: Order
  recipient: Recipient
  lines: readonly FreeLine[]
  /** A UUID: the same one makes no second order. */
  requestKey: string
}

const NO_SESSION = '' as SessionId

/**
 * Creates an order without a payment. Its lines have no price, so no sum of sales includes it; its cost has its own ledger account.
 * Submit and announce it in the same transaction, as `placeFreeOrder` does.
 * @returns `isNew` false when the request had made one before
 */
export async function createFreeOrder(
  tx: Tx,
  { kind, replaced, recipient, lines, requestKey }: FreeOrder,
  now: Date,
): Promise<{ order: Order; lines: OrderLine[]; isNew: boolean }> {
  const orderNumber = orderNumberFrom(randomBytes(8))
  const [order] = await tx
    .insert(shopOrder)
    .values({
      kind,
      requestKey,
      orderNumber,
      externalId: orderNumber,
      replacesId: replaced?.id ?? null,
      sessionId: replaced?.sessionId ?? NO_SESSION,
      paymentStatus: 'no_charge',
      fulfillmentStatus: 'waiting',
      subtotalCents: ZERO,
      shippingCents: ZERO,
      taxCents: ZERO,
      vatProtectionCents: ZERO,
      totalCents: ZERO,
      customerEmail: recipient.email,
      customerName: recipient.name,
      // A gift's replacement is the same gift.
      ...(replaced && { customerName: replaced.customerName, texts: replaced.texts }),
      ...(replaced && withRecipientName(replaced, recipient.name)),
      customerPhone: recipient.phone,
      language: recipient.language,
      taxNumber: recipient.taxNumber,
      shippingAddress: recipient.address,
      collection: lines[0]?.collection ?? '',
      taxReport: 'not_reported',
      changeableUntil: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: shopOrder.requestKey })
    .returning()
  if (!order) {
    const made = await findByRequest(tx, requestKey)
    assert(made, 'a request whose order cannot be read')
    return { order: made, lines: await listOrderLines(tx, made.id), isNew: false }
  }
  const rows = lines.map((line, position) => ({ ...line, orderId: order.id, position, unitPrice: ZERO }))
  const made = await tx.insert(orderLine).values(rows).returning()
  return { order, lines: made.toSorted((a, b) => a.position - b.position), isNew: true }
}

export const findByRequest = async (db: Reader, requestKey: string): Promise<Order | undefined> =>
  (await db.select().from(shopOrder).where(eq(shopOrder.requestKey, requestKey)))[0]

/** Two forms for the same order, one after the other. */
const SAME_FOR_MS = 10 * MINUTE_MS

/** The same sample or gift to the same person, ordered from another form a moment ago. Others wait until the transaction ends. */
export async function findSameFreeOrder(
  tx: Tx,
  { kind, recipient, lines }: Pick<FreeOrder, 'kind' | 'recipient' | 'lines'>,
  now: Date,
): Promise<Order | undefined> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('free order', 0))`)
  const recent = await tx
    .select()
    .from(shopOrder)
    .where(
      and(
        eq(shopOrder.kind, kind),
        eq(shopOrder.customerEmail, recipient.email),
        gt(shopOrder.createdAt, after(now, -SAME_FOR_MS)),
        ne(shopOrder.fulfillmentStatus, 'cancelled'),
      ),
    )
  const piecesOf = (all: readonly Pick<FreeLine, 'variantId' | 'quantity'>[]) =>
    all.map(({ variantId, quantity }) => [variantId, quantity])
  for (const order of recent)
    if (
      order.customerName === recipient.name &&
      isDeepStrictEqual(order.shippingAddress, recipient.address) &&
      isDeepStrictEqual(piecesOf(await listOrderLines(tx, order.id)), piecesOf(lines))
    )
      return order
  return undefined
}

/** An order's replacements, oldest first. */
export const listReplacements = (db: Reader, { id }: Pick<Order, 'id'>): Promise<Order[]> =>
  db.select().from(shopOrder).where(eq(shopOrder.replacesId, id)).orderBy(asc(shopOrder.id))

/** How many pieces of each line have no replacement; a canceled one does not count. */
export async function listReplaceable(db: Reader, { id }: Pick<Order, 'id'>): Promise<Pieces> {
  const replaced = await db
    .select({ position: orderLine.replacesPosition, quantity: orderLine.quantity })
    .from(orderLine)
    .innerJoin(shopOrder, eq(shopOrder.id, orderLine.orderId))
    .where(and(eq(shopOrder.replacesId, id), ne(shopOrder.fulfillmentStatus, 'cancelled')))
  return piecesLeft(
    await listOrderLines(db, id),
    replaced.flatMap(({ position, quantity }) => (position === null ? [] : [{ position, quantity }])),
  )
}
