import type { Blank } from '#contract/admin-blanks.ts'
import type { PieceChange } from '#domain/catalog/margin-floor.ts'
import { metadataOf, objectionsToDraft, type DraftContent, type DraftObjection } from '#domain/studio/draft.ts'
import { extraCostOf } from '#domain/studio/placement.ts'
import type { SyncProductId } from '#shared/ids.ts'
import { plus } from '#shared/money.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { refuseBelowFloor } from '#server/catalog/margin-guard.ts'
import { checkNewProduct } from '#server/catalog/products.ts'
import { Refusal } from '#server/http/refusal.ts'
import { VARIANTS_MAX } from '#server/providers/printful/store-products.ts'
import type { Shop } from '#server/shop.ts'
import { draftChanged, getDraft, requireEditable } from './drafts.ts'
import { marginFactsOfBlank } from './margin-basis.ts'
import { findStoreProduct, placementsOf } from './printer-products.ts'
import { contentOf } from './product-content.ts'
import { isAddressBeingMade, lockDraft, updateDraft, type StoredDraft } from './store.ts'
import { areaFor, chosenVariants } from './variants.ts'

type PublishNeeds = Pick<Shop, 'db' | 'clock' | 'jobs' | 'printful' | 'config'>

/**
 * Starts making the product of a draft: a job creates it at the printer, takes it over into the catalog, and publishes it.
 * @throws Refusal `draft_unfinished` with everything that is missing; `draft_changed`; `draft_closed`; `below_floor`
 */
export async function publishDraft(
  shop: PublishNeeds,
  id: number,
  { version, accepted }: { version: number; accepted: boolean },
  by: Actor,
): Promise<StoredDraft> {
  const { content } = await getDraft(shop.db, id)
  const objections = await objectionsTo(shop, content)
  const [first] = objections
  if (first) throw new Refusal('draft_unfinished', { reason: first.sentence, summary: { objections } })
  if (!accepted && !content.staysDraft) refuseBelowFloor(await piecesOf(shop, content))
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
  return blank && content.takenOver === null ? [...objections, ...objectionsToBlank(content, blank)] : objections
}

function objectionsToBlank(content: DraftContent, blank: Blank): DraftObjection[] {
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
  return []
}

/** What a draft puts on sale. @returns nothing where costs are unknown */
async function piecesOf(shop: PublishNeeds, content: DraftContent): Promise<PieceChange[]> {
  if (content.blankId === null) return []
  const blank = await showBlank(shop, content.blankId)
  const extraCost = extraCostOf(blank.printAreas, await printedAreas(shop, content))
  const facts = await marginFactsOfBlank(shop, blank)
  return chosenVariants(content, blank).flatMap(({ price, cost }) =>
    cost === null
      ? []
      : [
          {
            productId: null,
            product: content.name,
            after: { price, basis: { ...facts, cost: plus(cost, extraCost), metadata: metadataOf(content) } },
          },
        ],
  )
}

/** The printer knows where a product of its own is printed. */
async function printedAreas({ db }: PublishNeeds, { takenOver, placements }: DraftContent) {
  if (takenOver === null) return placements
  const product = await findStoreProduct(db, takenOver as SyncProductId)
  return (product ? placementsOf(product) : []).map((area) => ({ area }))
}
