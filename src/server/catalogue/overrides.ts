import { shownAs, type FileValues, type Override } from '#domain/catalogue/overrides.ts'
import type { ProductId } from '#kernel/ids.ts'
import { formatUsd } from '#kernel/money.ts'
import { recordAction, type Actor } from '#server/actions/actions.ts'
import type { ActionFacts } from '#server/db/schema.ts'
import { Refused } from '#server/http/refused.ts'
import type { Needs } from '#server/shop.ts'
import { forgetListing } from './listing-cache.ts'
import { findOverride, lockProduct, putOverride, setShown } from './store.ts'

/**
 * Says of a product what the owner wants in place of the catalogue file; the partner's data stay as they are. Whatever is null is
 * the file's again.
 * @throws Refused `unknown_product`
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
    if (!product) throw new Refused('unknown_product')
    const before = shownAs(product.inFile, await findOverride(tx, id))
    const after = shownAs(product.inFile, override)
    await putOverride(tx, id, override, at)
    await setShown(tx, id, after, at)
    const [was, became] = changed(factsOf(before), factsOf(after))
    if (Object.keys(became).length === 0) return
    const about = { kind: 'product', id }
    await recordAction(tx, { by, what: 'changed', about, before: was, after: became, at })
  })
  forgetListing(db)
}

/** As the log writes it. */
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
    'not sent to': restrictions?.blockedCountries.join(', ') || null,
    'late in': restrictions?.delayRegions.join(', ') || null,
    age: restrictions?.minimumAge ?? null,
  }
}

/** Only what differs. */
function changed(before: ActionFacts, after: ActionFacts): [ActionFacts, ActionFacts] {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  const only = (facts: ActionFacts) => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]))
  return [only(before), only(after)]
}
