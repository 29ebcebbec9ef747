import type { CatalogVersion } from '#contract/catalog-version.ts'
import { colorText } from '#domain/catalog/color-text.ts'
import { changedMembers, type ProductContent } from '#domain/catalog/product-content.ts'
import { productCanBecome } from '#domain/catalog/product-state.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { listCollections } from './collections.ts'
import { clearListingCache } from './listing-cache.ts'
import { requireFloorOfProduct } from './margin-guard.ts'
import {
  listForOwner,
  listNamed,
  listSlugOwners,
  lockContent,
  lockDueProducts,
  nextProductId,
  readContents,
  writeContents,
  type StoredContent,
} from './product-store.ts'
import { listProductTypes } from './product-types.ts'
import { changesSince, findRevision, listRevisions, recordRevision, versionsOf } from './revisions.ts'
import type { RevisionSource } from './schema.ts'

/** All products in any state, by id. */
export const listProductsForOwner = (db: Reader, after: ProductId | undefined, limit: number) =>
  listForOwner(db, after, limit)

/** The product types to choose from. */
/** Products in any state whose name contains a text, the newest first. */
export const listProductsNamed = (db: Reader, text: string, limit: number) => listNamed(db, text, limit)

export const listTypeChoices = async (db: Reader): Promise<{ key: string; name: string }[]> =>
  (await listProductTypes(db)).map(({ key, name }) => ({ key, name }))

/** Newest first. */
export const listProductVersions = async (db: Reader, id: ProductId): Promise<CatalogVersion[]> =>
  versionsOf(await listRevisions(db, 'product', String(id)), wordsOf)

/** Makes a product in the caller's transaction. @throws Refusal `invalid` with what is wrong by field */
export async function createProduct(
  tx: Tx,
  content: ProductContent,
  { by, source, at }: { by: Actor; source: RevisionSource; at: Date },
): Promise<ProductId> {
  const id = await nextProductId(tx)
  await checkContent(tx, id, undefined, content)
  await save(tx, id, undefined, content, { by, source, at })
  await recordAction(tx, { by, what: 'created', about: { kind: 'product', id }, after: factsOf(content), at })
  return id
}

/** Whether a product can be made with this content now. @throws Refusal `invalid` with what is wrong by field */
export const checkNewProduct = (db: Reader, content: ProductContent): Promise<void> =>
  checkContent(db, NO_PRODUCT, undefined, content)
const NO_PRODUCT = 0 as ProductId

/** @returns undefined for an unknown product */
export const findProductContent = async (db: Reader, id: ProductId): Promise<StoredContent | undefined> =>
  (await readContents(db, [id])).get(id)

/** What the owner edits; everything else of the content stays. */
export type ProductEdit = Partial<ProductContent>

/**
 * Saves an owner's edit; shoppers see it immediately.
 * @param version the one that the edit was based on
 * @param accepted the owner has accepted sales below the floor
 * @throws Refusal `unknown_product`; `product_changed` when somebody else saved since; `invalid` with what is wrong by field; `below_floor`
 */
export const saveProduct = (
  shop: Needs<'db' | 'clock' | 'config'>,
  id: ProductId,
  { version, edit, accepted = false }: { version: number; edit: ProductEdit; accepted?: boolean },
  by: Actor,
): Promise<void> =>
  change(shop, id, { version, by, accepted, source: 'admin', what: 'changed' }, ({ content }) => {
    const renamed = edit.slug !== undefined && edit.slug !== content.slug
    // The printer goes on calling it by its first slug.
    return { ...content, ...edit, ...(renamed && { externalId: content.externalId ?? content.slug }) }
  })

/** Saves an earlier version's content again. The state stays: restoring a text must not put a product on sale. @throws as `saveProduct` */
export const restoreProduct = (
  shop: Needs<'db' | 'clock' | 'config'>,
  id: ProductId,
  { version, restored, accepted }: { version: number; restored: number; accepted: boolean },
  by: Actor,
): Promise<void> =>
  change(
    shop,
    id,
    { version, by, accepted, source: 'undo', what: `restored version ${restored}` },
    async ({ content }, tx) => {
      const revision = await findRevision(tx, 'product', String(id), restored)
      if (!revision) throw new Refusal('unknown_product')
      const { state, publishAt, externalId } = content
      return { ...content, ...revision.content, state, publishAt, externalId }
    },
  )

type OwnersChange = { version: number; by: Actor; accepted: boolean; source: RevisionSource; what: string }

async function change(
  shop: Needs<'db' | 'clock' | 'config'>,
  id: ProductId,
  { version, what, accepted, ...saved }: OwnersChange,
  edit: (before: StoredContent, tx: Tx) => Promise<ProductContent> | ProductContent,
): Promise<void> {
  const { db } = shop
  const at = shop.clock.now()
  await db.transaction(async (tx) => {
    const before = await lockContent(tx, id)
    if (!before) throw new Refusal('unknown_product')
    if (before.version !== version)
      throw new Refusal('product_changed', {
        changes: await changesSince(tx, { kind: 'product', key: String(id), version }, before.content, wordsOf),
      })
    const after = await edit(before, tx)
    if (!changedMembers(before.content, after).length) return
    await checkContent(tx, id, before.content, after)
    const decision = { by: saved.by, accepted, about: { kind: 'product', id }, at }
    await requireFloorOfProduct(tx, shop, id, { before: before.content, after }, decision)
    await save(tx, id, before, after, { ...saved, at })
    const [was, became] = changedFacts(factsOf(before.content), factsOf(after))
    await recordAction(tx, { by: saved.by, what, about: { kind: 'product', id }, before: was, after: became, at })
  })
  clearListingCache(db)
}

async function save(
  tx: Tx,
  id: ProductId,
  before: StoredContent | undefined,
  content: ProductContent,
  { by, source, at }: { by: Actor | 'shop'; source: RevisionSource; at: Date },
): Promise<void> {
  const version = (before?.version ?? 0) + 1
  await writeContents(tx, [{ id, version, before: before?.content, content }], at)
  const name = by === 'shop' ? by : by.name
  await recordRevision(tx, { kind: 'product', key: String(id), version, content, source, by: name, at })
}

/** As the editor's labels name them. */
const memberNames: Readonly<Partial<Record<string, string>>> = {
  place: 'position in lists',
  metadata: 'surcharge, restrictions and keywords',
  publishAt: 'publish time',
  requiresOptions: 'button text',
  providerProductId: 'printer’s product',
  externalId: 'printer’s name',
} satisfies Partial<Record<keyof ProductContent, string>>
const wordsOf = (member: string): string => memberNames[member] ?? member

/** @throws Refusal `invalid` */
async function checkContent(
  db: Reader,
  id: ProductId,
  before: ProductContent | undefined,
  { slug, state, publishAt, type, collection }: ProductContent,
): Promise<void> {
  const from = before?.state ?? 'draft'
  const isTypeKnown = (await listProductTypes(db)).some(({ key }) => key === type)
  const isCollectionKnown = (await listCollections(db)).some((known) => known.id === collection)
  const isSlugFree = slug === before?.slug || (await listSlugOwners(db, slug)).every((owner) => owner === id)
  const mistakes = {
    ...(!isSlugFree && { slug: 'Another product has this address, or had it before. Please choose a different one.' }),
    ...(!isTypeKnown && { type: 'Please choose a type of this shop' }),
    ...(!isCollectionKnown && { collection: 'Please choose a collection of this shop' }),
    ...(!productCanBecome(from, state) && { state: `A ${from} product can’t become ${state}` }),
    ...(state === 'scheduled' && publishAt === null && { publishAt: 'Please choose when it goes on sale' }),
  }
  if (Object.keys(mistakes).length) throw new Refusal('invalid', {}, mistakes)
}

/** Publishes what is due. Any instance may do it, and each product once. @returns how many */
export async function publishDueProducts({ db, clock }: Needs<'db' | 'clock'>): Promise<number> {
  const at = clock.now()
  const published = await db.transaction(async (tx) => {
    const due = await lockDueProducts(tx, at)
    for (const { id } of due) {
      const before = await lockContent(tx, id)
      if (before)
        await save(tx, id, before, { ...before.content, state: 'published' }, { by: 'shop', source: 'schedule', at })
    }
    return due.length
  })
  if (published) clearListingCache(db)
  return published
}

/** For the audit log. */
function factsOf(content: ProductContent): ActionFacts {
  const { shippingSurcharge: surcharge, restrictions, keywords } = content.metadata
  return {
    name: content.name,
    address: content.slug,
    badge: content.badge,
    description: content.description,
    collection: content.collection,
    type: content.type,
    colors: content.colors.map(colorText).join(', '),
    state: content.state,
    'goes on sale': content.state === 'scheduled' ? content.publishAt : null,
    place: content.place,
    surcharge: surcharge?.enabled
      ? `${formatUsd(surcharge.amount)} to ${surcharge.regions.join(', ')}: ${surcharge.description}`
      : null,
    'not shipped to': restrictions?.blockedCountries.join(', ') || null,
    'delayed in': restrictions?.delayRegions.join(', ') || null,
    age: restrictions?.minimumAge ?? null,
    keywords: keywords?.join(', ') || null,
  }
}

function changedFacts(before: ActionFacts, after: ActionFacts): [ActionFacts, ActionFacts] {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  const only = (facts: ActionFacts) => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]))
  return [only(before), only(after)]
}
