import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { formatUsd, plus, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { requireFloor } from './margin-guard.ts'
import { readMarginTerms } from './margin-terms.ts'
import { readBases } from './priced-pieces.ts'
import { listRevisions, recordRevisions } from './revisions.ts'
import { product, variant } from './schema.ts'
import { claimNewerAnswer, lockProducts } from './sync-store.ts'

// Prices are the owner's as soon as he saves them: the shop sells by them at once, and a job tells the printer's store.

export type PricedVariant = Pick<
  typeof variant.$inferSelect,
  'id' | 'name' | 'color' | 'size' | 'unitPrice' | 'costCents' | 'blankId' | 'priceSetAt' | 'priceRefusal'
>

const pricedVariant = {
  ...{ id: variant.id, name: variant.name, color: variant.color, size: variant.size, unitPrice: variant.unitPrice },
  ...{ costCents: variant.costCents, blankId: variant.blankId },
  ...{ priceSetAt: variant.priceSetAt, priceRefusal: variant.priceRefusal },
}

/** In the printer's order, without those it no longer has. */
export const listPricedVariants = (db: Reader, id: ProductId): Promise<PricedVariant[]> =>
  db
    .select(pricedVariant)
    .from(variant)
    .where(and(eq(variant.productId, id), isNull(variant.goneAt)))
    .orderBy(asc(variant.position), asc(variant.id))

/** @returns undefined for an unknown product; `isAtPrinter`: the printer's store has it */
export async function findPricedProduct(db: Reader, id: ProductId) {
  const [found] = await db
    .select({ name: product.name, metadata: product.metadata, syncProductId: product.syncProductId })
    .from(product)
    .where(eq(product.id, id))
  return found && { name: found.name, metadata: found.metadata, isAtPrinter: found.syncProductId !== null }
}

/** The prices that a product had from a moment on. */
export type PriceVersion = {
  version: number
  by: string
  at: Date
  prices: { variantId: VariantId; price: Cents }[]
}

type PriceContent = Pick<PriceVersion, 'prices'>

/** Newest first. */
export const listPriceVersions = async (db: Reader, id: ProductId): Promise<PriceVersion[]> =>
  (await listRevisions(db, 'prices', String(id))).map(({ version, by, at, content }) => ({
    ...{ version, by, at },
    prices: (content as PriceContent).prices,
  }))

/** @property from what the owner saw */
export type PriceChange = { variantId: VariantId; from: Cents; to: Cents }

/**
 * Saves an owner's prices. Shoppers see them at once, as after a price that a sync brought: what is quoted already stays. Called with no
 * changes, prices that the printer refused are tried again.
 * @param extraCost of the prints, added to each variant's cost
 * @param accepted the owner has accepted sales below the floor
 * @throws Refusal `product_changed` when a price is no longer what the owner saw; `unknown_product`, `unknown_variant`; `below_floor`
 */
export async function savePrices(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  id: ProductId,
  { changes, extraCost, accepted }: { changes: readonly PriceChange[]; extraCost: Cents; accepted: boolean },
  by: Actor,
): Promise<void> {
  const { db, jobs } = shop
  const at = shop.clock.now()
  await db.transaction(async (tx) => {
    await lockProducts(tx, [id])
    const found = await findPricedProduct(tx, id)
    if (!found) throw new Refusal('unknown_product')
    const before = await listPricedVariants(tx, id)
    const changed = await checkChanges(tx, id, before, changes)
    const terms = await readMarginTerms(tx, shop)
    const basisOf = await readBases(
      tx,
      before.map(({ blankId }) => blankId),
    )
    const pieces = changed.flatMap(({ variantId, to }) => {
      const { costCents, unitPrice, blankId } = before.find((one) => one.id === variantId) ?? {}
      if (costCents === undefined || costCents === null || unitPrice === undefined) return []
      const piece = {
        cost: plus(costCents, extraCost),
        blankId: blankId ?? null,
        metadata: found.metadata,
        productId: id,
      }
      const basis = basisOf(terms, piece)
      return [{ productId: id, product: found.name, before: { price: unitPrice, basis }, after: { price: to, basis } }]
    })
    await requireFloor(tx, pieces, { by, accepted, about: { kind: 'product', id }, at })
    for (const [price, some] of Map.groupBy(changed, ({ to }) => to))
      await tx
        .update(variant)
        .set({ unitPrice: price, priceSetAt: at, updatedAt: at })
        .where(
          inArray(
            variant.id,
            some.map(({ variantId }) => variantId),
          ),
        )
    await tx
      .update(variant)
      .set({ priceRefusal: null })
      .where(and(eq(variant.productId, id), isNotNull(variant.priceRefusal)))
    if (changed.length) await recordPrices(tx, id, before, { by, at })
    await jobs.enqueue(tx, 'write-prices', { productId: id })
  })
  clearListingCache(db)
}

/** @returns what is different from now */
async function checkChanges(
  tx: Tx,
  id: ProductId,
  variants: readonly PricedVariant[],
  changes: readonly PriceChange[],
): Promise<PriceChange[]> {
  const known = new Map(variants.map((one) => [one.id, one]))
  const moved = []
  for (const { variantId, from, to } of changes) {
    const now = known.get(variantId)
    if (!now) throw new Refusal('unknown_variant')
    if (now.unitPrice !== from && now.unitPrice !== to) moved.push(now)
  }
  const [first] = moved
  if (first) {
    const [last] = await listPriceVersions(tx, id)
    const isOwners = last?.prices.some(({ variantId, price }) => variantId === first.id && price === first.unitPrice)
    const more = moved.length > 1 ? ` and ${moved.length - 1} more ${moved.length > 2 ? 'prices' : 'price'}` : ''
    throw new Refusal('product_changed', {
      changes: `${isOwners && last ? last.by : 'a sync'} changed the price of ${first.name} to ${formatUsd(first.unitPrice)}${more}`,
    })
  }
  return changes.filter(({ variantId, to }) => known.get(variantId)?.unitPrice !== to)
}

/** The first version is what the printer had. */
async function recordPrices(
  tx: Tx,
  id: ProductId,
  before: readonly PricedVariant[],
  { by, at }: { by: Actor; at: Date },
): Promise<void> {
  const contentOf = (variants: readonly PricedVariant[]): PriceContent => ({
    prices: variants.map((one) => ({ variantId: one.id, price: one.unitPrice })),
  })
  const after = await listPricedVariants(tx, id)
  const [last] = await listRevisions(tx, 'prices', String(id), 1)
  const row = { kind: 'prices' as const, key: String(id), at }
  await recordRevisions(tx, [
    ...(last ? [] : [{ ...row, version: 1, content: contentOf(before), source: 'printer' as const, by: 'shop' }]),
    { ...row, version: (last?.version ?? 1) + 1, content: contentOf(after), source: 'admin', by: by.name },
  ])
  await recordAction(tx, {
    ...{ by, what: 'changed prices', about: { kind: 'product', id: String(id) }, at },
    before: { price: rangeOf(before) },
    after: { price: rangeOf(after) },
  })
}

function rangeOf(variants: readonly PricedVariant[]): string {
  const prices = variants.map(({ unitPrice }) => unitPrice).toSorted((a, b) => a - b)
  const [lowest, highest] = [prices[0], prices.at(-1)]
  if (lowest === undefined || highest === undefined) return ''
  return lowest === highest ? formatUsd(lowest) : `${formatUsd(lowest)} to ${formatUsd(highest)}`
}

/** An import sets prices as an owner does. */
export async function markPricesSet(tx: Tx, ids: readonly VariantId[], at: Date): Promise<void> {
  await tx
    .update(variant)
    .set({ priceSetAt: at, priceRefusal: null })
    .where(sql`${variant.id} = any (${sql.param([...ids])}::bigint[])`)
}

/** A refused price waits for the owner. */
const isUnwritten = and(isNotNull(variant.priceSetAt), isNull(variant.priceRefusal), isNull(variant.goneAt))

/** Products per look; the next look finds the others. */
const PRODUCTS_PER_LOOK = 100

/** Queues what no job was queued for: while a job runs, another one for its product is not. */
export async function writePricesLater({ db, jobs }: Needs<'db' | 'jobs'>): Promise<void> {
  const rows = await db
    .selectDistinct({ productId: variant.productId })
    .from(variant)
    .innerJoin(product, eq(product.id, variant.productId))
    .where(and(isUnwritten, isNotNull(product.syncProductId)))
    .limit(PRODUCTS_PER_LOOK)
  if (!rows.length) return
  await db.transaction(async (tx) => {
    for (const { productId } of rows) await jobs.enqueue(tx, 'write-prices', { productId })
  })
}

/**
 * The job: gives the printer's store the prices that it does not have, until it has all. A call that was carried out although its
 * answer is lost is made again; it changes nothing then.
 * @throws ProviderUnavailable to make the job retry
 */
export async function writePrices(shop: Needs<'db' | 'clock' | 'printful' | 'log'>, id: ProductId): Promise<void> {
  const { db, printful, log } = shop
  if (!(await findPricedProduct(db, id))?.isAtPrinter) return
  for (let next = await findUnwritten(db, id); next; next = await findUnwritten(db, id)) {
    try {
      await printful.changePrice(next.id, next.unitPrice)
      await notePrice(shop, id, next, null)
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error
      log.warn({ err: error, variantId: next.id }, 'the printer refused a price')
      await notePrice(
        shop,
        id,
        next,
        error.code === 'NotFound'
          ? 'The printer no longer has this variant.'
          : `The printer refused it: ${error.message}`,
      )
    }
  }
}

async function findUnwritten(db: Reader, id: ProductId): Promise<PricedVariant | undefined> {
  const [found] = await db
    .select(pricedVariant)
    .from(variant)
    .where(and(eq(variant.productId, id), isUnwritten))
    .orderBy(asc(variant.position), asc(variant.id))
    .limit(1)
  return found
}

/** Whether the printer's store does not have all prices of these products yet. */
export async function hasUnwrittenPrices(db: Reader, products: readonly ProductId[]): Promise<boolean> {
  const rows = await db
    .select({ id: variant.id })
    .from(variant)
    .where(and(inArray(variant.productId, [...products]), isUnwritten))
    .limit(1)
  return rows.length > 0
}

/** What a sync asked before does not count: it may have the old price. A price set meanwhile stays to be written. */
const notePrice = (
  { db, clock }: { db: Db } & Needs<'clock'>,
  productId: ProductId,
  { id, unitPrice }: PricedVariant,
  refusal: string | null,
): Promise<void> =>
  db.transaction(async (tx) => {
    await claimNewerAnswer(tx, productId, clock.now())
    await tx
      .update(variant)
      .set(refusal === null ? { priceSetAt: null } : { priceRefusal: refusal })
      .where(and(eq(variant.id, id), eq(variant.unitPrice, unitPrice)))
  })
