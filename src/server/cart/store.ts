import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import type { LineToAdd } from '#contract/cart.ts'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { CartLineId, SessionId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { FreshSession } from '#server/http/context.ts'
import { cartLine, product, session, variant } from '#server/db/schema.ts'

/** The picture of the variant's own color, else the product's first. */
const picture = sql<{ file: string; widths: number[] } | null>`(
  select json_build_object('file', p.file, 'widths', p.widths)
  from product_picture p where p.product_id = ${product.id}
  order by (p.color is not distinct from ${variant.color}) desc, p.position limit 1)`

export type StoredLine = Awaited<ReturnType<typeof listStored>>[number]

/** A session's lines in the order in which they were added. */
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

/** What is in a cart, in the order in which it was added. */
export const listRequestedVariants = (db: Reader, sessionId: SessionId) =>
  db
    .select({ variantId: cartLine.variantId, quantity: cartLine.quantity })
    .from(cartLine)
    .where(eq(cartLine.sessionId, sessionId))
    .orderBy(asc(cartLine.id))
    .limit(LINES_MAX)

/** What has to be true of a product `p` and its variant `v` for somebody to buy it; without a variant it is the product's only one. */
const isBuyable = (productId: SQL, variantId: SQL): SQL => sql`
  p.id = ${productId} and p.visible and v.product_id = p.id and v.gone_at is null and v.availability = 'active'
  and v.id = coalesce(${variantId}, (
    select min(o.id) from variant o where o.product_id = ${productId} and o.gone_at is null having count(*) = 1))`

/** A row of `line` as it was just put in, of what `sold` found. */
const upsertedLine = sql`json_build_object(
  'id', line.id, 'productId', sold.product_id, 'variantId', sold.id, 'productName', sold.name,
  'color', sold.color, 'size', sold.size, 'unitPrice', sold.unit_price_cents,
  'unitPriceWhenAdded', sold.unit_price_cents,
  'quantity', line.quantity, 'available', true, 'picture', (
    select json_build_object('file', f.file, 'widths', f.widths) from product_picture f
    where f.product_id = sold.product_id
    order by (f.color is not distinct from sold.color) desc, f.position limit 1))`

/**
 * Puts something that is sold into a session's cart, at today's price.
 * @returns the line; undefined when nothing was written: the variant is not sold, or the cart is full
 */
export async function upsertLine(
  tx: Tx,
  sessionId: SessionId,
  { productId, variantId, quantity }: LineToAdd,
): Promise<StoredLine | undefined> {
  const { rows } = await tx.execute<{ line: StoredLine }>(sql`
    with sold as (
      select v.id, v.product_id, v.color, v.size, v.unit_price_cents, p.name
      from product p, variant v
      where ${isBuyable(sql`${productId}::bigint`, sql`${variantId}::bigint`)} and (
        select count(*) from cart_line c where c.session_id = ${sessionId} and c.variant_id <> v.id) < ${LINES_MAX}),
    line as (
      insert into cart_line as held (session_id, variant_id, quantity, unit_price_when_added_cents)
      select ${sessionId}, id, ${quantity}::smallint, unit_price_cents from sold
      on conflict (session_id, variant_id) do update
        set quantity = least(held.quantity + excluded.quantity, ${QUANTITY_MAX}), unit_price_when_added_cents = excluded.unit_price_when_added_cents
      returning id, variant_id, quantity)
    select ${upsertedLine} as line from line join sold on sold.id = line.variant_id`)
  return rows[0]?.line
}

/** What somebody wants who has no session yet, and the session that begins with it. */
export type CartToCreate = { session: FreshSession; wanted: LineToAdd }

/**
 * Begins a cart for each, at today's prices. One statement for all of them, because the shop is busiest with these.
 * @returns the line of each; undefined where nothing was written, because the variant is not sold
 */
export async function createCarts(tx: Tx, carts: readonly CartToCreate[]): Promise<(StoredLine | undefined)[]> {
  // One parameter, of which the planner knows as little whether it is one cart or a hundred: it plans once a connection. The limit
  // has it look up one product after the other, however large the catalog.
  const asked = JSON.stringify(
    carts.map(({ session: { id, createdAt }, wanted }) => ({ ...wanted, sessionId: id, begunAt: createdAt })),
  )
  const { rows } = await tx.execute<{ sessionId: SessionId; line: StoredLine }>(sql`
    with sold as (
      select a."sessionId" as session_id, a."begunAt" as begun_at, a.quantity, one.*
      from json_to_recordset(${asked}::json) as a(
          "sessionId" text, "begunAt" timestamptz, "productId" bigint, "variantId" bigint, quantity smallint),
        lateral (
          select v.id, v.product_id, v.color, v.size, v.unit_price_cents, p.name from product p, variant v
          where ${isBuyable(sql`a."productId"`, sql`a."variantId"`)} limit 1) one),
    begun as (
      insert into session (id, created_at, seen_at) select session_id, begun_at, begun_at from sold),
    line as (
      insert into cart_line (session_id, variant_id, quantity, unit_price_when_added_cents)
      select session_id, id, quantity, unit_price_cents from sold
      returning id, session_id, quantity)
    select line.session_id as "sessionId", ${upsertedLine} as line from line join sold using (session_id)`)
  const lines = new Map(rows.map(({ sessionId, line }) => [sessionId, line]))
  return carts.map(({ session: { id } }) => lines.get(id))
}

/** Raises a variant's line or begins one. @param unitPrice what the shopper saw just now @returns the line's id */
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

/** Takes bought pieces out of a cart; what was added since stays. */
export async function removePieces(
  tx: Tx,
  sessionId: SessionId,
  bought: readonly { variantId: VariantId; quantity: number }[],
): Promise<void> {
  // Each variant once: a row can be changed once by a statement.
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

/** A cart id is never an authority: every access names the session too. */
const ownLine = (sessionId: SessionId, lineId: CartLineId) =>
  and(eq(cartLine.id, lineId), eq(cartLine.sessionId, sessionId))

export const hasSession = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await tx.$count(session, eq(session.id, sessionId))) > 0
