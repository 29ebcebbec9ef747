import {
  applyChanges,
  diffVariants,
  isListPlausible,
  canAutoApply,
  isSameChange,
  isSellable,
  movesMargin,
  objectionToAnswer,
  toVariantCopy,
  type Change,
  type Copies,
  type VariantCopy,
} from '#domain/catalog/sync-diff.ts'
import { productsBelowFloor } from '#domain/catalog/margin-floor.ts'
import { marginsOf } from '#domain/catalog/margin.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import type { SyncTrigger } from '#server/catalog/schema.ts'
import type { SyncProduct } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { copyPictures } from './preview-pictures.ts'
import { readCopyMargins, type CopyMargins } from './sync-pieces.ts'
import {
  claimNewerAnswer,
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

export type SyncNeeds = Needs<'db' | 'clock' | 'printful' | 'pictureProcess' | 'config' | 'log'>

export type SyncReport = {
  /** The sync's id, for applying and reverting it. */
  sync: number
  state: 'done' | 'not_believed'
  /** Products that the printer answered for, and their variants. */
  products: number
  variants: number
  /** Changes that were applied, and those that wait for the owner. */
  applied: number
  waiting: number
  pictures: number
  /** What was left unchanged, and why. */
  remarks: string[]
}

type Run = Omit<SyncReport, 'pictures'> & {
  /** The first sync of an empty catalog records no changes. */
  isFirst: boolean
  costs: Map<number, Promise<ReadonlyMap<number, Cents>>>
  /** Consecutive products without an answer. */
  unanswered: number
}

/** A product to fetch by the printer's id. Products missing from the printer's list are fetched too, to be sure. */
type ProductToCheck = { product: KnownProduct; id: SyncProductId; isListed: boolean }

/** The printer's product; `gone` when it no longer exists there. */
type Answer = SyncProduct | 'gone'

/** After this many consecutive products without an answer the printer counts as down. */
const UNANSWERED_MAX = 3
const REMARKS_MAX = 100
const NAMES_LISTED = 20

/**
 * Compares our copies of the printer's variants with its store and applies safe changes: availability, and what shoppers do not see.
 * Other changes wait for the owner, except a product's first variants; so does a cost with which a sale leaves too little. Each product is fetched and saved on its own. An implausible
 * answer changes nothing, and an empty or partial answer never deletes anything.
 * @throws ProviderUnavailable, ProviderRefusal when the printer does not answer; changes up to then stay
 */
export function syncCatalog(shop: SyncNeeds, trigger: SyncTrigger): Promise<SyncReport> {
  return recordRun(shop, { trigger, whole: true }, async (run) => {
    const known = await listKnownProducts(shop.db)
    const products = await productsToCheck(shop, run, known)
    if (products) await syncEach(shop, run, products)
  })
}

/** The same for some products, after an event of the printer. @throws as `syncCatalog` */
export const syncProducts = (
  shop: SyncNeeds,
  products: readonly Omit<ProductToCheck, 'isListed'>[],
): Promise<SyncReport> =>
  recordRun(shop, { trigger: 'event', whole: false }, (run) =>
    syncEach(
      shop,
      run,
      products.map((product) => ({ ...product, isListed: false })),
    ),
  )

async function recordRun(
  shop: SyncNeeds,
  kind: { trigger: SyncTrigger; whole: boolean },
  work: (run: Run) => Promise<void>,
): Promise<SyncReport> {
  const { db, clock, log } = shop
  const isFirst = !(await hasEverHadVariants(db))
  const id = await db.transaction((tx) => insertSync(tx, { ...kind, startedAt: clock.now() }))
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
    unanswered: 0,
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
  const pictures = kind.whole || run.applied ? await copyPictures(shop) : 0
  if (pictures) clearListingCache(db)
  const { isFirst: _, costs: __, unanswered: ___, ...report } = { ...run, pictures }
  log.info({ ...report, remarks: report.remarks.length }, 'catalog synchronized')
  return report
}

/** @returns undefined when the printer's list is implausibly short */
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
  // A shop without products has none to lose.
  if (known.length > 0 && !isListPlausible(before.length, found.size)) {
    shop.log.error(
      { before: before.length, found: found.size },
      'the printer lists too few of our products; the catalog stays unchanged',
    )
    addRemark(run, `The printer listed ${found.size} of our ${before.length} products; nothing was compared.`)
    run.state = 'not_believed'
    return undefined
  }
  if (unlisted.length) addRemark(run, `Not in the shop (${unlisted.length}): ${namesOf(unlisted)}`)
  const missing = before.flatMap((product) =>
    found.has(product.id) || product.syncProductId === null
      ? []
      : [{ product, id: product.syncProductId, isListed: false }],
  )
  if (missing.length)
    addRemark(
      run,
      `Not in the printer’s list, so fetched one by one (${missing.length}): ${namesOf(missing.map(({ product }) => product.slug))}`,
    )
  return [...found.values(), ...missing]
}

/** Products without an answer get a second try at the end. */
async function syncEach(shop: SyncNeeds, run: Run, products: readonly ProductToCheck[]): Promise<void> {
  let outage: ProviderUnavailable | undefined
  let left = products
  for (let round = 1; round <= 2 && left.length; round += 1) {
    const unanswered: ProductToCheck[] = []
    for (const product of left) {
      try {
        await syncProduct(shop, run, product)
        run.unanswered = 0
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error
        outage = error
        run.unanswered += 1
        if (run.unanswered >= UNANSWERED_MAX) throw error
        unanswered.push(product)
      }
    }
    left = unanswered
  }
  if (outage && !run.products) throw outage
  for (const { product } of left)
    addRemark(run, `${product.slug}: the printer gave no answer; the product stays unchanged.`)
}

/** Fetches a product and saves what may be saved. @throws ProviderUnavailable with nothing changed */
async function syncProduct(shop: SyncNeeds, run: Run, { product, id, isListed }: ProductToCheck): Promise<void> {
  const { db, clock } = shop
  const askedAt = clock.now()
  const answer = await answerAbout(shop, run, { product, id, isListed })
  if (!answer) return
  const costs = answer === 'gone' ? new Map<number, Cents>() : await costsOf(shop, run, answer)
  const done = await db.transaction(async (tx) => {
    const printerId = answer === 'gone' ? undefined : answer.id
    if (printerId !== undefined && printerId !== product.syncProductId && !run.isFirst)
      await unmapProduct(tx, printerId, product.id)
    if (!(await claimNewerAnswer(tx, product.id, askedAt, printerId))) return undefined
    return compareProduct(tx, shop, run, { product, answer, costs })
  })
  if (!done) return
  run.products += 1
  run.variants += done.variants
  run.applied += done.applied
  run.waiting += done.waiting
}

/** @returns undefined for an implausible answer */
async function answerAbout(
  { printful, log }: SyncNeeds,
  run: Run,
  { product: { slug }, id, isListed }: ProductToCheck,
): Promise<Answer | undefined> {
  const leave = (why: string): undefined => {
    log.warn({ product: slug }, `${why}; the product stays unchanged`)
    addRemark(run, `${slug}: ${why}; the product stays unchanged.`)
  }
  let received: SyncProduct
  try {
    received = await printful.getProduct(id)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    if (error.code !== 'NotFound') return leave(`the printer refused: ${error.message}`)
    return isListed ? leave('it is in the printer’s list, but the printer cannot find it') : 'gone'
  }
  if (received.externalId !== slug) return leave(`the printer now calls it ${received.externalId ?? 'nothing'}`)
  if (received.ignored) return 'gone'
  const objection = objectionToAnswer(received.variantCount, received.variants)
  if (objection === 'no_variants') return leave('it came without variants')
  if (objection) return leave(`it came with ${received.variants.length} of ${received.variantCount} variants`)
  return received
}

/** The variants' costs. Each blank is fetched once per run; when that fails its costs are unknown. */
async function costsOf({ printful, log }: SyncNeeds, run: Run, { variants }: SyncProduct): Promise<Map<number, Cents>> {
  const costs = new Map<number, Cents>()
  for (const blankId of new Set(variants.flatMap((variant) => variant.blankId ?? []))) {
    let blankCosts = run.costs.get(blankId)
    if (!blankCosts) {
      blankCosts = printful.listCosts(blankId).catch((error: unknown) => {
        log.warn({ err: error, blankId }, 'could not fetch the costs of a blank')
        return new Map<number, Cents>()
      })
      run.costs.set(blankId, blankCosts)
    }
    for (const [id, cost] of await blankCosts) costs.set(id, cost)
  }
  return costs
}

const NO_COPIES = { copies: new Map<VariantId, VariantCopy>(), isNew: true, pricedHere: new Set<VariantId>() }

/** Applies what may be applied and stores the rest for the owner. The caller has locked the product. */
async function compareProduct(
  tx: Tx,
  shop: SyncNeeds,
  run: Run,
  { product, answer, costs }: { product: KnownProduct; answer: Answer; costs: ReadonlyMap<number, Cents> },
): Promise<{ variants: number; applied: number; waiting: number }> {
  const { config, log } = shop
  const now = shop.clock.now()
  const answered = answer === 'gone' ? [] : answer.variants
  const ids = answered.map(({ id }) => id)
  const { copies, isNew, pricedHere } = run.isFirst ? NO_COPIES : await listCopiesOf(tx, product.id, ids)
  const received = toVariantCopy(copies, product.id, answered, costs, pricedHere)
  const unreadable = answered.filter((variant) => !variant.ignored && !isSellable(variant))
  if (unreadable.length) {
    const why = `${unreadable.length} variants came without a price or a blank`
    log.warn({ product: product.slug, variantIds: unreadable.map(({ id }) => id) }, why)
    addRemark(run, `${product.slug}: ${why}; our copies of them stay unchanged.`)
  }

  const changes = diffVariants(copies, received)
  const undecided = run.isFirst ? [] : await listUndecidedOrRejected(tx, product.id)
  const outdated = undecided.filter(
    (old) => old.state === 'waiting' && !changes.some((change) => isSameChange(old, change)),
  )
  await setStates(
    tx,
    outdated.map(({ id }) => id),
    'superseded',
    now,
  )
  const fresh = changes.filter((change) => !undecided.some((old) => isSameChange(change, old)))
  const margins = await readCopyMargins(
    tx,
    shop,
    fresh.some(movesMargin) ? [...copies.values(), ...received.values()] : [],
  )
  const appliesAll = isNew || config.sync.applies === 'everything'
  const judgedChanges = judgeChanges(copies, fresh, margins, (change) => appliesAll || canAutoApply(change.kind), isNew)
  const applied = judgedChanges.flatMap(({ change, isApplied }) => (isApplied ? change : []))
  await applySyncChanges(tx, copies, applied, now)
  // The initial catalog is not recorded as changes: reverting it would leave nothing to sell.
  if (!run.isFirst)
    await insertChanges(
      tx,
      judgedChanges.map(({ change, isApplied, ...effect }) => ({
        ...change,
        ...effect,
        syncId: run.sync,
        productId: product.id,
        state: isApplied ? ('applied' as const) : ('waiting' as const),
        decidedAt: now,
      })),
    )
  return { variants: received.size, applied: applied.length, waiting: fresh.length - applied.length }
}

type JudgedChange = {
  change: Change
  isApplied: boolean
  marginBeforeCents: Cents | null
  marginAfterCents: Cents | null
}

/** What may be applied unasked waits all the same when a sale would leave less than the owner's floor with it. */
function judgeChanges(
  copies: Copies,
  changes: readonly Change[],
  margins: CopyMargins,
  mayApply: (change: Change) => boolean,
  isNew: boolean,
): JudgedChange[] {
  const now = new Map(copies)
  const usualOf = (copy: VariantCopy | undefined): Cents | null => {
    const piece = margins.pieceOf(copy)
    return piece ? marginsOf(piece.price, piece.basis).usual.margin : null
  }
  return changes.map((change) => {
    const before = now.get(change.variantId)
    const after = change.after ? { ...(before as VariantCopy), ...change.after } : undefined
    const isBelow = !isNew && movesMargin(change) && productsBelowFloor(margins.judged(before, after)).length > 0
    const isApplied = mayApply(change) && !isBelow
    if (isApplied && after) now.set(change.variantId, after)
    return {
      ...{ change, isApplied },
      marginBeforeCents: movesMargin(change) ? usualOf(before) : null,
      marginAfterCents: movesMargin(change) ? usualOf(after) : null,
    }
  })
}

/** Saves changes that were checked to fit. */
export async function applySyncChanges(tx: Tx, copies: Copies, changes: readonly Change[], now: Date): Promise<void> {
  const touched = new Set(changes.map(({ variantId }) => variantId))
  await saveCopies(tx, applyChanges(copies, changes), [...touched], now)
}

const namesOf = (names: readonly string[]): string => names.slice(0, NAMES_LISTED).join(', ')

function addRemark(run: Run, sentence: string): void {
  if (run.remarks.length < REMARKS_MAX) run.remarks.push(sentence.slice(0, 500))
}
