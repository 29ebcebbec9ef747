import { applyOverride, type FileValues, type Override } from '#domain/catalog/overrides.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { findOverride, listForOwner, lockProduct, saveOverride, setProductDisplay } from './store.ts'

/** All products, hidden ones too, by id, with the owner's values. */
export const listProductsForOwner = (db: Reader, after: ProductId | undefined, limit: number) =>
  listForOwner(db, after, limit)

/**
 * Sets the owner's values of a product, which win over the catalog file's; null returns to the file's. The printer's data stay.
 * @throws Refusal `unknown_product`
 */
export async function overrideProduct(
  { db, clock }: Needs<'db' | 'clock'>,
  id: ProductId,
  override: Override,
  by: Actor,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    const product = await lockProduct(tx, id)
    if (!product) throw new Refusal('unknown_product')
    const before = applyOverride(product.inFile, await findOverride(tx, id))
    const after = applyOverride(product.inFile, override)
    await saveOverride(tx, id, override, at)
    await setProductDisplay(tx, id, after, at)
    const [was, became] = changedFacts(factsOf(before), factsOf(after))
    if (Object.keys(became).length === 0) return
    const about = { kind: 'product', id }
    await recordAction(tx, { by, what: 'changed', about, before: was, after: became, at })
  })
  clearListingCache(db)
}

/** For the audit log. */
function factsOf({ badge, description, visible, place, metadata }: FileValues & { place: number | null }): ActionFacts {
  const { shippingSurcharge: surcharge, restrictions } = metadata
  return {
    badge,
    description,
    shown: visible,
    place,
    surcharge: surcharge?.enabled
      ? `${formatUsd(surcharge.amount)} to ${surcharge.regions.join(', ')}: ${surcharge.description}`
      : null,
    'not shipped to': restrictions?.blockedCountries.join(', ') || null,
    'delayed in': restrictions?.delayRegions.join(', ') || null,
    age: restrictions?.minimumAge ?? null,
  }
}

function changedFacts(before: ActionFacts, after: ActionFacts): [ActionFacts, ActionFacts] {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  const only = (facts: ActionFacts) => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]))
  return [only(before), only(after)]
}
