import { and, asc, countDistinct, eq, gte, inArray, sql, type SQL } from 'drizzle-orm'
import type { LineToAdd } from '#contract/cart.ts'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { CartLineId, ProductId, SessionId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { FreshSession } from '#server/http/context.ts'
import { insertSession } from '#server/accounts/session-rows.ts'
import { cartLine } from '#server/cart/schema.ts'
import { variantAsSold } from '#server/catalog/variant-as-sold.ts'

export type StoredLine = Awaited<ReturnType<typeof listStored>>[number]
/** With whether it is new in the cart, and the first. */
export type AddedLine = StoredLine & { isNew: boolean; isFirst: boolean }

/** Whether its product has another variant for sale. */
const hasOtherVariants = (variantId: SQL, productId: SQL): SQL<boolean> => sql<boolean>`exists (
  select from variant_as_sold o where o.product_id = ${productId} and o.id <> ${variantId} and o.available)`

/** Lines in the order they were added. */
export const listStored = (db: Reader, sessionId: SessionId, lineId?: CartLineId) =>
  db
    .select({
      id: cartLine.id,
      productId: variantAsSold.productId,
      variantId: cartLine.variantId,
      productName: variantAsSold.productName,
      color: variantAsSold.color,
      size: variantAsSold.size,
      unitPrice: variantAsSold.unitPrice,
      unitPriceWhenAdded: cartLine.unitPriceWhenAdded,
      quantity: cartLine.quantity,
      available: variantAsSold.available,
      hasOtherVariants: hasOtherVariants(sql`${variantAsSold.id}`, sql`${variantAsSold.productId}`),
      picture: variantAsSold.picture,
    })
    .from(cartLine)
    .innerJoin(variantAsSold, eq(variantAsSold.id, cartLine.variantId))
    .where(and(eq(cartLine.sessionId, sessionId), lineId === undefined ? undefined : eq(cartLine.id, lineId)))
    .orderBy(asc(cartLine.id))
    .limit(LINES_MAX)

export const listRequestedVariants = (db: Reader, sessionId: SessionId) =>
  db
    .select({ variantId: cartLine.variantId, quantity: cartLine.quantity })
    .from(cartLine)
    .where(eq(cartLine.sessionId, sessionId))
    .orderBy(asc(cartLine.id))
    .limit(LINES_MAX)

/** Whether `v` is the requested variant; null requests the product's only variant. */
const isRequested = ({ productId, variantId }: LineToAdd): SQL => sql`
  v.product_id = ${productId}::bigint and v.id = coalesce(${variantId}::bigint, (
    select min(o.id) from ${variantAsSold} o
    where o.product_id = ${productId}::bigint and o.gone_at is null having count(*) = 1))`

/**
 * Adds a line to a session's cart at today's price, or raises its quantity. One statement: this is the shop's busiest write.
 * @param session the row of a new session is inserted with its first line
 * @returns undefined, with nothing written, when the variant is not for sale or the cart is full
 */
export async function upsertLine(
  tx: Tx,
  session: SessionId | FreshSession,
  line: LineToAdd,
  now: Date,
): Promise<AddedLine | undefined> {
  const isNew = typeof session === 'object'
  const sessionId = isNew ? session.id : session
  const newSession = isNew ? sql`new_session as (${insertSession(session, sql`sold`)}),` : sql``
  const { rows } = await tx.execute<{ line: AddedLine }>(sql`
    with sold as (
      select v.*, others.lines as other_lines from ${variantAsSold} v
      cross join lateral (
        select count(*) as lines from cart_line c where c.session_id = ${sessionId} and c.variant_id <> v.id) others
      where v.available and ${isRequested(line)} and others.lines < ${LINES_MAX}),
    ${newSession}
    line as (
      insert into cart_line as held (session_id, variant_id, quantity, unit_price_when_added_cents, created_at)
      select ${sessionId}, id, ${line.quantity}::smallint, unit_price_cents, ${now}::timestamptz from sold
      on conflict (session_id, variant_id) do update
        set quantity = least(held.quantity + excluded.quantity, ${QUANTITY_MAX}), unit_price_when_added_cents = excluded.unit_price_when_added_cents
      returning id, variant_id, quantity, held.xmax = 0 as is_new)
    select json_build_object(
      'id', line.id, 'productId', sold.product_id, 'variantId', sold.id, 'productName', sold.product_name,
      'color', sold.color, 'size', sold.size, 'unitPrice', sold.unit_price_cents,
      'unitPriceWhenAdded', sold.unit_price_cents,
      'quantity', line.quantity, 'available', true, 'picture', sold.picture,
      'hasOtherVariants', ${hasOtherVariants(sql`sold.id`, sql`sold.product_id`)},
      'isNew', line.is_new, 'isFirst', line.is_new and sold.other_lines = 0) as line
    from line join sold on sold.id = line.variant_id`)
  return rows[0]?.line
}

/**
 * Adds a variant or raises its quantity.
 * @param line `unitPrice` as the shopper last saw it; `id` of a new line, otherwise the next one
 * @param now when a new line was added
 * @returns the line's id
 */
export async function raiseLine(
  tx: Tx,
  sessionId: SessionId,
  line: { id?: CartLineId; variantId: VariantId; quantity: number; unitPrice: Cents },
  now: Date,
): Promise<CartLineId> {
  const { id, variantId, quantity, unitPrice } = line
  const [raised] = await tx
    .insert(cartLine)
    .values({ id, sessionId, variantId, quantity, unitPriceWhenAdded: unitPrice, createdAt: now })
    .onConflictDoUpdate({
      target: [cartLine.sessionId, cartLine.variantId],
      set: {
        quantity: sql`least(${cartLine.quantity} + excluded.quantity, ${QUANTITY_MAX})`,
        unitPriceWhenAdded: sql`excluded.unit_price_when_added_cents`,
      },
    })
    .returning({ id: cartLine.id })
  if (!raised) throw new Error('an upsert without a row')
  return raised.id
}

/** Locks a session's lines, in one order. */
export async function lockLines(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx
    .select({ id: cartLine.id })
    .from(cartLine)
    .where(eq(cartLine.sessionId, sessionId))
    .orderBy(asc(cartLine.id))
    .for('update')
}

/** @returns whether the session has the line */
export async function setQuantity(
  tx: Tx,
  sessionId: SessionId,
  lineId: CartLineId,
  quantity: number,
): Promise<boolean> {
  const changed = await tx
    .update(cartLine)
    .set({ quantity })
    .where(ownLine(sessionId, lineId))
    .returning({ id: cartLine.id })
  return changed.length > 0
}

/** @returns what the line held; undefined if the session has no such line */
export async function deleteLine(
  tx: Tx,
  sessionId: SessionId,
  lineId: CartLineId,
): Promise<{ quantity: number; createdAt: Date } | undefined> {
  const [deleted] = await tx
    .delete(cartLine)
    .where(ownLine(sessionId, lineId))
    .returning({ quantity: cartLine.quantity, createdAt: cartLine.createdAt })
  return deleted
}

export const deleteLines = (tx: Tx, sessionId: SessionId) =>
  tx.delete(cartLine).where(eq(cartLine.sessionId, sessionId))

/** Takes bought quantities out of a cart; anything added since stays. */
export async function removePieces(
  tx: Tx,
  sessionId: SessionId,
  bought: readonly { variantId: VariantId; quantity: number }[],
): Promise<void> {
  // One entry per variant: a statement can update a row only once.
  const pieces = new Map<VariantId, number>()
  for (const { variantId, quantity } of bought) pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity)
  await tx.execute(sql`
    with bought as (
      select * from unnest(${sql.param([...pieces.keys()])}::bigint[], ${sql.param([...pieces.values()])}::int[])
        as b(variant_id, pieces)),
    taken as (
      delete from cart_line c using bought b
      where c.session_id = ${sessionId} and c.variant_id = b.variant_id and c.quantity <= b.pieces)
    update cart_line c set quantity = c.quantity - b.pieces from bought b
    where c.session_id = ${sessionId} and c.variant_id = b.variant_id and c.quantity > b.pieces`)
}

/** A line's id alone grants no access: every query names the session too. */
const ownLine = (sessionId: SessionId, lineId: CartLineId) =>
  and(eq(cartLine.id, lineId), eq(cartLine.sessionId, sessionId))

export const moveLines = (tx: Tx, from: SessionId, to: SessionId) =>
  tx.update(cartLine).set({ sessionId: to }).where(eq(cartLine.sessionId, from))

/** Carts into which one of these products was put since a moment. */
export async function countCarts(db: Reader, products: readonly ProductId[], since: Date): Promise<number> {
  const [row] = await db
    .select({ carts: countDistinct(cartLine.sessionId) })
    .from(cartLine)
    .innerJoin(variantAsSold, eq(variantAsSold.id, cartLine.variantId))
    .where(and(gte(cartLine.createdAt, since), inArray(variantAsSold.productId, [...products])))
  return row?.carts ?? 0
}
