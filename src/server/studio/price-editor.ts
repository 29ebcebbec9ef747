import type { Blank } from '#contract/admin-blanks.ts'
import type { ProductPrices } from '#contract/admin-prices.ts'
import { ROW_ID_MAX } from '#contract/wire.ts'
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
import { marginFactsOfBlank } from './margin-basis.ts'

type PriceNeeds = Needs<'db' | 'clock' | 'printful' | 'config'>

/** @throws Refusal `unknown_product` */
export async function showPrices(shop: PriceNeeds, id: ProductId): Promise<ProductPrices> {
  const { isAtPrinter, variants, facts } = await readPrices(shop, id)
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

/** Saves prices as `savePrices` does, and throws what it throws. */
export async function changePrices(
  shop: PriceNeeds & Needs<'jobs'>,
  id: ProductId,
  { changes, accepted }: { changes: readonly PriceChange[]; accepted: boolean },
  by: Actor,
): Promise<void> {
  const { extraCost } = await readPrices(shop, id)
  await savePrices(shop, id, { changes, extraCost, accepted }, by)
}

const knownId = (id: ProductId): ProductId => {
  if (id > ROW_ID_MAX) throw new Refusal('unknown_product')
  return id
}

async function readPrices(shop: PriceNeeds, id: ProductId) {
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
    extraCost,
    facts: blank && (await marginFactsOfBlank(shop, blank, id)),
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
