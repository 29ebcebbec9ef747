import type { CartLine, LineChange, LineToAdd } from '#contract/cart.ts'
import { LINES_MAX } from '#domain/cart/cart.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import type { CartLineId, ProductId, SessionId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { hasSession } from '#server/accounts/session-rows.ts'
import { findBuyable } from '#server/catalog/catalog.ts'
import { pictureAddress } from '#server/catalog/pictures.ts'
import { autocommitWrite, type Reader, type Tx } from '#server/db/db.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import {
  countCarts,
  deleteLine,
  deleteLines,
  lockLines,
  moveLines,
  listStored,
  listRequestedVariants,
  upsertLine,
  raiseLine,
  setQuantity,
  removePieces,
  type StoredLine,
} from './store.ts'

/** A session's cart at today's prices. */
export const listLines = async ({ db }: Needs<'db'>, sessionId: SessionId): Promise<CartLine[]> =>
  (await listStored(db, sessionId)).map(toCartLine)

/**
 * Adds a line, starting a session if needed; a refused request leaves no session behind.
 * @throws Refusal when the catalog does not sell the variant, or the cart is full
 */
export async function addToCart(
  { db, clock, visits }: Needs<'db' | 'clock' | 'visits'>,
  context: Context,
  wanted: LineToAdd,
): Promise<CartLine> {
  const added = await context.beginWith((session) =>
    autocommitWrite(db, (tx) => upsertLine(tx, session, wanted, clock.now())),
  )
  const { device } = context
  if (added) {
    const { isNew, isFirst, ...line } = added
    if (device && isNew) visits.count({ step: 'carted', device, about: line.productId })
    if (device && isFirst) visits.count({ step: 'cart', device })
    return toCartLine(line)
  }
  // The insert does not report why it wrote nothing; find out only in that case.
  await findBuyable(db, wanted.productId, wanted.variantId).catch((error: unknown) => {
    const isSoldOut = error instanceof Refusal && error.code === 'sold_out'
    if (device && isSoldOut && wanted.variantId)
      visits.count({ step: 'sold_out_press', device, about: wanted.variantId })
    throw error
  })
  throw new Refusal('invalid', {}, { productId: `A cart holds at most ${LINES_MAX} different items.` })
}

/**
 * Changes a line's quantity, its variant, or both.
 * @param change a quantity of 0 removes the line
 * @returns the line as it is now; the other line, if that had the variant and the pieces are there now
 * @throws Refusal for an unknown line, and the catalog's for a variant that can't be bought or is another product's
 */
export async function changeLine(
  { db }: Needs<'db'>,
  sessionId: SessionId,
  lineId: CartLineId,
  { quantity, variantId }: LineChange,
): Promise<CartLine> {
  return db.transaction(async (tx) => {
    // Two lines may become one: two tabs that change one into the other would wait for each other.
    if (variantId !== undefined) await lockLines(tx, sessionId)
    const before = await getLine(tx, sessionId, lineId)
    if (quantity === 0) await deleteLine(tx, sessionId, lineId)
    else if (quantity !== undefined) await setQuantity(tx, sessionId, lineId, quantity)
    if (quantity === 0 || variantId === undefined || variantId === before.variantId)
      return { ...before, quantity: quantity ?? before.quantity }

    const { variant } = await findBuyable(tx, before.productId, variantId)
    const taken = await deleteLine(tx, sessionId, lineId)
    if (!taken) throw new Refusal('unknown_line')
    // With the number and time of before, it keeps its place in the cart.
    const line = { id: lineId, variantId, quantity: taken.quantity, unitPrice: variant.unitPrice }
    return getLine(tx, sessionId, await raiseLine(tx, sessionId, line, taken.createdAt))
  })
}

export async function removeLine({ db }: Needs<'db'>, sessionId: SessionId, lineId: CartLineId): Promise<void> {
  const removed = await db.transaction((tx) => deleteLine(tx, sessionId, lineId))
  if (!removed) throw new Refusal('unknown_line')
}

export async function clearCart({ db }: Needs<'db'>, sessionId: SessionId): Promise<void> {
  await db.transaction((tx) => deleteLines(tx, sessionId))
}

/** The input of a quote. */
export const requestedVariants = (
  db: Reader,
  sessionId: SessionId,
): Promise<{ variantId: VariantId; quantity: number }[]> => listRequestedVariants(db, sessionId)

/** What a link to this cart brings back: its lines. */
export const cartToSave = async (
  db: Reader,
  sessionId: SessionId,
): Promise<{ productId: ProductId; variantId: VariantId; quantity: number }[]> =>
  (await listStored(db, sessionId)).map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }))

/** Raises a cart's lines to saved quantities. @returns whether all of them are still sold */
export async function putSavedLines(
  tx: Tx,
  sessionId: SessionId,
  saved: Awaited<ReturnType<typeof cartToSave>>,
  now: Date,
): Promise<boolean> {
  const there = new Map((await listRequestedVariants(tx, sessionId)).map((line) => [line.variantId, line.quantity]))
  let isWhole = true
  for (const { quantity, ...line } of saved) {
    const missing = quantity - (there.get(line.variantId) ?? 0)
    if (missing > 0 && !(await upsertLine(tx, sessionId, { ...line, quantity: missing }, now))) isWhole = false
  }
  return isWhole
}

/** Takes bought quantities out of the cart; anything added since stays. */
export async function removeBoughtFromCart(
  tx: Tx,
  sessionId: SessionId,
  bought: readonly { variantId: VariantId; quantity: number }[],
): Promise<void> {
  await removePieces(tx, sessionId, bought)
}

/** Returns the quantities of a purchase that failed. If the session has ended, there is no cart and nothing happens. */
export async function returnToCart(
  tx: Tx,
  sessionId: SessionId,
  taken: readonly { variantId: VariantId; quantity: number; unitPrice: Cents }[],
  now: Date,
): Promise<void> {
  if (!(await hasSession(tx, sessionId))) return
  for (const line of taken) await raiseLine(tx, sessionId, line, now)
}

/** Moves a session's lines to a new session, whose cart is empty. */
export async function moveCartLines(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await moveLines(tx, from, to)
}

async function getLine(tx: Tx, sessionId: SessionId, lineId: CartLineId): Promise<CartLine> {
  const [line] = await listStored(tx, sessionId, lineId)
  if (!line) throw new Refusal('unknown_line')
  return toCartLine(line)
}

const toCartLine = ({ picture, color, size, unitPrice, unitPriceWhenAdded, ...line }: StoredLine): CartLine => ({
  ...line,
  price: unitPrice,
  previousPrice: unitPriceWhenAdded === unitPrice ? null : unitPriceWhenAdded,
  variantName: variantNameOf(color, size),
  imageUrl: picture && pictureAddress(picture.file, picture.widths),
})

/** Carts into which one of these products was put since a moment. */
export const countCartsWith = (db: Reader, products: readonly ProductId[], since: Date): Promise<number> =>
  countCarts(db, products, since)
