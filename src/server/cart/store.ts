import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { CartLineId, SessionId, VariantId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { cartLine, product, session, variant } from '#server/db/schema.ts'

/** The picture of the variant's own colour, else the product's first. */
const picture = sql<{ file: string; widths: number[] } | null>`(
  select json_build_object('file', p.file, 'widths', p.widths)
  from product_picture p where p.product_id = ${product.id}
  order by (p.colour is not distinct from ${variant.colour}) desc, p.position limit 1)`

/** A session's lines in the order in which they were added. */
export const listStored = (db: Reader, sessionId: SessionId, lineId?: CartLineId) =>
  db
    .select({
      id: cartLine.id,
      productId: variant.productId,
      variantId: cartLine.variantId,
      productName: product.name,
      colour: variant.colour,
      size: variant.size,
      price: variant.priceCents,
      seenPrice: cartLine.seenPriceCents,
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

/** Raises a variant's line or begins one. @param price what the shopper saw just now @returns the line's id */
export async function raiseLine(
  tx: Tx,
  sessionId: SessionId,
  variantId: VariantId,
  quantity: number,
  price: Cents,
): Promise<CartLineId> {
  const [line] = await tx
    .insert(cartLine)
    .values({ sessionId, variantId, quantity, seenPriceCents: price })
    .onConflictDoUpdate({
      target: [cartLine.sessionId, cartLine.variantId],
      set: {
        quantity: sql`least(${cartLine.quantity} + excluded.quantity, ${QUANTITY_MAX})`,
        seenPriceCents: sql`excluded.seen_price_cents`,
      },
    })
    .returning({ id: cartLine.id })
  if (!line) throw new Error('an upsert without a row')
  return line.id
}

export const countLines = async (tx: Tx, sessionId: SessionId): Promise<number> =>
  tx.$count(cartLine, eq(cartLine.sessionId, sessionId))

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
export async function takePieces(tx: Tx, sessionId: SessionId, variantId: VariantId, bought: number): Promise<void> {
  const line = and(eq(cartLine.sessionId, sessionId), eq(cartLine.variantId, variantId))
  await tx.delete(cartLine).where(and(line, lte(cartLine.quantity, bought)))
  await tx
    .update(cartLine)
    .set({ quantity: sql`${cartLine.quantity} - ${bought}` })
    .where(and(line, gt(cartLine.quantity, bought)))
}

/** A cart id is never an authority: every access names the session too. */
const ownLine = (sessionId: SessionId, lineId: CartLineId) =>
  and(eq(cartLine.id, lineId), eq(cartLine.sessionId, sessionId))

export const hasSession = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await tx.$count(session, eq(session.id, sessionId))) > 0
