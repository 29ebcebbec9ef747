import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import type { LineToAdd } from '#contract/cart.ts'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { CartLineId, SessionId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { FreshSession } from '#server/http/context.ts'
import { session } from '#server/accounts/schema.ts'
import { cartLine } from '#server/cart/schema.ts'
import { product, variant } from '#server/catalog/schema.ts'

/** The picture in the variant's color, otherwise the product's first. */
const picture = sql<{ file: string; widths: number[] } | null>`(
  select json_build_object('file', p.file, 'widths', p.widths)
  from product_picture p where p.product_id = ${product.id}
  order by (p.color is not distinct from ${variant.color}) desc, p.position limit 1)`

export type StoredLine = Awaited<ReturnType<typeof listStored>>[number]

/** Lines in the order they were added. */
export const listStored = (db: Reader, sessionId: SessionId, lineId?: CartLineId) =>
  db
    .select({
      id: cartLine.id,
      productId: variant.productId,
      variantId: cartLine.variantId,
      productName: product.name,
      color: variant.color,
      size: variant.size,
      unitPrice: variant.unitPrice,
      unitPriceWhenAdded: cartLine.unitPriceWhenAdded,
      quantity: cartLine.quantity,
      available: sql<boolean>`${variant.availability} = 'active' and ${variant.goneAt} is null and ${product.visible}`,
      picture,
    })
    .from(cartLine)
    .innerJoin(variant, eq(variant.id, cartLine.variantId))
    .innerJoin(product, eq(product.id, variant.productId))
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

/** The condition for selling product `p` with variant `v`; variant null means the product's only variant. */
const isBuyable = ({ productId, variantId }: LineToAdd): SQL => sql`
  p.id = ${productId}::bigint and p.visible and v.product_id = p.id and v.gone_at is null and v.availability = 'active'
  and v.id = coalesce(${variantId}::bigint, (
    select min(o.id) from variant o where o.product_id = ${productId}::bigint and o.gone_at is null having count(*) = 1))`

/**
 * Adds a line to a session's cart at today's price, or raises its quantity. One statement: this is the shop's busiest write.
 * @param session the row of a new session is inserted with its first line
 * @returns undefined, with nothing written, when the variant is not for sale or the cart is full
 */
export async function upsertLine(
  tx: Tx,
  session: SessionId | FreshSession,
  line: LineToAdd,
): Promise<StoredLine | undefined> {
  const isNew = typeof session === 'object'
  const sessionId = isNew ? session.id : session
  const newSession = isNew
    ? sql`new_session as (
      insert into session (id, created_at, seen_at) select ${sessionId}, ${session.createdAt}::timestamptz, ${session.seenAt}::timestamptz from sold),`
    : sql``
  const { rows } = await tx.execute<{ line: StoredLine }>(sql`
    with sold as (
      select v.id, v.product_id, v.color, v.size, v.unit_price_cents, p.name
      from product p, variant v
      where ${isBuyable(line)} and (
        select count(*) from cart_line c where c.session_id = ${sessionId} and c.variant_id <> v.id) < ${LINES_MAX}),
    ${newSession}
    line as (
      insert into cart_line as held (session_id, variant_id, quantity, unit_price_when_added_cents)
      select ${sessionId}, id, ${line.quantity}::smallint, unit_price_cents from sold
      on conflict (session_id, variant_id) do update
        set quantity = least(held.quantity + excluded.quantity, ${QUANTITY_MAX}), unit_price_when_added_cents = excluded.unit_price_when_added_cents
      returning id, variant_id, quantity)
    select json_build_object(
      'id', line.id, 'productId', sold.product_id, 'variantId', sold.id, 'productName', sold.name,
      'color', sold.color, 'size', sold.size, 'unitPrice', sold.unit_price_cents,
      'unitPriceWhenAdded', sold.unit_price_cents,
      'quantity', line.quantity, 'available', true, 'picture', (
        select json_build_object('file', f.file, 'widths', f.widths) from product_picture f
        where f.product_id = sold.product_id
        order by (f.color is not distinct from sold.color) desc, f.position limit 1)) as line
    from line join sold on sold.id = line.variant_id`)
  return rows[0]?.line
}

/** Adds a variant or raises its quantity. @param unitPrice as the shopper last saw it @returns the line's id */
export async function raiseLine(
  tx: Tx,
  sessionId: SessionId,
  variantId: VariantId,
  quantity: number,
  unitPrice: Cents,
): Promise<CartLineId> {
  const [line] = await tx
    .insert(cartLine)
    .values({ sessionId, variantId, quantity, unitPriceWhenAdded: unitPrice })
    .onConflictDoUpdate({
      target: [cartLine.sessionId, cartLine.variantId],
      set: {
        quantity: sql`least(${cartLine.quantity} + excluded.quantity, ${QUANTITY_MAX})`,
        unitPriceWhenAdded: sql`excluded.unit_price_when_added_cents`,
      },
    })
    .returning({ id: cartLine.id })
  if (!line) throw new Error('an upsert without a row')
  return line.id
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

/** @returns whether the session had the line */
export async function deleteLine(tx: Tx, sessionId: SessionId, lineId: CartLineId): Promise<boolean> {
  const deleted = await tx.delete(cartLine).where(ownLine(sessionId, lineId)).returning({ id: cartLine.id })
  return deleted.length > 0
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

export const hasSession = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await tx.$count(session, eq(session.id, sessionId))) > 0
