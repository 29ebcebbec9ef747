import type { Draft, DraftSummary } from '#contract/admin-studio.ts'
import { isSameValue } from '#domain/catalog/product-content.ts'
import { isEditable, type DraftContent, type DraftStep } from '#domain/studio/draft.ts'
import { ROW_ID_MAX } from '#contract/wire.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { holdPictures } from '#server/pictures/unused.ts'
import type { Needs } from '#server/shop.ts'
import {
  deleteDraftRow,
  findDraft,
  insertDraft,
  listOpenDrafts,
  lockDraft,
  updateDraft,
  type StoredDraft,
} from './store.ts'

export async function listDrafts(db: Reader): Promise<DraftSummary[]> {
  const rows = await listOpenDrafts(db)
  return rows.map(({ id, step, state, batch, content: { name, blankId, takenOver }, updatedAt }) => ({
    ...{ id, name, step, state, batch, blankId, takenOver },
    updatedAt: updatedAt.toISOString(),
  }))
}

/** @throws Refusal `unknown_draft` */
export async function getDraft(db: Reader, id: number): Promise<StoredDraft> {
  const found = id > ROW_ID_MAX ? undefined : await findDraft(db, id)
  if (!found) throw new Refusal('unknown_draft')
  return found
}

export async function createDraft(
  { db, clock }: Needs<'db' | 'clock'>,
  content: DraftContent,
  by: Actor,
): Promise<StoredDraft> {
  if (content.takenOver !== null) throw takenOverElsewhere()
  return db.transaction(async (tx) => {
    await requireDrawings(tx, content)
    return insertDraft(tx, { content, by: by.name, now: clock.now() })
  })
}

/**
 * @throws Refusal `draft_changed` with the stored draft when another version was saved meanwhile, `draft_closed` while it is being
 *   made and afterward
 */
export async function saveDraft(
  { db, clock }: Needs<'db' | 'clock'>,
  id: number,
  { version, step, content }: { version: number; step: DraftStep; content: DraftContent },
  by: Actor,
): Promise<StoredDraft> {
  return db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id)
    if (!draft) throw new Refusal('unknown_draft')
    requireEditable(draft)
    if (draft.version !== version)
      throw draftChanged(draft, changedParts(draft.content, content).join(', ') || 'nothing else')
    if (content.takenOver !== draft.content.takenOver) throw takenOverElsewhere()
    await requireDrawings(tx, content)
    const isCorrected = draft.state === 'refused' && changedParts(draft.content, content).length > 0
    return updateDraft(tx, draft, {
      version: version + 1,
      ...{ step, content: withPrinterFacts(content, draft.content) },
      ...(isCorrected && { state: 'open', refusal: null }),
      copyPlan: null,
      updatedBy: by.name,
      updatedAt: clock.now(),
    })
  })
}

/** A drawing that nothing refers to is deleted some day. @throws Refusal `unknown_picture` */
export async function requireDrawings(tx: Tx, content: DraftContent): Promise<void> {
  if ((await holdPictures(tx, content)).length) throw new Refusal('unknown_picture')
}

/** Of a product that is taken over, these are the printer's. */
const withPrinterFacts = (content: DraftContent, { takenOver, blankId, colors, sizes }: DraftContent): DraftContent =>
  takenOver === null ? content : { ...content, blankId, colors, sizes, placements: [] }

const takenOverElsewhere = (): Refusal =>
  new Refusal('invalid', {}, { 'content.takenOver': 'Please take products over in the list of the printer’s products' })

/** @throws Refusal `unknown_draft`, `draft_closed` */
export async function deleteDraft({ db, clock }: Needs<'db' | 'clock'>, id: number, by: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const draft = await lockDraft(tx, id)
    if (!draft) throw new Refusal('unknown_draft')
    requireEditable(draft)
    await deleteDraftRow(tx, id)
    await recordAction(tx, { by, what: 'deleted', about: { kind: 'draft', id }, at: clock.now() })
  })
}

/** @param what was changed by the one who saved it meanwhile */
export const draftChanged = (stored: StoredDraft, what: string): Refusal =>
  new Refusal('draft_changed', { name: stored.updatedBy, what, summary: toDraft(stored) })

export function requireEditable({ state }: StoredDraft): void {
  if (isEditable(state)) return
  const reason = state === 'creating' ? 'the product is being made.' : 'the product is in the catalog.'
  throw new Refusal('draft_closed', { reason })
}

const partNames: Readonly<Record<keyof DraftContent, string>> = {
  blankId: 'blank',
  takenOver: 'printer’s product',
  placements: 'drawing',
  colors: 'colors',
  sizes: 'sizes',
  prices: 'prices',
  name: 'name',
  slug: 'web address',
  description: 'description',
  type: 'product type',
  collection: 'collection',
  badge: 'badge',
  keywords: 'keywords',
  shippingSurcharge: 'shipping surcharge',
  restrictions: 'restrictions',
  publishAt: 'day of publishing',
  staysDraft: 'publishing',
}

/** What differs, by the names that the form gives it. */
function changedParts(before: DraftContent, after: DraftContent): string[] {
  const names = Object.keys(partNames) as (keyof DraftContent)[]
  return names.flatMap((name) => (isSameValue(before[name], after[name]) ? [] : partNames[name]))
}

export const toDraft = (row: StoredDraft): Draft => ({
  ...{ id: row.id, version: row.version, step: row.step, state: row.state, content: row.content },
  refusal: row.refusal,
  progress: progressOf(row),
  remark: row.remark,
  batch: row.batch,
  isUnfilled: row.copyPlan !== null,
  productId: row.productId,
  updatedBy: row.updatedBy,
  updatedAt: row.updatedAt.toISOString(),
})

function progressOf({ state, askedAt, mockups, syncProductId, productId }: StoredDraft): string | null {
  if (state !== 'creating') return null
  if (productId !== null) return 'The product is in the catalog. Its variants are being read.'
  if (mockups?.taskKey) return 'The printer has the product, and is making its pictures.'
  if (syncProductId !== null) return 'The printer has the product. The catalog takes it over.'
  return askedAt === null ? 'The product is about to be made.' : 'The printer is making the product.'
}
