import { isDeepStrictEqual } from 'node:util'
import { and, asc, gt, inArray, isNotNull, isNull, min, or, sql } from 'drizzle-orm'
import { marginsOf, type MarginBasis, type SaleMargin } from '#domain/catalog/margin.ts'
import {
  countriesText,
  floorSentence,
  productsBelowFloor,
  saleText,
  type PieceChange,
  type PricedPiece,
} from '#domain/catalog/margin-floor.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductContent } from '#domain/catalog/product-content.ts'
import type { VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { CodeRule } from '#domain/codes/code.ts'
import { mostOffPiece } from '#domain/codes/discount.ts'
import { BASIS_POINTS_PER_PERCENT } from '#site/settings.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { STANDARD_SHIPPING } from '#domain/checkout/quote.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import {
  USUAL_RATES,
  listShippingRates,
  listStaleRates,
  readShippingRates,
  type ShippingRates,
} from '#server/blanks/shipping-rates.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettings, whoPaysShipping } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { product, variant } from './schema.ts'

// What sales leave is judged here before anything is saved that lowers it: prices, costs, surcharges, shares, shipping.

/** @property productId null: of every product */
type AgreedShare = { productId: number | null; basisPoints: number }

/** What margins depend on besides the piece and its shipping rates. */
export type MarginTerms = Pick<MarginBasis, 'shippingPaidBy' | 'floor'> & {
  /** In basis points. */
  usualShare: number
  /** Shares that partners have agreed to, for now or later. */
  agreed: readonly AgreedShare[]
}

type TermsNeeds = Needs<'config' | 'clock'>

/** @param settings those that would be saved; otherwise as they are */
export async function readMarginTerms(
  db: Reader,
  { config, clock }: TermsNeeds,
  settings?: SiteSettings,
): Promise<MarginTerms> {
  const known = settings ?? (await readSiteSettings(db))
  const { rows } = await db.execute<{ product_id: number | null; basis_points: number }>(sql`
    select product_id, max(basis_points)::int as basis_points from agreed_share
    where ends_at is null or ends_at > ${clock.now().toISOString()} group by product_id`)
  return {
    shippingPaidBy: whoPaysShipping(config, known),
    floor: known.marginFloor,
    usualShare: Math.round(known.commission.usual * BASIS_POINTS_PER_PERCENT),
    agreed: rows.map((row) => ({ productId: row.product_id, basisPoints: row.basis_points })),
  }
}

/** What margins on a blank depend on besides price, cost and metadata. @param productId null before there is a product */
export function marginFactsOf(
  { usualShare, agreed, ...terms }: MarginTerms,
  { destinations, isEstimated }: ShippingRates,
  productId: ProductId | null = null,
) {
  const shares = agreed.flatMap((one) => (one.productId === null || one.productId === productId ? one.basisPoints : []))
  return {
    ...{ ...terms, destinations, isEstimated },
    partnerShares: { usual: usualShare, highest: Math.max(usualShare, ...shares) },
  }
}

/** What is printed on a blank and has a price. */
export type Piece = {
  productId: ProductId
  product: string
  price: Cents
  cost: Cents
  blankId: number | null
  metadata: ProductMetadata
}

const PRODUCTS_A_PAGE = 500

/**
 * The pieces of products that are or will be on sale, without repeating equal ones, in pages; those of unknown cost are left out.
 * @param only these products, in any state
 */
async function* listPieces(db: Reader, only?: readonly ProductId[]): AsyncGenerator<Piece[]> {
  let last = 0 as ProductId
  for (;;) {
    const products = await db
      .select({ productId: product.id, product: product.name, metadata: product.metadata })
      .from(product)
      .where(
        and(
          gt(product.id, last),
          only ? inArray(product.id, [...only]) : inArray(product.state, ['published', 'scheduled']),
        ),
      )
      .orderBy(asc(product.id))
      .limit(PRODUCTS_A_PAGE)
    const ids = products.map(({ productId }) => productId)
    const priced = ids.length
      ? await db
          .selectDistinct({
            ...{ productId: variant.productId, price: variant.unitPrice },
            ...{ cost: variant.costCents, blankId: variant.blankId },
          })
          .from(variant)
          .where(and(inArray(variant.productId, ids), isNull(variant.goneAt), isNotNull(variant.costCents)))
      : []
    const of = Map.groupBy(priced, ({ productId }) => productId)
    yield products.flatMap((one) =>
      (of.get(one.productId) ?? []).flatMap(({ cost, ...piece }) =>
        cost === null ? [] : [{ ...one, ...piece, cost }],
      ),
    )
    if (products.length < PRODUCTS_A_PAGE) return
    last = ids.at(-1) ?? last
  }
}

/** Makes the basis of pieces on these blanks, with the shipping rates as last read. */
export async function readBases(
  db: Reader,
  blankIds: readonly (number | null)[],
): Promise<
  (
    terms: MarginTerms,
    piece: Pick<Piece, 'cost' | 'blankId' | 'metadata'> & { productId: ProductId | null },
  ) => MarginBasis
> {
  const rates = await listShippingRates(
    db,
    blankIds.flatMap((id) => id ?? []),
  )
  return (terms, { cost, blankId, metadata, productId }) => ({
    ...marginFactsOf(terms, rates.get(blankId ?? 0) ?? USUAL_RATES, productId),
    ...{ cost, metadata },
  })
}

const BLANKS_A_RUN = 4

/** Reads shipping rates of some blanks that are missing or old, a few at a time: shoppers' quotes need the printer's calls too. */
export async function readRatesOfProducts(shop: Needs<'db' | 'clock' | 'printful'>): Promise<void> {
  const rows = await shop.db
    .select({ blankId: variant.blankId, catalogVariantId: min(variant.catalogVariantId) })
    .from(variant)
    .where(and(isNotNull(variant.blankId), isNull(variant.goneAt)))
    .groupBy(variant.blankId)
    .orderBy(asc(variant.blankId))
  const variants = new Map(rows.map(({ blankId, catalogVariantId }) => [blankId, catalogVariantId]))
  const blankIds = rows.flatMap(({ blankId }) => blankId ?? [])
  for (const id of await listStaleRates(shop, blankIds, BLANKS_A_RUN)) {
    const catalogVariantId = variants.get(id) ?? null
    if (catalogVariantId !== null) await readShippingRates(shop, id, catalogVariantId)
  }
}

/** How a change that lowers margins is made, and by whom. */
export type Decision = {
  by: Actor
  /** The owner has read what it costs, and said yes. */
  accepted: boolean
  about: { kind: string; id: string | number }
  at: Date
}

const PRODUCTS_NAMED = 20

/**
 * Refuses changes with which a sale leaves less than the owner's floor, unless the owner accepted that; then it is in the log.
 * @throws Refusal `below_floor` with the products, their worst sale and the countries
 */
export async function requireFloor(
  tx: Tx,
  changes: readonly PieceChange[],
  { by, accepted, about, at }: Decision,
): Promise<void> {
  if (!accepted) return refuseBelowFloor(changes)
  const found = productsBelowFloor(changes)
  const [first] = found
  if (!first) return
  await recordAction(tx, {
    ...{ by, what: 'accepted sales below the floor with', about, at },
    after: {
      worst: `${formatUsd(first.worst.margin)}, ${saleText(first.worst)}`,
      countries: countriesText(first.countries),
      products: found.length,
    },
  })
}

/** @throws Refusal `below_floor` */
export function refuseBelowFloor(changes: readonly PieceChange[]): void {
  const found = productsBelowFloor(changes)
  const floor = changes[0]?.after.basis.floor
  if (!found.length || floor === undefined) return
  throw new Refusal('below_floor', {
    reason: floorSentence(found, floor),
    summary: { floor, products: found.slice(0, PRODUCTS_NAMED), more: Math.max(0, found.length - PRODUCTS_NAMED) },
  })
}

/** The same for terms that change: every piece on sale is judged under the old and the new ones. */
export async function requireFloorOfTerms(
  tx: Tx,
  { before, after }: { before: MarginTerms; after: MarginTerms },
  decision: Decision,
  only?: readonly ProductId[],
): Promise<void> {
  const changes: PieceChange[] = []
  for await (const pieces of listPieces(tx, only)) {
    const basisOf = await readBases(
      tx,
      pieces.map(({ blankId }) => blankId),
    )
    for (const piece of pieces)
      changes.push({
        product: piece.product,
        before: { price: piece.price, basis: basisOf(before, piece) },
        after: { price: piece.price, basis: basisOf(after, piece) },
      })
  }
  await requireFloor(tx, changes, decision)
}

/** A code or automatic discount is judged by what it takes off one piece of each product on sale that it is for. @throws as `requireFloor` */
export async function requireFloorOfDiscount(
  tx: Tx,
  shop: TermsNeeds,
  rule: CodeRule,
  decision: Decision,
): Promise<void> {
  const terms = await readMarginTerms(tx, shop)
  const isCommissionBefore = (await readSiteSettings(tx)).commissionOn === 'list'
  const isFreeOfShipping = rule.benefit.kind === 'shipping'
  const { products, types, collections } = rule
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
  const changes: PieceChange[] = []
  for await (const pieces of listPieces(
    tx,
    found.map(({ id }) => id),
  )) {
    const basisOf = await readBases(
      tx,
      pieces.map(({ blankId }) => blankId),
    )
    for (const piece of pieces) {
      const before = { price: piece.price, basis: basisOf(terms, piece) }
      const discount = { off: mostOffPiece(rule, piece.price), isFreeOfShipping, isCommissionBefore }
      changes.push({ product: piece.product, before, after: { ...before, basis: { ...before.basis, discount } } })
    }
  }
  await requireFloor(tx, changes, decision)
}

const isOffered = ({ state }: Pick<ProductContent, 'state'>): boolean => state === 'published' || state === 'scheduled'

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
      return { product: name, after: now, ...(wasOffered && { before: priced(before) }) }
    })
    await requireFloor(tx, changes, decision)
  }
}

/** What sales of variants leave, as the printer's copies say them. */
export type CopyMargins = {
  /** @returns undefined without a known cost */
  pieceOf(copy: VariantCopy | undefined): PricedPiece | undefined
  /** A change as it is judged; nothing for a product that is not offered. */
  judged(before: VariantCopy | undefined, after: VariantCopy | undefined): PieceChange[]
}

/** Of these copies, before and after a sync's changes. */
export async function readCopyMargins(tx: Tx, shop: TermsNeeds, copies: readonly VariantCopy[]): Promise<CopyMargins> {
  const ids = [...new Set(copies.map(({ productId }) => productId))]
  const rows = await tx
    .select({ id: product.id, name: product.name, metadata: product.metadata, state: product.state })
    .from(product)
    .where(sql`${product.id} = any (${sql.param(ids)}::int[])`)
  const products = new Map(rows.map((row) => [row.id, row]))
  const terms = await readMarginTerms(tx, shop)
  const basisOf = await readBases(
    tx,
    copies.map(({ blankId }) => blankId),
  )
  const pieceOf: CopyMargins['pieceOf'] = (copy) => {
    if (!copy || copy.costCents === null) return undefined
    const { productId, blankId, costCents: cost, unitPrice: price } = copy
    const { metadata = {} } = products.get(productId) ?? {}
    return { price, basis: basisOf(terms, { cost, blankId, metadata, productId }) }
  }
  return {
    pieceOf,
    judged: (before, copy) => {
      const after = pieceOf(copy)
      const found = copy && products.get(copy.productId)
      return after && found && isOffered(found) ? [{ product: found.name, before: pieceOf(before), after }] : []
    },
  }
}

/** What these variants cost at the printer, and to be sent there alone; a cost is null if unknown. */
export async function listCostsToSend(tx: Tx, variantIds: readonly VariantId[], country: string) {
  const rows = await tx
    .select({ id: variant.id, cost: variant.costCents, blankId: variant.blankId })
    .from(variant)
    .where(inArray(variant.id, [...variantIds]))
  const rates = await listShippingRates(
    tx,
    rows.flatMap(({ blankId }) => blankId ?? []),
  )
  const variants = new Map(rows.map((row) => [row.id, row]))
  return (id: VariantId) => {
    const { cost = null, blankId = null } = variants.get(id) ?? {}
    const { destinations } = rates.get(blankId ?? 0) ?? USUAL_RATES
    const shipping = destinations.find((one) => one.country === country)?.shipping ?? STANDARD_SHIPPING.cost
    return { cost, shipping }
  }
}

export type ProductMargins = { usual: Cents; worst: SaleMargin; isBelowFloor: boolean; isEstimated: boolean }

/** Of each product the least of its variants; products of unknown cost are missing. */
export async function readProductMargins(
  { db, ...shop }: TermsNeeds & Needs<'db'>,
  ids: readonly ProductId[],
): Promise<ReadonlyMap<ProductId, ProductMargins>> {
  const terms = await readMarginTerms(db, shop)
  const found = new Map<ProductId, ProductMargins>()
  for await (const pieces of listPieces(db, ids)) {
    const blankIds = pieces.flatMap(({ blankId }) => blankId ?? [])
    const rates = await listShippingRates(db, blankIds)
    const basisOf = await readBases(db, blankIds)
    for (const piece of pieces) {
      const { usual, worst } = marginsOf(piece.price, basisOf(terms, piece))
      const { isEstimated } = rates.get(piece.blankId ?? 0) ?? USUAL_RATES
      const known = found.get(piece.productId)
      const least = known && known.worst.margin <= worst.margin ? known.worst : worst
      found.set(piece.productId, {
        usual: known && known.usual <= usual.margin ? known.usual : usual.margin,
        worst: least,
        isBelowFloor: least.margin < terms.floor,
        isEstimated: isEstimated || (known?.isEstimated ?? false),
      })
    }
  }
  return found
}
