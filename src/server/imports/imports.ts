import { PROBLEMS_SHOWN, type ImportReport } from '#contract/admin-imports.ts'
import { parseAddress } from '#domain/catalog/redirects.ts'
import {
  formerShopNames,
  type FormerOrder,
  type FormerRedirect,
  type FormerShop,
  type ImportItem,
  type ImportKind,
  type ImportProblem,
} from '#domain/imports/former-shop.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { addRedirects } from '#server/catalog/redirects.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { CsvMistake } from '#server/files/csv-reader.ts'
import { Refusal } from '#server/http/refusal.ts'
import { addFormerSubscribers } from '#server/messages/former-subscribers.ts'
import { addPastOrders } from '#server/orders/past-orders.ts'
import type { Needs } from '#server/shop.ts'
import { readExport } from './read-export.ts'

type ImportNeeds = Needs<'db' | 'clock' | 'config'>

/** Ends a dry run's transaction, which then leaves nothing. */
class DryRun extends Error {}

const BATCH = 500

const PRODUCTS_ELSEWHERE =
  'This is a file of products. We take orders, subscribers and redirects; the printer’s products come by the catalog.'

/**
 * Imports an export file in one transaction: everything that can come, or nothing. A dry run does the same and takes it back, so its
 * report is what an import would do. The same file again changes nothing.
 * @throws Refusal `import_file_refused`
 */
export async function importExport(
  shop: ImportNeeds,
  { from, bytes, isDryRun, by }: { from: FormerShop; bytes: Uint8Array; isDryRun: boolean; by: Actor },
): Promise<ImportReport> {
  const at = shop.clock.now()
  const report = { added: 0, unchanged: 0, problems: [] as ImportProblem[], problemCount: 0 }
  const addProblem = (problem: ImportProblem) => {
    report.problemCount += 1
    if (report.problems.length < PROBLEMS_SHOWN) report.problems.push(problem)
  }
  let read: { kind: ImportKind; rows: number } | undefined
  try {
    await shop.db.transaction(async (tx) => {
      let batch: ImportItem[] = []
      const flush = async () => {
        const outcomes = await addItems(shop, tx, from, batch, at)
        for (const [index, outcome] of outcomes.entries())
          if (typeof outcome === 'object')
            addProblem({ row: batch[index]?.value.row ?? 0, column: null, reason: outcome.objection })
          else report[outcome] += 1
        batch = []
      }
      read = await readExport(
        from,
        bytes,
        async (item) => {
          batch.push(item)
          // Redirects are checked against each other, so they come at once; they are small.
          if (batch.length >= BATCH && item.kind !== 'redirects') await flush()
        },
        addProblem,
      )
      if (read.kind === 'products') throw new CsvMistake(PRODUCTS_ELSEWHERE)
      await flush()
      if (isDryRun) throw new DryRun()
      const { kind, rows } = read
      const { added, unchanged, problemCount: refused } = report
      const about = { kind: 'import', id: from }
      await recordAction(tx, { by, what: `imported ${kind}`, about, after: { rows, added, unchanged, refused }, at })
    })
  } catch (error) {
    if (error instanceof CsvMistake) throw new Refusal('import_file_refused', { reason: error.message })
    if (!(error instanceof DryRun)) throw error
  }
  const { kind = 'products', rows = 0 } = read ?? {}
  return { kind, rows, isDryRun, ...report, done: sentenceOf(kind, isDryRun, from, report) }
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
  { added, unchanged, problemCount }: { added: number; unchanged: number; problemCount: number },
): string {
  const what = `${added} ${names[kind][added === 1 ? 0 : 1]}`
  const before = unchanged > 0 ? ` ${unchanged} had come before.` : ''
  const left = problemCount > 0 ? ` ${problemCount} can’t come.` : ''
  return isDryRun
    ? `${what} of ${formerShopNames[from]} would come.${before}${left} Nothing was changed.`
    : `${what} of ${formerShopNames[from]} came.${before}${left}`
}
