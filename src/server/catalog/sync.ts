import {
  applyChanges,
  diffVariants,
  isListPlausible,
  isSafe,
  isSameChange,
  isSellable,
  marginEffect,
  objectionToAnswer,
  toVariantCopy,
  type Change,
  type Copies,
  type VariantCopy,
} from '#domain/catalog/sync-diff.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import type { SyncTrigger } from '#server/db/schema.ts'
import type { SyncProduct } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { copyPictures } from './preview-pictures.ts'
import {
  claimAnswer,
  insertChanges,
  insertSync,
  listCopiesOf,
  listKnownProducts,
  listUndecidedOrRejected,
  saveCopies,
  setStates,
  unmapProduct,
  updateSync,
  type KnownProduct,
} from './sync-store.ts'
import { hasEverHadVariants } from './store.ts'

export type SyncNeeds = Needs<'db' | 'clock' | 'printful' | 'config' | 'log'>

export type SyncReport = {
  /** By which it can be applied and reverted. */
  sync: number
  state: 'done' | 'not_believed'
  /** Products of ours that the partner answered for, and its variants of them. */
  products: number
  variants: number
  /** Changes that were made, and those that wait for the owner. */
  applied: number
  waiting: number
  /** Pictures copied this time. */
  pictures: number
  /** What stays as it is, and why. */
  remarks: string[]
}

type Run = Omit<SyncReport, 'pictures'> & {
  /** The catalog was empty: there is nothing yet that could change. */
  isFirst: boolean
  costs: Map<number, Promise<ReadonlyMap<number, Cents>>>
  /** Products that gave no answer, one after the other. */
  silent: number
}

/** A product to ask about, by the partner's id. One that is not in its list is asked about to be sure. */
type ProductToCheck = { product: KnownProduct; id: SyncProductId; isListed: boolean }

/** What the partner has of a product: nothing, when it says that there is no such product. */
type Answer = SyncProduct | 'gone'

/** After so many products without an answer the partner is away. */
const SILENCE_MAX = 3
const REMARKS_MAX = 100
const NAMES_LISTED = 20

/**
 * Compares our copies of the partner's variants with its store and brings up to date what is safe: what can be made, and what
 * shoppers do not see. Everything else waits for the owner, except what a product gets first of all. Each product is
 * asked about and written by itself; one whose answer cannot be believed stays as it is, and nothing is ever deleted by an
 * answer that is empty or lacks a part.
 * @throws ProviderUnavailable, ProviderRefusal: the partner does not answer; what was compared until then holds
 */
export function syncCatalog(shop: SyncNeeds, trigger: SyncTrigger): Promise<SyncReport> {
  return recordRun(shop, { trigger, whole: true }, async (run) => {
    const known = await listKnownProducts(shop.db)
    const asked = await productsToCheck(shop, run, known)
    if (asked) await syncEach(shop, run, asked)
  })
}

/** The same for some products, of which the partner has said something. @throws as `syncCatalog` */
export const syncProducts = (shop: SyncNeeds, some: readonly Omit<ProductToCheck, 'isListed'>[]): Promise<SyncReport> =>
  recordRun(shop, { trigger: 'event', whole: false }, (run) =>
    syncEach(
      shop,
      run,
      some.map((one) => ({ ...one, isListed: false })),
    ),
  )

async function recordRun(
  shop: SyncNeeds,
  how: { trigger: SyncTrigger; whole: boolean },
  work: (run: Run) => Promise<void>,
): Promise<SyncReport> {
  const { db, clock, log } = shop
  const isFirst = !(await hasEverHadVariants(db))
  const id = await db.transaction((tx) => insertSync(tx, { ...how, startedAt: clock.now() }))
  const run: Run = {
    sync: id,
    state: 'done',
    products: 0,
    variants: 0,
    applied: 0,
    waiting: 0,
    remarks: [],
    isFirst,
    costs: new Map(),
    silent: 0,
  }
  const end = (state: 'done' | 'not_believed' | 'failed') =>
    db.transaction((tx) => {
      const { products, variants, remarks } = run
      return updateSync(tx, id, { state, products, variants, remarks, finishedAt: clock.now() })
    })
  try {
    await work(run)
  } catch (error) {
    await end('failed')
    throw error
  } finally {
    if (run.applied) clearListingCache(db)
  }
  await end(run.state)
  const pictures = how.whole || run.applied ? await copyPictures(shop) : 0
  if (pictures) clearListingCache(db)
  const { isFirst: _, costs: __, silent: ___, ...report } = { ...run, pictures }
  log.info({ ...report, remarks: report.remarks.length }, 'catalog synchronized')
  return report
}

/** @returns whom to ask about; undefined when the partner's list cannot be right */
async function productsToCheck(
  shop: SyncNeeds,
  run: Run,
  known: readonly KnownProduct[],
): Promise<ProductToCheck[] | undefined> {
  const bySlug = new Map(known.map((product) => [product.slug, product]))
  const found = new Map<ProductId, ProductToCheck>()
  const unlisted: string[] = []
  for await (const { id, externalId, name, ignored } of shop.printful.listProducts()) {
    const product = externalId === null ? undefined : bySlug.get(externalId)
    if (product && !ignored) found.set(product.id, { product, id, isListed: true })
    else if (!product) unlisted.push(externalId ?? name)
  }
  const before = known.filter(({ syncProductId }) => syncProductId !== null)
  if (!isListPlausible(before.length, found.size)) {
    shop.log.error(
      { before: before.length, found: found.size },
      'the printer lists too few of our products; the catalog stays as it is',
    )
    addRemark(run, `The printer listed ${found.size} of our ${before.length} products; nothing was compared.`)
    run.state = 'not_believed'
    return undefined
  }
  if (unlisted.length) addRemark(run, `Not in the catalog file (${unlisted.length}): ${namesOf(unlisted)}`)
  const missing = before.flatMap((product) =>
    found.has(product.id) || product.syncProductId === null
      ? []
      : [{ product, id: product.syncProductId, isListed: false }],
  )
  if (missing.length)
    addRemark(
      run,
      `Not listed, so asked about one by one (${missing.length}): ${namesOf(missing.map(({ product }) => product.slug))}`,
    )
  return [...found.values(), ...missing]
}

/** Who gave no answer is asked once more at the end. */
async function syncEach(shop: SyncNeeds, run: Run, asked: readonly ProductToCheck[]): Promise<void> {
  let trouble: ProviderUnavailable | undefined
  let left = asked
  for (let round = 1; round <= 2 && left.length; round += 1) {
    const silent: ProductToCheck[] = []
    for (const one of left) {
      try {
        await syncProduct(shop, run, one)
        run.silent = 0
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error
        trouble = error
        run.silent += 1
        if (run.silent >= SILENCE_MAX) throw error
        silent.push(one)
      }
    }
    left = silent
  }
  if (trouble && !run.products) throw trouble
  for (const { product } of left) addRemark(run, `${product.slug}: the printer gave no answer; it stays as it is.`)
}

/** Asks about a product and writes what may be written. @throws ProviderUnavailable nothing was changed */
async function syncProduct(shop: SyncNeeds, run: Run, { product, id, isListed }: ProductToCheck): Promise<void> {
  const { db, clock } = shop
  const askedAt = clock.now()
  const answer = await answerAbout(shop, run, { product, id, isListed })
  if (!answer) return
  const costs = answer === 'gone' ? new Map<number, Cents>() : await costsOf(shop, run, answer)
  const done = await db.transaction(async (tx) => {
    const theirId = answer === 'gone' ? undefined : answer.id
    if (theirId !== undefined && theirId !== product.syncProductId && !run.isFirst)
      await unmapProduct(tx, theirId, product.id)
    if (!(await claimAnswer(tx, product.id, askedAt, theirId))) return undefined
    return compareProduct(tx, shop, run, { product, answer, costs })
  })
  if (!done) return
  run.products += 1
  run.variants += done.variants
  run.applied += done.applied
  run.waiting += done.waiting
}

/** @returns undefined for an answer that is not believed */
async function answerAbout(
  { printful, log }: SyncNeeds,
  run: Run,
  { product: { slug }, id, isListed }: ProductToCheck,
): Promise<Answer | undefined> {
  const leave = (why: string): undefined => {
    log.warn({ product: slug }, `${why}; the product stays as it is`)
    addRemark(run, `${slug}: ${why}; it stays as it is.`)
  }
  let theirs: SyncProduct
  try {
    theirs = await printful.getProduct(id)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    if (error.code !== 'NotFound') return leave(`the printer says no: ${error.message}`)
    return isListed ? leave('it is listed, but the printer does not find it') : 'gone'
  }
  if (theirs.externalId !== slug) return leave(`the printer now calls it ${theirs.externalId ?? 'nothing'}`)
  if (theirs.ignored) return 'gone'
  const objection = objectionToAnswer(theirs.variantCount, theirs.variants)
  if (objection === 'no_variants') return leave('it came without variants')
  if (objection) return leave(`it came with ${theirs.variants.length} of ${theirs.variantCount} variants`)
  return theirs
}

/** What its variants cost us; a blank is asked about once a run, and one whose costs cannot be had has none. */
async function costsOf({ printful, log }: SyncNeeds, run: Run, { variants }: SyncProduct): Promise<Map<number, Cents>> {
  const costs = new Map<number, Cents>()
  for (const blankId of new Set(variants.flatMap((variant) => variant.blankId ?? []))) {
    let ofBlank = run.costs.get(blankId)
    if (!ofBlank) {
      ofBlank = printful.listCosts(blankId).catch((error: unknown) => {
        log.warn({ err: error, blankId }, 'the costs of a blank could not be had')
        return new Map<number, Cents>()
      })
      run.costs.set(blankId, ofBlank)
    }
    for (const [id, cost] of await ofBlank) costs.set(id, cost)
  }
  return costs
}

const NO_COPIES = { copies: new Map<VariantId, VariantCopy>(), isNew: true }

/** Writes what may be written and keeps the rest for the owner. The product is locked. */
async function compareProduct(
  tx: Tx,
  { clock, config, log }: SyncNeeds,
  run: Run,
  { product, answer, costs }: { product: KnownProduct; answer: Answer; costs: ReadonlyMap<number, Cents> },
): Promise<{ variants: number; applied: number; waiting: number }> {
  const now = clock.now()
  const answered = answer === 'gone' ? [] : answer.variants
  const ids = answered.map(({ id }) => id)
  const { copies, isNew } = run.isFirst ? NO_COPIES : await listCopiesOf(tx, product.id, ids)
  const theirs = toVariantCopy(copies, product.id, answered, costs)
  const unreadable = answered.filter((variant) => !variant.ignored && !isSellable(variant))
  if (unreadable.length) {
    const why = `${unreadable.length} variants came without a price or a blank`
    log.warn({ product: product.slug, variantIds: unreadable.map(({ id }) => id) }, why)
    addRemark(run, `${product.slug}: ${why}; what we had of them stays as it is.`)
  }

  const changes = diffVariants(copies, theirs)
  const remembered = run.isFirst ? [] : await listUndecidedOrRejected(tx, product.id)
  const past = remembered.filter((one) => one.state === 'waiting' && !changes.some((two) => isSameChange(one, two)))
  await setStates(
    tx,
    past.map(({ id }) => id),
    'superseded',
    now,
  )
  const fresh = changes.filter((one) => !remembered.some((two) => isSameChange(one, two)))
  const appliesAll = isNew || config.sync.applies === 'everything'
  const isApplied = ({ kind }: Change) => appliesAll || isSafe(kind)
  const applied = fresh.filter(isApplied)
  await applySyncChanges(tx, copies, applied, now)
  // What the shop began with is no change: it could be taken back only by selling nothing.
  if (!run.isFirst)
    await insertChanges(
      tx,
      fresh.map((change) => {
        const margin = marginEffect(copies, change)
        return {
          ...change,
          syncId: run.sync,
          productId: product.id,
          marginBeforeCents: margin.before,
          marginAfterCents: margin.after,
          state: isApplied(change) ? ('applied' as const) : ('waiting' as const),
          decidedAt: now,
        }
      }),
    )
  return { variants: theirs.size, applied: applied.length, waiting: fresh.length - applied.length }
}

/** Makes changes that fit what is there. */
export async function applySyncChanges(tx: Tx, copies: Copies, changes: readonly Change[], now: Date): Promise<void> {
  const touched = new Set(changes.map(({ variantId }) => variantId))
  await saveCopies(tx, applyChanges(copies, changes), [...touched], now)
}

const namesOf = (names: readonly string[]): string => names.slice(0, NAMES_LISTED).join(', ')

function addRemark(run: Run, sentence: string): void {
  if (run.remarks.length < REMARKS_MAX) run.remarks.push(sentence.slice(0, 500))
}
