import { setTimeout as pause } from 'node:timers/promises'
import type { Blank, BlankPrintArea, BlankVariant } from '#contract/admin-blanks.ts'
import { marginsOf, objectionToPrice, type MarginBasis } from '#domain/catalog/margin.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductContent, ProductPicture } from '#domain/catalog/product-content.ts'
import { findPictureModel, pictureViews } from '#domain/pictures/picture-models.ts'
import {
  objectionsToDraft,
  variantExternalId,
  type DraftContent,
  type DraftObjection,
  type DraftPlacement,
  type DraftStep,
} from '#domain/studio/draft.ts'
import { assert } from '#shared/assert.ts'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import { cents, plus, type Cents } from '#shared/money.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { checkNewProduct, createProduct, findProductContent, saveProduct } from '#server/catalog/products.ts'
import { syncProducts } from '#server/catalog/sync.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { showComposition, startComposition } from '#server/pictures/composer.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { VARIANTS_MAX, type NewVariant } from '#server/providers/printful/store-products.ts'
import type { Shop } from '#server/shop.ts'
import { getDraft, requireEditable } from './drafts.ts'
import { shippingOf } from './margin-basis.ts'
import { printFileUrl } from './print-files.ts'
import { findDraft, lockDraft, updateDraft, type StoredDraft } from './store.ts'

type ChosenVariant = BlankVariant & { price: Cents }

/** The variants of a blank that a draft sells. */
export function chosenVariants({ colors, sizes, prices }: DraftContent, blank: Blank): ChosenVariant[] {
  return blank.variants.flatMap((variant) => {
    const isChosen =
      variant.discontinuedAt === null &&
      (variant.color === null || colors.includes(variant.color)) &&
      (variant.size === null || !sizes.length || sizes.includes(variant.size))
    const price =
      prices.find(({ size }) => size === (variant.size ?? ''))?.price ?? prices.find(({ size }) => !size)?.price
    return isChosen && price !== undefined ? [{ ...variant, price }] : []
  })
}

const areaFor = ({ printAreas }: Blank, { area }: DraftPlacement, { id }: BlankVariant): BlankPrintArea | undefined =>
  printAreas.find(({ placement, variantIds }) => placement === area && variantIds.includes(id)) ??
  printAreas.find(({ placement }) => placement === area)

export const metadataOf = ({ shippingSurcharge, restrictions }: DraftContent): ProductMetadata => ({
  ...(shippingSurcharge && { shippingSurcharge }),
  ...(restrictions && { restrictions }),
})

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
    if (draft.version !== version)
      throw new Refusal('draft_changed', { name: draft.updatedBy, what: 'see the draft', summary: draft })
    const now = shop.clock.now()
    await shop.jobs.enqueue(tx, 'make-product', { draftId: id })
    return updateDraft(tx, draft, { state: 'creating', refusal: null, updatedBy: by.name, updatedAt: now })
  })
}

async function objectionsTo(shop: PublishNeeds, content: DraftContent): Promise<DraftObjection[]> {
  const objections = objectionsToDraft(content)
  if (objections.length) return objections
  try {
    await checkNewProduct(shop.db, contentOf(content, null, []))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    objections.push(...Object.values(error.fields ?? {}).map((sentence) => ({ step: 'words' as const, sentence })))
  }
  if (content.blankId !== null && content.takenOver === null)
    objections.push(...(await objectionsToBlank(shop, content)))
  return objections
}

async function objectionsToBlank(shop: PublishNeeds, content: DraftContent): Promise<DraftObjection[]> {
  const blank = await showBlank(shop, content.blankId ?? 0)
  const variants = chosenVariants(content, blank)
  const [first] = variants
  const { placement } = content
  if (!first) return [{ step: 'options', sentence: 'The printer makes none of these colors in these sizes.' }]
  if (variants.length > VARIANTS_MAX)
    return [
      {
        step: 'options',
        sentence: `Please choose fewer: these are ${variants.length} combinations, and the printer takes ${VARIANTS_MAX}.`,
      },
    ]
  const area = placement && areaFor(blank, placement, first)
  if (!area)
    return [{ step: 'drawing', sentence: 'This blank can’t be printed there. Please place the drawing again.' }]
  if (content.acceptsLoss) return []
  const { destinations } = await shippingOf(shop, first.id)
  const losses = variants.flatMap(({ price, cost }) => {
    if (cost === null) return []
    const basis: MarginBasis = {
      cost: plus(cost, area.extraCost),
      destinations,
      shippingPaidBy: shop.config.shipping,
      metadata: metadataOf(content),
    }
    const sentence = objectionToPrice(price, basis)
    return sentence ? [{ sentence, margin: marginsOf(price, basis).usual.margin }] : []
  })
  const worst = losses.toSorted((a, b) => a.margin - b.margin)[0]
  return worst ? [{ step: 'price', sentence: `${worst.sentence} Please raise the price, or confirm the loss.` }] : []
}

type MakeNeeds = Shop

/**
 * The job: each step finds out whether it was done before, so it may be killed and repeated at any point. The printer's product comes
 * first, the catalog's is hidden until it has variants, and publishing is last. What the printer or the catalog refuses goes back to
 * the owner, and nothing remains at the printer.
 * @throws ProviderUnavailable: it is tried again
 */
export async function makeProduct(shop: MakeNeeds, draftId: number): Promise<void> {
  const draft = await findDraft(shop.db, draftId)
  if (draft?.state !== 'creating') return
  try {
    const atPrinter = await makeAtPrinter(shop, draft)
    const inCatalog = await takeIntoCatalog(shop, atPrinter)
    await readVariants(shop, inCatalog)
    await putOnSale(shop, inCatalog)
  } catch (error) {
    const objection = objectionIn(error)
    if (!objection) throw error
    await refuseDraft(shop, draftId, objection)
  }
}

/** Thrown for what the owner can correct. */
class DraftRefusal extends Error {
  readonly step: DraftStep
  constructor(step: DraftStep, sentence: string) {
    super(sentence)
    this.step = step
  }
}

function objectionIn(error: unknown): DraftObjection | undefined {
  if (error instanceof DraftRefusal) return { step: error.step, sentence: error.message }
  if (error instanceof ProviderRefusal)
    return { step: stepOf(error.message), sentence: `The printer refused it: ${error.message}` }
  if (error instanceof Refusal)
    return { step: 'words', sentence: Object.values(error.fields ?? {})[0] ?? bodyOfRefusal(error).message }
  return undefined
}

/** Printful has no codes for these, so its sentences are matched. */
const stepOf = (sentence: string): DraftStep =>
  /file|image|placement|thread|dpi|resolution|print area/i.test(sentence)
    ? 'drawing'
    : /price/i.test(sentence)
      ? 'price'
      : /variant|color|size|stock|discontinued/i.test(sentence)
        ? 'options'
        : 'words'

/** The printer's product without its draft would be taken for a forgotten one, so it goes. */
async function refuseDraft(shop: MakeNeeds, id: number, refusal: DraftObjection): Promise<void> {
  const draft = await findDraft(shop.db, id)
  if (draft && draft.syncProductId !== null && draft.content.takenOver === null && draft.productId === null)
    await shop.printful.deleteProduct(draft.syncProductId)
  await shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    if (locked?.state !== 'creating') return
    const isMade = locked.productId !== null || locked.content.takenOver !== null
    const forgotten = isMade ? {} : { askedAt: null, syncProductId: null }
    await updateDraft(tx, locked, { state: 'refused', refusal, step: refusal.step, ...forgotten })
  })
}

type DraftAtPrinter = StoredDraft & { syncProductId: SyncProductId }
type DraftInCatalog = DraftAtPrinter & { productId: ProductId }

async function makeAtPrinter(shop: MakeNeeds, draft: StoredDraft): Promise<DraftAtPrinter> {
  const { content, syncProductId } = draft
  if (syncProductId !== null) return { ...draft, syncProductId }
  if (content.takenOver !== null) return note(shop, draft, content.takenOver as SyncProductId)
  const { askedAt } = draft.askedAt ? draft : await noteAsked(shop, draft)
  assert(askedAt, 'the time of asking is noted first')
  const variants = await newVariants(shop, content, askedAt)
  const made = await shop.printful.createProduct({
    externalId: content.slug,
    name: content.name,
    thumbnailUrl: null,
    variants,
  })
  return note(shop, draft, made.id)
}

/** Until it is noted, a product of this name at the printer is somebody else's. */
async function noteAsked(shop: MakeNeeds, { id, content }: StoredDraft): Promise<StoredDraft> {
  if (await shop.printful.findProduct(content.slug))
    throw new DraftRefusal(
      'words',
      `The printer’s store has a product called ${content.slug} already. Please choose another web address.`,
    )
  return change(shop, id, { askedAt: shop.clock.now() })
}

const note = async (shop: MakeNeeds, { id }: StoredDraft, syncProductId: SyncProductId): Promise<DraftAtPrinter> => ({
  ...(await change(shop, id, { syncProductId })),
  syncProductId,
})

const change = (
  { db }: MakeNeeds,
  id: number,
  changed: Partial<Pick<StoredDraft, 'askedAt' | 'syncProductId' | 'productId'>>,
): Promise<StoredDraft> =>
  db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    assert(locked, 'a draft that is being made is not deleted')
    return updateDraft(tx, locked, changed)
  })

async function newVariants(shop: MakeNeeds, content: DraftContent, from: Date): Promise<NewVariant[]> {
  const { blankId, placement, slug } = content
  assert(blankId !== null && placement, 'a complete draft has a blank and a drawing')
  const blank = await showBlank(shop, blankId)
  const thread = threadOption(blank, placement)
  return chosenVariants(content, blank).map((variant) => {
    const area = areaFor(blank, placement, variant)
    if (!area) throw new DraftRefusal('drawing', 'This blank can’t be printed there. Please place the drawing again.')
    return {
      externalId: variantExternalId(slug, variant.id),
      catalogVariantId: variant.id,
      retailPrice: variant.price,
      sku: variantExternalId(slug, variant.id).toUpperCase(),
      files: [{ placement: placement.area, url: printFileUrl(shop, placement, area, from) }],
      options: thread,
    }
  })
}

/** `embroidery_chest_left` has its colors in `thread_colors_chest_left`; older blanks, in `thread_colors`. */
function threadOption({ options }: Blank, { area, threadColors }: DraftPlacement): NewVariant['options'] {
  if (!area.startsWith('embroidery')) return []
  const own = `thread_colors_${area.replace(/^embroidery_/, '')}`
  const option = options.find(({ id }) => id === own) ?? options.find(({ id }) => id === 'thread_colors')
  if (!option) return []
  if (!threadColors.length) throw new DraftRefusal('drawing', 'Please choose the thread colors of the embroidery.')
  return [{ id: option.id, value: threadColors }]
}

/** Hidden: it has no variants yet. */
async function takeIntoCatalog(shop: MakeNeeds, draft: DraftAtPrinter): Promise<DraftInCatalog> {
  const { id, content, syncProductId, productId } = draft
  if (productId !== null) return { ...draft, productId }
  const pictures = content.takenOver === null ? await composedPictures(shop, content) : []
  const colors = content.blankId === null ? [] : await colorsOf(shop, content)
  const at = shop.clock.now()
  const by: Actor = { userId: null, name: draft.updatedBy, address: '' }
  return shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    assert(locked, 'a draft that is being made is not deleted')
    if (locked.productId !== null) return { ...locked, syncProductId, productId: locked.productId }
    const made = await createProduct(
      tx,
      { ...contentOf(content, syncProductId, pictures), colors },
      { by, source: 'admin', at },
    )
    return { ...(await updateDraft(tx, locked, { productId: made })), syncProductId, productId: made }
  })
}

const contentOf = (
  content: DraftContent,
  syncProductId: SyncProductId | null,
  pictures: ProductPicture[],
): ProductContent => ({
  slug: content.slug,
  externalId: null,
  name: content.name,
  description: content.description,
  collection: content.collection,
  type: content.type,
  badge: content.badge,
  rating: 5,
  reviewCount: 0,
  metadata: metadataOf(content),
  requiresOptions: content.colors.length > 1 || content.sizes.length > 1,
  providerProductId: syncProductId,
  colors: [],
  pictures,
  place: null,
  state: 'draft',
  publishAt: content.publishAt,
})

async function colorsOf(shop: MakeNeeds, { blankId, colors }: DraftContent): Promise<ProductContent['colors']> {
  const blank = await showBlank(shop, blankId ?? 0)
  return blank.colors.flatMap(({ name, hex }) => (colors.includes(name) && hex !== null ? [{ name, hex }] : []))
}

const COMPOSED_WITHIN_MS = 5 * MINUTE_MS

/**
 * The drawing on our model of the product, in every chosen color. Without a model the product shows the printer's
 * previews, which the sync copies.
 * @throws ProviderUnavailable never; the job is repeated when it takes too long
 */
async function composedPictures(shop: MakeNeeds, content: DraftContent): Promise<ProductPicture[]> {
  const { blankId, placement, type } = content
  const model = findPictureModel(type)
  if (!model || blankId === null || !placement) return []
  const blank = await showBlank(shop, blankId)
  const colors = blank.colors.flatMap(({ name, hex, hex2 }) =>
    content.colors.includes(name) && hex !== null ? [{ name, hex, ...(hex2 !== null && { accent: hex2 }) }] : [],
  )
  if (!colors.length) return []
  const { drawing, x, y, width, height } = placement
  let composition = await startComposition(shop, {
    drawing,
    model,
    technique: placement.area.startsWith('embroidery') ? 'embroidery' : 'print',
    placement: { x, y, width, height },
    colors,
    views: [...pictureViews],
  })
  const giveUpAt = performance.now() + COMPOSED_WITHIN_MS
  while (composition.state === 'working') {
    if (performance.now() > giveUpAt) throw new Error('The pictures take too long.')
    await pause(SECOND_MS / 2)
    composition = await showComposition(shop.db, composition.id)
  }
  if (composition.state === 'failed')
    throw new DraftRefusal('drawing', composition.failure ?? 'The pictures could not be made.')
  return composition.pictures.flatMap(({ view, color, picture }) => {
    if (!picture) return []
    const { file, widths } = picture
    return [
      { view, color, file, widths, width: picture.width, height: picture.height, alt: picture.alt, avif: picture.avif },
    ]
  })
}

/** The first sync of a product takes over all its variants, and the printer's previews where we have no pictures. */
async function readVariants(shop: MakeNeeds, { productId, syncProductId, content }: DraftInCatalog): Promise<void> {
  const product = { id: productId, slug: content.slug, syncProductId }
  const { variants, remarks } = await syncProducts(shop, [{ product, id: syncProductId }])
  if (variants === 0)
    throw new ProviderUnavailable('printful', new Error(remarks[0] ?? 'The product came without variants.'))
}

/** A product that was published, retired or edited meanwhile stays as it is. */
async function putOnSale(shop: MakeNeeds, { id, productId, content, updatedBy }: DraftInCatalog): Promise<void> {
  const stored = await findProductContent(shop.db, productId)
  if (stored?.content.state === 'draft' && !content.staysDraft) {
    const { publishAt } = content
    const isLater = publishAt !== null && new Date(publishAt) > shop.clock.now()
    const edit = isLater ? { state: 'scheduled' as const, publishAt } : { state: 'published' as const }
    await saveProduct(
      shop,
      productId,
      { version: stored.version, edit },
      { userId: null, name: updatedBy, address: '' },
    )
  }
  await shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    if (locked?.state === 'creating') await updateDraft(tx, locked, { state: 'published' })
  })
}

/** What a piece costs on a draft's blank, for showing margins while a price is typed. */
export async function marginFactsOf(shop: PublishNeeds, blankId: number, area: string | undefined) {
  const blank = await showBlank(shop, blankId)
  const [first] = blank.variants.filter(({ discontinuedAt }) => discontinuedAt === null)
  const { destinations, isEstimated } = first
    ? await shippingOf(shop, first.id)
    : { destinations: [], isEstimated: true }
  const extraCost = blank.printAreas.find(({ placement }) => placement === area)?.extraCost ?? cents(0)
  return { extraCost, destinations, isEstimated, shippingPaidBy: shop.config.shipping }
}
