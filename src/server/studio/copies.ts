import { ROW_ID_MAX } from '#contract/wire.ts'
import { productTypeFromBlank } from '#domain/catalog/blank-type.ts'
import { copyDraft, COPIES_MAX } from '#domain/studio/copies.ts'
import { EMPTY_DRAFT, type DraftContent } from '#domain/studio/draft.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { readProductTypes } from '#server/catalog/product-types.ts'
import { checkNewProduct, findProductContent } from '#server/catalog/products.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findPictures } from '#server/pictures/pictures.ts'
import type { Needs } from '#server/shop.ts'
import { marginFactsOf } from './margin-basis.ts'
import { contentOf } from './product-content.ts'
import { findDraftOfProduct, hasDraftSlug, insertCopy, listBatchRows } from './copies-store.ts'
import type { StoredDraft } from './store.ts'

type CopyBody = { blankId: number; content: DraftContent; namePattern: string; targetBasisPoints: number }

/**
 * Makes a draft of a drawing on another blank, once for each blank of a batch.
 * @param highestShare the highest share that a partner has agreed to, in basis points
 * @throws Refusal `unknown_blank`, `blank_not_read`, `unknown_picture`; `invalid` for more blanks than a batch takes
 */
export async function makeCopy(
  shop: Needs<'db' | 'clock' | 'printful' | 'config'>,
  batch: string,
  { blankId, content: source, namePattern, targetBasisPoints }: CopyBody,
  { by, highestShare }: { by: Actor; highestShare: number },
): Promise<StoredDraft> {
  const made = await listBatchRows(shop.db, batch)
  const known = made.find((row) => row.batchBlankId === blankId)
  if (known) return known
  if (made.length >= COPIES_MAX)
    throw new Refusal('invalid', {}, { blankId: `Please choose at most ${COPIES_MAX} blanks` })
  const to = await showBlank(shop, blankId)
  const from = source.blankId === null ? undefined : await showBlank(shop, source.blankId)
  const types = await readProductTypes(shop.db)
  const { content: ofBlank, similar } = productTypeFromBlank(to, types)
  const type = types.find(({ key }) => key === similar) ?? { key: '', name: ofBlank.name }
  const content = copyDraft({
    ...{ source, namePattern, from, to, type, targetBasisPoints },
    drawings: await drawingsOf(shop.db, source),
    facts: await marginFactsOf(shop, to, highestShare),
  })
  const slug = await freeSlug(shop.db, content, blankId)
  return shop.db.transaction((tx) =>
    insertCopy(tx, { batch, blankId, content: { ...content, slug } }, by.name, shop.clock.now()),
  )
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
