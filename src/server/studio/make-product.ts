import { stepsOf, type DraftObjection, type DraftStep } from '#domain/studio/draft.ts'
import type { ProductPicture } from '#domain/catalog/product-content.ts'
import { assert } from '#shared/assert.ts'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { hasVariantsOf } from '#server/catalog/catalog.ts'
import { copyPicturesOf } from '#server/catalog/preview-pictures.ts'
import { createProduct, findProductContent, saveProduct } from '#server/catalog/products.ts'
import { syncProducts } from '#server/catalog/sync.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Shop } from '#server/shop.ts'
import { DraftRefusal } from './draft-refusal.ts'
import { mockupPictures } from './mockup-pictures.ts'
import { colorsOf, contentOf } from './product-content.ts'
import { readAtPrinter } from './print-files.ts'
import { composedPictures } from './product-pictures.ts'
import { changeDraft, findDraft, lockDraft, updateDraft, type StoredDraft } from './store.ts'
import { readTakenOver, tieTakenOver } from './taken-over.ts'
import { newVariants } from './variants.ts'

/**
 * The job: each step finds out whether it was done before, so it may be killed and repeated at any point. The printer's product comes
 * first, the catalog's is hidden until it has variants, and publishing is last. What the printer or the catalog refuses goes back to
 * the owner, and nothing remains at the printer.
 * @throws ProviderUnavailable: it is tried again
 */
export async function makeProduct(shop: Shop, draftId: number): Promise<void> {
  const draft = await findDraft(shop.db, draftId)
  if (draft?.state !== 'creating') return
  try {
    const atPrinter = await makeAtPrinter(shop, draft)
    const inCatalog = atPrinter && (await takeIntoCatalog(shop, atPrinter))
    if (!inCatalog) return
    await readVariants(shop, inCatalog)
    await putOnSale(shop, inCatalog)
  } catch (error) {
    const objection = objectionIn(error)
    if (!objection) throw error
    await refuseDraft(shop, draftId, objection)
  }
}

function objectionIn(error: unknown): DraftObjection | undefined {
  if (error instanceof DraftRefusal) return { step: error.step, sentence: error.message }
  if (error instanceof ProviderRefusal)
    return { step: stepOf(error.message), sentence: `The printer refused it: ${error.message}` }
  if (error instanceof Refusal && error.code !== 'unavailable')
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
async function refuseDraft(shop: Shop, id: number, refusal: DraftObjection): Promise<void> {
  const draft = await findDraft(shop.db, id)
  if (draft && draft.syncProductId !== null && draft.content.takenOver === null && draft.productId === null)
    await shop.printful.deleteProduct(draft.syncProductId)
  await shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    if (locked?.state !== 'creating') return
    const forgotten = locked.productId !== null ? {} : NOT_AT_PRINTER
    // Of a product that is taken over, all that the printer knows is in the first step.
    const step = stepsOf(locked.content).includes(refusal.step) ? refusal.step : 'blank'
    await updateDraft(tx, locked, { state: 'refused', refusal: { ...refusal, step }, step, ...forgotten })
  })
}

type DraftAtPrinter = StoredDraft & { syncProductId: SyncProductId }
type DraftInCatalog = DraftAtPrinter & { productId: ProductId }

/** Another instance that makes the same product was refused meanwhile: the draft is its owner's again. */
const isGivenBack = ({ state, productId }: StoredDraft): boolean => state !== 'creating' && productId === null

/** @returns undefined when the draft was given back, with nothing left at the printer */
async function makeAtPrinter(shop: Shop, draft: StoredDraft): Promise<DraftAtPrinter | undefined> {
  const { content, syncProductId } = draft
  if (syncProductId !== null) return { ...draft, syncProductId }
  if (content.takenOver !== null) return note(shop, draft, await tieTakenOver(shop, content))
  const { askedAt } = draft.askedAt ? draft : await noteAsked(shop, draft)
  assert(askedAt, 'the time of asking is noted first')
  const variants = await newVariants(shop, content, askedAt)
  await readAtPrinter(
    shop,
    variants.flatMap(({ files }) => files.map(({ url }) => url)),
  )
  const made = await shop.printful.createProduct({
    externalId: content.slug,
    name: content.name,
    thumbnailUrl: null,
    variants,
  })
  const noted = await note(shop, draft, made.id)
  if (!isGivenBack(noted)) return noted
  await shop.printful.deleteProduct(made.id)
  await changeDraft(shop.db, draft.id, NOT_AT_PRINTER)
  return undefined
}

const NOT_AT_PRINTER = { askedAt: null, syncProductId: null, mockups: null }

/** Until it is noted, a product of this name at the printer is somebody else's. */
async function noteAsked(shop: Shop, { id, content }: StoredDraft): Promise<StoredDraft> {
  if (await shop.printful.findProduct(content.slug))
    throw new DraftRefusal(
      'words',
      `The printer’s store has a product called ${content.slug} already. Please choose another web address.`,
    )
  return changeDraft(shop.db, id, { askedAt: shop.clock.now() })
}

const note = async (shop: Shop, { id }: StoredDraft, syncProductId: SyncProductId): Promise<DraftAtPrinter> => ({
  ...(await changeDraft(shop.db, id, { syncProductId })),
  syncProductId,
})

/** Hidden: it has no variants yet. @returns undefined when the draft was given back */
async function takeIntoCatalog(shop: Shop, draft: DraftAtPrinter): Promise<DraftInCatalog | undefined> {
  const { id, content, syncProductId, productId } = draft
  if (productId !== null) return { ...draft, productId }
  const externalId = content.takenOver === null ? null : (await readTakenOver(shop, content)).externalId
  const { pictures, remark } = content.takenOver === null ? await picturesOf(shop, draft) : NO_PICTURES
  const colors = content.blankId === null ? [] : colorsOf(await showBlank(shop, content.blankId), content)
  const at = shop.clock.now()
  const by: Actor = { userId: null, name: draft.updatedBy, address: '' }
  return shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    assert(locked, 'a draft that is being made is not deleted')
    if (isGivenBack(locked)) return undefined
    if (locked.productId !== null) return { ...locked, syncProductId, productId: locked.productId }
    const made = await createProduct(
      tx,
      {
        ...contentOf(content, syncProductId, pictures),
        externalId: externalId === content.slug ? null : externalId,
        colors,
      },
      { by, source: 'admin', at },
    )
    return { ...(await updateDraft(tx, locked, { productId: made, remark })), syncProductId, productId: made }
  })
}

const NO_PICTURES = { pictures: [], remark: null }

/** Ours, where one of our models shows it; otherwise the printer's. */
async function picturesOf(
  shop: Shop,
  draft: StoredDraft,
): Promise<{ pictures: ProductPicture[]; remark: string | null }> {
  const pictures = await composedPictures(shop, draft.content)
  return pictures ? { pictures, remark: null } : mockupPictures(shop, draft)
}

/** The first sync of a product takes over all its variants, and the printer's previews where we have no pictures. */
async function readVariants(shop: Shop, { productId, syncProductId, content }: DraftInCatalog): Promise<void> {
  const externalId = content.takenOver === null ? null : (await readTakenOver(shop, content)).externalId
  const product = { id: productId, slug: externalId ?? content.slug, syncProductId }
  const { variants, remarks } = await syncProducts(shop, [{ product, id: syncProductId }])
  // A sync for the printer's event may have been faster, and saved a newer answer.
  if (variants === 0 && !(await hasVariantsOf(shop.db, productId)))
    throw new ProviderUnavailable('printful', new Error(remarks[0] ?? 'The product came without variants.'))
}

/** A product that was published, retired or edited meanwhile stays as it is, and one without a picture stays hidden. */
async function putOnSale(shop: Shop, { id, productId, content, updatedBy, remark }: DraftInCatalog): Promise<void> {
  const stored = await findProductContent(shop.db, productId)
  const isWithoutPicture = stored?.content.pictures.length === 0 && !(await copyPicturesOf(shop, productId))
  if (stored?.content.state === 'draft' && !content.staysDraft && !isWithoutPicture) {
    const { publishAt } = content
    const isLater = publishAt !== null && new Date(publishAt) > shop.clock.now()
    const edit = isLater ? { state: 'scheduled' as const, publishAt } : { state: 'published' as const }
    await saveProduct(
      shop,
      productId,
      // Its margins were judged when the draft was published.
      { version: stored.version, edit, accepted: true },
      { userId: null, name: updatedBy, address: '' },
    )
  }
  await shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    if (locked?.state !== 'creating') return
    const added = isWithoutPicture ? 'It is hidden until you add a picture to it and publish it.' : SHOWS_PREVIEWS
    const sentences = isWithoutPicture ? [remark ?? 'The printer has no picture of it yet.', added] : [remark, added]
    const told = isWithoutPicture || remark !== null ? sentences.join(' ') : null
    await updateDraft(tx, locked, { state: 'published', remark: told })
  })
}
const SHOWS_PREVIEWS = 'It shows the printer’s previews; you can add better pictures at any time.'
