import { isDeepStrictEqual } from 'node:util'
import { and, inArray, or } from 'drizzle-orm'
import {
  addBelowFloor,
  countriesText,
  floorSentence,
  NONE_BELOW_FLOOR,
  saleText,
  type FoundBelowFloor,
  type PieceChange,
} from '#domain/catalog/margin-floor.ts'
import type { ProductContent } from '#domain/catalog/product-content.ts'
import {
  mostOffOf,
  mostOffTogether,
  type CombinedDiscount,
  type NamedDiscount,
  type UsableCode,
} from '#domain/codes/discount.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import { readMarginTerms, type MarginTerms, type TermsNeeds } from './margin-terms.ts'
import { listPieces, readBases } from './priced-pieces.ts'
import { product } from './schema.ts'

// What sales leave is judged here before anything is saved that lowers it: prices, costs, surcharges, shares, shipping.

/** How a change that lowers margins is made, and by whom. */
export type Decision = {
  by: Actor
  /** The owner has read what it costs, and said yes. */
  accepted: boolean
  about: { kind: string; id: string | number }
  at: Date
}

/**
 * Refuses changes with which a sale leaves less than the owner's floor, unless the owner accepted that; then it is in the log.
 * @throws Refusal `below_floor` with the products, their worst sale and the countries
 */
export const requireFloor = (tx: Tx, changes: readonly PieceChange[], decision: Decision): Promise<void> =>
  requireYes(tx, addBelowFloor(NONE_BELOW_FLOOR, changes), decision)

/** The same for what was found before. @throws as `requireFloor` */
export async function requireYes(tx: Tx, found: FoundBelowFloor, { by, accepted, about, at }: Decision): Promise<void> {
  if (!accepted) return refuseFound(found)
  const [first] = found.products
  if (!first) return
  await recordAction(tx, {
    ...{ by, what: 'accepted sales below the floor with', about, at },
    after: {
      worst: `${formatUsd(first.worst.margin)}, ${saleText(first.worst)}`,
      countries: countriesText(first.countries),
      products: found.count,
    },
  })
}

/** @throws Refusal `below_floor` */
export function refuseFound(found: FoundBelowFloor): void {
  const { floor, products, count, together } = found
  if (count > 0)
    throw new Refusal('below_floor', {
      reason: floorSentence(found),
      summary: { floor, products, more: count - products.length, ...(together && { together }) },
    })
}

/** @throws Refusal `below_floor` */
export const refuseBelowFloor = (changes: readonly PieceChange[]): void =>
  refuseFound(addBelowFloor(NONE_BELOW_FLOOR, changes))

/**
 * The same for terms that change: every piece on sale is judged under the old and the new ones, at its price and with what takes most off it.
 * @param discounts codes and automatic discounts that there are
 */
export async function requireFloorOfTerms(
  tx: Tx,
  { before, after, discounts }: { before: MarginTerms; after: MarginTerms; discounts: readonly NamedDiscount[] },
  decision: Decision,
  only?: readonly ProductId[],
): Promise<void> {
  const isCommissionBefore = (await readSiteSettings(tx)).commissionOn === 'list'
  let found = NONE_BELOW_FLOOR
  for await (const pieces of listPieces(tx, only)) {
    const basisOf = await readBases(
      tx,
      pieces.map(({ blankId }) => blankId),
    )
    const changes = pieces.flatMap((piece) => {
      const { productId, product: name, price } = piece
      const most = mostOffOf(discounts, piece).map((off) => ({ discount: { ...off, isCommissionBefore } }))
      return [{}, ...most].map((discounted) => ({
        ...{ productId, product: name },
        before: { price, basis: { ...basisOf(before, piece), ...discounted } },
        after: { price, basis: { ...basisOf(after, piece), ...discounted } },
      }))
    })
    found = addBelowFloor(found, changes)
  }
  await requireYes(tx, found, decision)
}

/**
 * A code or automatic discount is judged by what it takes off one piece of each product on sale that it is for.
 * @param others that combine with it: judged together too
 * @throws as `requireFloor`
 */
export async function requireFloorOfDiscount(
  tx: Tx,
  shop: TermsNeeds,
  made: CombinedDiscount,
  decision: Decision,
  others: readonly UsableCode[] = [],
): Promise<void> {
  const terms = await readMarginTerms(tx, shop)
  const isCommissionBefore = (await readSiteSettings(tx)).commissionOn === 'list'
  const { products, types, collections } = made.rule
  const isForAll = products.length + types.length + collections.length === 0
  const found = await tx
    .select({ id: product.id })
    .from(product)
    .where(
      and(
        inArray(product.state, ['published', 'scheduled']),
        isForAll
          ? undefined
          : or(inArray(product.id, products), inArray(product.type, types), inArray(product.collection, collections)),
      ),
    )
  const ids = found.map(({ id }) => id)
  let below = NONE_BELOW_FLOOR
  for await (const pieces of listPieces(tx, ids)) {
    const basisOf = await readBases(
      tx,
      pieces.map(({ blankId }) => blankId),
    )
    const changes = pieces.map((piece) => {
      const before = { price: piece.price, basis: basisOf(terms, piece) }
      const discount = { ...mostOffTogether(made, others, piece), isCommissionBefore }
      const { productId, product: name } = piece
      return { productId, product: name, before, after: { ...before, basis: { ...before.basis, discount } } }
    })
    below = addBelowFloor(below, changes)
  }
  const together = others.map(({ code }) => code)
  await requireYes(tx, { ...below, ...(together.length > 0 && { together }) }, decision)
}

export const isOffered = ({ state }: Pick<ProductContent, 'state'>): boolean =>
  state === 'published' || state === 'scheduled'

/** Going on sale, and another surcharge or other countries of a product on sale, are judged. @throws as `requireFloor` */
export async function requireFloorOfProduct(
  tx: Tx,
  shop: TermsNeeds,
  id: ProductId,
  { before, after }: { before: ProductContent; after: ProductContent },
  decision: Decision,
): Promise<void> {
  const wasOffered = isOffered(before)
  if (!isOffered(after) || (wasOffered && isDeepStrictEqual(before.metadata, after.metadata))) return
  const terms = await readMarginTerms(tx, shop)
  for await (const pieces of listPieces(tx, [id])) {
    const basisOf = await readBases(
      tx,
      pieces.map(({ blankId }) => blankId),
    )
    const changes = pieces.map((piece) => {
      const priced = ({ name, metadata }: ProductContent) => ({
        product: name,
        price: piece.price,
        basis: basisOf(terms, { ...piece, metadata }),
      })
      const { product: name, ...now } = priced(after)
      return { productId: id, product: name, after: now, ...(wasOffered && { before: priced(before) }) }
    })
    await requireFloor(tx, changes, decision)
  }
}
