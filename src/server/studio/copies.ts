import { ROW_ID_MAX } from '#contract/wire.ts'
import { productTypeFromBlank } from '#domain/catalog/blank-type.ts'
import { copyDraft, type CopyPlan } from '#domain/studio/copies.ts'
import { COPIES_MAX, EMPTY_DRAFT, type DraftContent } from '#domain/studio/draft.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { readProductTypes } from '#server/catalog/product-types.ts'
import { checkNewProduct, findProductContent } from '#server/catalog/products.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findPictures } from '#server/pictures/pictures.ts'
import type { Needs } from '#server/shop.ts'
import { marginFactsOfBlank } from './margin-basis.ts'
import { contentOf } from './product-content.ts'
import { findDraftOfProduct, hasDraftSlug, insertUnfilled, listBatchRows } from './copies-store.ts'
import { requireDrawings } from './drafts.ts'
import { lockDraft, updateDraft, type StoredDraft } from './store.ts'

/**
 * Makes a draft for each blank that has none in the batch yet, all or none: nothing is lost when nobody waits for the rest.
 * @throws Refusal `unknown_picture`; `invalid` for more blanks than a batch takes
 */
export async function beginBatch(
  { db, clock }: Needs<'db' | 'clock'>,
  batch: string,
  {
    blankIds,
    content: source,
    ...plan
  }: { blankIds: readonly number[]; content: DraftContent } & Omit<CopyPlan, 'source'>,
  by: Actor,
): Promise<StoredDraft[]> {
  return db.transaction(async (tx) => {
    const made = await listBatchRows(tx, batch)
    if (new Set([...blankIds, ...made.map(({ batchBlankId }) => batchBlankId)]).size > COPIES_MAX)
      throw new Refusal('invalid', {}, { blankIds: `Please choose at most ${COPIES_MAX} blanks` })
    await requireDrawings(tx, source)
    const unplaced = { takenOver: null, placements: [], colors: [], sizes: [], prices: [] }
    await insertUnfilled(
      tx,
      batch,
      [...new Set(blankIds)].map((blankId) => ({
        blankId,
        content: { ...source, ...unplaced, blankId, slug: '', type: '' },
      })),
      { copyPlan: { source, ...plan }, by: by.name, now: clock.now() },
    )
    return listBatchRows(tx, batch)
  })
}

/**
 * Fills in a batch's draft for a blank, unless that was done or somebody saved it.
 * @throws Refusal `unknown_draft`, `unknown_blank`, `blank_not_read`, `unknown_picture`
 */
export async function fillCopy(
  shop: Needs<'db' | 'clock' | 'printful' | 'config'>,
  batch: string,
  blankId: number,
): Promise<StoredDraft> {
  const found = (await listBatchRows(shop.db, batch)).find(({ batchBlankId }) => batchBlankId === blankId)
  if (!found) throw new Refusal('unknown_draft')
  if (!found.copyPlan) return found
  const content = await filledIn(shop, found.copyPlan, blankId)
  return shop.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, found.id)
    if (!locked) throw new Refusal('unknown_draft')
    if (!locked.copyPlan) return locked
    await requireDrawings(tx, content)
    const version = locked.version + 1
    return updateDraft(tx, locked, { version, step: 'preview', content, copyPlan: null, updatedAt: shop.clock.now() })
  })
}

async function filledIn(
  shop: Needs<'db' | 'clock' | 'printful' | 'config'>,
  { source, namePattern, targetBasisPoints }: CopyPlan,
  blankId: number,
): Promise<DraftContent> {
  const to = await showBlank(shop, blankId)
  const from = source.blankId === null ? undefined : await showBlank(shop, source.blankId)
  const types = await readProductTypes(shop.db)
  const { content: ofBlank, similar } = productTypeFromBlank(to, types)
  const type = types.find(({ key }) => key === similar) ?? { key: '', name: ofBlank.name }
  const content = copyDraft({
    ...{ source, namePattern, from, to, type, targetBasisPoints },
    drawings: await drawingsOf(shop.db, source),
    facts: await marginFactsOfBlank(shop, to),
  })
  return { ...content, slug: await freeSlug(shop.db, content, blankId) }
}

async function drawingsOf(db: Db, { placements }: DraftContent) {
  const files = [...new Set(placements.map(({ drawing }) => drawing))]
  const pictures = await findPictures(db, files)
  return new Map(
    files.map((file) => {
      const drawing = pictures.get(file)?.drawing
      if (!drawing) throw new Refusal('unknown_picture')
      return [file, drawing] as const
    }),
  )
}

/** With the blank's number behind it when a product or another draft has the address. */
async function freeSlug(db: Db, content: DraftContent, blankId: number): Promise<string> {
  const { slug } = content
  const isTaken = (await hasDraftSlug(db, slug)) || (await isProductSlug(db, content))
  return isTaken ? `${slug}-${blankId}` : slug
}

async function isProductSlug(db: Db, content: DraftContent): Promise<boolean> {
  try {
    await checkNewProduct(db, contentOf(content, null, []))
    return false
  } catch (error) {
    if (error instanceof Refusal && error.fields) return 'slug' in error.fields
    throw error
  }
}

/** What copies of a product start from: its drawings if it was made here, and its words as they are now. @throws Refusal `unknown_product` */
export async function draftContentOf(db: Reader, id: ProductId): Promise<DraftContent> {
  const stored = id > ROW_ID_MAX ? undefined : await findProductContent(db, id)
  if (!stored) throw new Refusal('unknown_product')
  const { name, description, type, collection, badge, metadata } = stored.content
  const draft = await findDraftOfProduct(db, id)
  return {
    ...(draft?.content ?? EMPTY_DRAFT),
    ...{ name, description, type, collection, badge, takenOver: null, publishAt: null },
    keywords: metadata.keywords ?? [],
    shippingSurcharge: metadata.shippingSurcharge ?? null,
    restrictions: metadata.restrictions ?? null,
  }
}
