import type { Blank } from '#contract/admin-blanks.ts'
import { marginsOf, objectionToPrice } from '#domain/catalog/margin.ts'
import { metadataOf, objectionsToDraft, type DraftContent, type DraftObjection } from '#domain/studio/draft.ts'
import { extraCostOf } from '#domain/studio/placement.ts'
import type { SyncProductId } from '#shared/ids.ts'
import { plus, type Cents } from '#shared/money.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { checkNewProduct } from '#server/catalog/products.ts'
import { Refusal } from '#server/http/refusal.ts'
import { VARIANTS_MAX } from '#server/providers/printful/store-products.ts'
import type { Shop } from '#server/shop.ts'
import { draftChanged, getDraft, requireEditable } from './drafts.ts'
import { marginFactsOf } from './margin-basis.ts'
import { findStoreProduct, placementsOf } from './printer-products.ts'
import { contentOf } from './product-content.ts'
import { isAddressBeingMade, lockDraft, updateDraft, type StoredDraft } from './store.ts'
import { areaFor, chosenVariants } from './variants.ts'

type PublishNeeds = Pick<Shop, 'db' | 'clock' | 'jobs' | 'printful' | 'config'>

/**
 * Starts making the product of a draft: a job creates it at the printer, takes it over into the catalog, and publishes it.
 * @throws Refusal `draft_unfinished` with everything that is missing; `draft_changed`; `draft_closed`
 */
export async function publishDraft(shop: PublishNeeds, id: number, version: number, by: Actor): Promise<StoredDraft> {
  const objections = await objectionsTo(shop, (await getDraft(shop.db, id)).content)
  const [first] = objections
  if (first) throw new Refusal('draft_unfinished', { reason: first.sentence, summary: { objections } })
  return shop.db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id)
    if (!draft) throw new Refusal('unknown_draft')
    requireEditable(draft)
    if (draft.version !== version) throw draftChanged(draft, 'what the draft shows now')
    if (await isAddressBeingMade(tx, draft)) {
      const sentence = `Another product with the address ${draft.content.slug} is being made. Please choose a different one.`
      throw new Refusal('draft_unfinished', {
        reason: sentence,
        summary: { objections: [{ step: 'words', sentence }] },
      })
    }
    const now = shop.clock.now()
    await shop.jobs.enqueue(tx, 'make-product', { draftId: id })
    return updateDraft(tx, draft, { state: 'creating', refusal: null, updatedBy: by.name, updatedAt: now })
  })
}

async function objectionsTo(shop: PublishNeeds, content: DraftContent): Promise<DraftObjection[]> {
  const { blankId } = content
  const blank = blankId === null ? undefined : await showBlank(shop, blankId)
  const objections = objectionsToDraft(content, blank?.colors.length !== 0)
  if (objections.length) return objections
  try {
    await checkNewProduct(shop.db, contentOf(content, null, []))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    objections.push(...Object.values(error.fields ?? {}).map((sentence) => ({ step: 'words' as const, sentence })))
  }
  if (blank)
    objections.push(
      ...(await (content.takenOver === null ? objectionsToBlank : objectionsToTakenOver)(shop, content, blank)),
    )
  return objections
}

async function objectionsToBlank(shop: PublishNeeds, content: DraftContent, blank: Blank): Promise<DraftObjection[]> {
  const variants = chosenVariants(content, blank)
  const [first] = variants
  if (!first) return [{ step: 'options', sentence: 'The printer makes none of these colors in these sizes.' }]
  if (variants.length > VARIANTS_MAX)
    return [
      {
        step: 'options',
        sentence: `Please choose fewer: these are ${variants.length} combinations, and the printer takes ${VARIANTS_MAX}.`,
      },
    ]
  const unknown = content.placements.find((placement) => !areaFor(blank, placement, first))
  if (unknown)
    return [
      {
        step: 'drawing',
        sentence: `This blank can’t be printed on “${unknown.area}”. Please place the drawing again.`,
      },
    ]
  return objectionsToLoss(shop, content, blank, extraCostOf(blank.printAreas, content.placements))
}

async function objectionsToTakenOver(
  shop: PublishNeeds,
  content: DraftContent,
  blank: Blank,
): Promise<DraftObjection[]> {
  const product = await findStoreProduct(shop.db, content.takenOver as SyncProductId)
  const areas = (product ? placementsOf(product) : []).map((area) => ({ area }))
  return objectionsToLoss(shop, content, blank, extraCostOf(blank.printAreas, areas))
}

/** @param extraCost of the prints, added to each variant's cost */
async function objectionsToLoss(
  shop: PublishNeeds,
  content: DraftContent,
  blank: Blank,
  extraCost: Cents,
): Promise<DraftObjection[]> {
  if (content.acceptsLoss) return []
  // A loss is judged by the usual sale, which has the usual share.
  const facts = await marginFactsOf(shop, blank, 0)
  const losses = chosenVariants(content, blank).flatMap(({ price, cost }) => {
    if (cost === null) return []
    const basis = { ...facts, cost: plus(cost, extraCost), metadata: metadataOf(content) }
    const sentence = objectionToPrice(price, basis)
    return sentence ? [{ sentence, margin: marginsOf(price, basis).usual.margin }] : []
  })
  const worst = losses.toSorted((a, b) => a.margin - b.margin)[0]
  return worst ? [{ step: 'price', sentence: `${worst.sentence} Please raise the price, or confirm the loss.` }] : []
}
