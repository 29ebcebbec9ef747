import { PROBLEMS_SHOWN, type ImportedProducts, type ImportReport } from '#contract/admin-imports.ts'
import { parseAddress } from '#domain/catalog/redirects.ts'
import type { ImportChoices } from '#domain/imports/choices.ts'
import {
  formerShopNames,
  type FormerOrder,
  type FormerProduct,
  type FormerRedirect,
  type FormerShop,
  type ImportItem,
  type ImportKind,
  type ImportProblem,
} from '#domain/imports/former-shop.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { addRedirects } from '#server/catalog/redirects.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { CsvMistake } from '#server/files/csv-reader.ts'
import { Refusal } from '#server/http/refusal.ts'
import { addFormerSubscribers } from '#server/messages/former-subscribers.ts'
import { addPastOrders } from '#server/orders/past-orders.ts'
import type { Needs } from '#server/shop.ts'
import { importProducts, readTies } from './products.ts'
import { kindOfExport, readExport } from './read-export.ts'

type ImportNeeds = Needs<'db' | 'clock' | 'config' | 'printful' | 'jobs'>

export type ImportRequest = {
  from: FormerShop
  bytes: Uint8Array
  isDryRun: boolean
  by: Actor
  choices?: ImportChoices
  /** False when the caller brings the pictures of products itself. */
  fetchesPictures?: boolean
}

/** Ends a dry run's transaction, which then leaves nothing. */
class DryRun extends Error {}

const BATCH = 500
const NO_CHOICES: ImportChoices = { collection: null, types: {} }

/** What a file brings, while it is read. */
type Report = Pick<ImportReport, 'rows' | 'added' | 'unchanged' | 'problems' | 'problemCount' | 'products'>

const addProblem = (report: Report, problem: ImportProblem): void => {
  report.problemCount += 1
  if (report.problems.length < PROBLEMS_SHOWN) report.problems.push(problem)
}

/**
 * Imports an export file in one transaction: everything that can come, or nothing. A dry run does the same and takes it back, so its
 * report is what an import would do. The same file again changes nothing.
 * @throws Refusal `import_file_refused`; ProviderUnavailable for products when the printer does not answer
 */
export async function importExport(shop: ImportNeeds, request: ImportRequest): Promise<ImportReport> {
  const { from, bytes, isDryRun, by } = request
  const at = shop.clock.now()
  const report: Report = { rows: 0, added: 0, unchanged: 0, problems: [], problemCount: 0, products: null }
  let kind: ImportKind = 'products'
  try {
    kind = await kindOfExport(from, bytes)
    const add = kind === 'products' ? await openProducts(shop, request, report, at) : addRows(shop, request, report, at)
    await shop.db.transaction(async (tx) => {
      await add(tx)
      if (isDryRun) throw new DryRun()
      const { rows, added, unchanged, problemCount: refused } = report
      const about = { kind: 'import', id: from }
      await recordAction(tx, { by, what: `imported ${kind}`, about, after: { rows, added, unchanged, refused }, at })
    })
    if (kind === 'products') clearListingCache(shop.db)
  } catch (error) {
    if (error instanceof CsvMistake) throw new Refusal('import_file_refused', { reason: error.message })
    if (!(error instanceof DryRun)) throw error
  }
  return { kind, isDryRun, ...report, done: sentenceOf(kind, isDryRun, from, report) }
}

type Add = (tx: Tx) => Promise<void>

/** Reads a file of products whole, and what the printer has of them; then they can be added. */
async function openProducts(
  shop: ImportNeeds,
  { from, bytes, by, choices = NO_CHOICES, fetchesPictures = true }: ImportRequest,
  report: Report,
  at: Date,
): Promise<Add> {
  const products: FormerProduct[] = []
  report.rows = await readExport(
    from,
    bytes,
    ({ kind, value }) => {
      if (kind === 'products') products.push(value)
    },
    (problem) => addProblem(report, problem),
  )
  const store = await readTies(shop, products)
  return async (tx) => {
    const { problems, ...found } = await importProducts(shop, tx, products, { store, choices, by, at })
    Object.assign(report, found)
    for (const problem of problems) addProblem(report, problem)
    if (fetchesPictures && found.products.pictures > 0) await shop.jobs.enqueue(tx, 'fetch-pictures', {})
  }
}

/** Reads and adds the rows of any other file, some at a time. */
const addRows =
  (shop: ImportNeeds, { from, bytes }: ImportRequest, report: Report, at: Date): Add =>
  async (tx) => {
    let batch: ImportItem[] = []
    const flush = async () => {
      const outcomes = await addItems(shop, tx, from, batch, at)
      for (const [index, outcome] of outcomes.entries())
        if (typeof outcome === 'object')
          addProblem(report, { row: batch[index]?.value.row ?? 0, column: null, reason: outcome.objection })
        else report[outcome] += 1
      batch = []
    }
    report.rows = await readExport(
      from,
      bytes,
      async (item) => {
        batch.push(item)
        // Redirects are checked against each other, so they come at once; they are small.
        if (batch.length >= BATCH && item.kind !== 'redirects') await flush()
      },
      (problem) => addProblem(report, problem),
    )
    await flush()
  }

type Outcome = 'added' | 'unchanged' | { objection: string }

/** All of one kind. */
async function addItems(
  shop: ImportNeeds,
  tx: Tx,
  from: FormerShop,
  items: readonly ImportItem[],
  at: Date,
): Promise<Outcome[]> {
  const orders = items.flatMap(({ kind, value }) => (kind === 'orders' ? [value] : []))
  if (orders.length > 0) return addOrders(tx, from, orders, at)
  const people = items.flatMap(({ kind, value }) => (kind === 'subscribers' ? [value] : []))
  if (people.length > 0) return addFormerSubscribers(tx, people, at)
  const redirects = items.flatMap(({ kind, value }) => (kind === 'redirects' ? [value] : []))
  if (redirects.length > 0) return addFormerRedirects(shop, tx, redirects, at)
  return []
}

async function addOrders(tx: Tx, from: FormerShop, orders: readonly FormerOrder[], at: Date): Promise<Outcome[]> {
  const added = await addPastOrders(tx, from, orders, at)
  return orders.map(({ number }) => (added.has(number) ? 'added' : 'unchanged'))
}

/** Targets are pages of this shop, or addresses of the former one that another redirect leads on. */
async function addFormerRedirects(
  { config }: ImportNeeds,
  tx: Tx,
  redirects: readonly FormerRedirect[],
  at: Date,
): Promise<Outcome[]> {
  const ourHost = new URL(baseUrlOf(config)).host
  const wanted = redirects.map(({ from, to }) => ({ from, target: parseAddress(to) }))
  const isOurs = ({ target }: (typeof wanted)[number]) => target && (target.host === null || target.host === ourHost)
  const outcomes = (
    await addRedirects(
      tx,
      wanted.filter(isOurs).map(({ from, target }) => ({ from, to: target?.path ?? '/' })),
      at,
    )
  ).values()
  return wanted.map((one) =>
    isOurs(one)
      ? (outcomes.next().value ?? 'unchanged')
      : { objection: `This redirect leads to another host: ${one.target?.host ?? ''}.` },
  )
}

const names: Readonly<Record<ImportKind, readonly [one: string, several: string]>> = {
  products: ['product', 'products'],
  subscribers: ['subscriber', 'subscribers'],
  redirects: ['redirect', 'redirects'],
  orders: ['past order', 'past orders'],
}

function sentenceOf(
  kind: ImportKind,
  isDryRun: boolean,
  from: FormerShop,
  { added, unchanged, problemCount, products }: Report,
): string {
  const what = `${added} ${names[kind][added === 1 ? 0 : 1]}`
  const before = unchanged > 0 ? ` ${unchanged} had come before.` : ''
  const left = problemCount > 0 ? ` ${problemCount} can’t come.` : ''
  const tied = products && added > 0 ? ` ${tiesOf(products)}` : ''
  return isDryRun
    ? `${what} of ${formerShopNames[from]} would come.${tied}${before}${left} Nothing was changed.`
    : `${what} of ${formerShopNames[from]} came.${tied}${before}${left}`
}

const tiesOf = ({ tied, drafts }: ImportedProducts): string =>
  [
    ...(tied > 0 ? [`${tied} with the printer’s variants.`] : []),
    ...(drafts > 0
      ? [
          `${drafts} as ${drafts === 1 ? 'a draft' : 'drafts'}: the printer has nothing for ${drafts === 1 ? 'it' : 'them'} yet.`,
        ]
      : []),
  ].join(' ')
