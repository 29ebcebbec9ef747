import type { Blank } from '#contract/admin-blanks.ts'
import type { ProductPrices } from '#contract/admin-prices.ts'
import { ROW_ID_MAX } from '#contract/wire.ts'
import { objectionToPrice } from '#domain/catalog/margin.ts'
import { extraCostOf } from '#domain/studio/placement.ts'
import { plus, ZERO, type Cents } from '#shared/money.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import {
  findPricedProduct,
  listPricedVariants,
  savePrices,
  type PriceChange,
  type PricedVariant,
} from '#server/catalog/variant-prices.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { findDraftOfProduct } from './copies-store.ts'
import { marginFactsOf } from './margin-basis.ts'

type PriceNeeds = Needs<'db' | 'clock' | 'printful' | 'config'>

/** @param highestShare the highest share that a partner has agreed to, in basis points. @throws Refusal `unknown_product` */
export async function showPrices(shop: PriceNeeds, id: ProductId, highestShare: number): Promise<ProductPrices> {
  const { isAtPrinter, variants, facts } = await readPrices(shop, id, highestShare)
  const refused = variants.flatMap(({ name, priceRefusal }) =>
    priceRefusal === null ? [] : `${name}: ${priceRefusal}`,
  )
  const isWaiting = variants.some(({ priceSetAt }) => priceSetAt !== null)
  return {
    variants: variants.map(({ id: variantId, name, color, size, unitPrice, cost }) => ({
      ...{ id: variantId, name, color, size, price: unitPrice, cost },
    })),
    facts: facts ?? null,
    printer: {
      state: !isAtPrinter ? 'none' : refused.length ? 'refused' : isWaiting ? 'waiting' : 'written',
      refusals: refused,
    },
  }
}

/**
 * Saves prices as `savePrices` does.
 * @throws Refusal `sells_at_a_loss` where a new price loses money on the usual sale, and the owner has not confirmed it
 */
export async function changePrices(
  shop: PriceNeeds & Needs<'jobs'>,
  id: ProductId,
  { changes, acceptsLoss }: { changes: readonly PriceChange[]; acceptsLoss: boolean },
  by: Actor,
): Promise<void> {
  if (!acceptsLoss && changes.length) {
    // A loss is judged by the usual sale, which has the usual share.
    const { variants, facts, metadata } = await readPrices(shop, id, 0)
    for (const { variantId, to } of changes) {
      const cost = variants.find((one) => one.id === variantId)?.cost ?? null
      const reason = facts && cost !== null ? objectionToPrice(to, { ...facts, cost, metadata }) : undefined
      if (reason) throw new Refusal('sells_at_a_loss', { reason })
    }
  }
  await savePrices(shop, knownId(id), changes, by)
}

const knownId = (id: ProductId): ProductId => {
  if (id > ROW_ID_MAX) throw new Refusal('unknown_product')
  return id
}

async function readPrices(shop: PriceNeeds, id: ProductId, highestShare: number) {
  const product = await findPricedProduct(shop.db, knownId(id))
  if (!product) throw new Refusal('unknown_product')
  const variants = await listPricedVariants(shop.db, id)
  const blank = await findBlank(shop, variants)
  const extraCost = blank ? await extraCostHere(shop, id, blank) : ZERO
  return {
    ...product,
    variants: variants.map((one) => ({
      ...one,
      cost: one.costCents === null ? null : plus(one.costCents, extraCost),
    })),
    facts: blank && (await marginFactsOf(shop, blank, highestShare)),
  }
}

/** A product is on one blank. Without it prices can be changed all the same. */
async function findBlank(shop: PriceNeeds, variants: readonly PricedVariant[]): Promise<Blank | undefined> {
  const blankId = variants.find((one) => one.blankId !== null)?.blankId
  if (!blankId) return undefined
  try {
    return await showBlank(shop, blankId)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** What its prints cost beyond the first; known of products that were made here. */
async function extraCostHere({ db }: PriceNeeds, id: ProductId, { printAreas }: Blank): Promise<Cents> {
  const draft = await findDraftOfProduct(db, id)
  return draft ? extraCostOf(printAreas, draft.content.placements) : ZERO
}
