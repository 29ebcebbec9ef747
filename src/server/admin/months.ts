import { Readable } from 'node:stream'
import type { MonthBooks, MonthClosing } from '#contract/admin-months.ts'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import type { MonthSpan } from '#domain/ledger/closing.ts'
import { objectionToClosing, openMonthOf, spanOf, type ClosingObjection } from '#domain/ledger/months.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { daysOfMonth, monthAfter, nameOfMonth, type Month } from '#shared/month.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { WORKBOOK_TYPE } from '#server/files/workbook.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import {
  addClosing,
  findClosedFile,
  findFirstOpenAt,
  hasUnsealed,
  listClosedMonths,
  listClosings,
  readFigures,
  type NewFile,
  type StoredClosing,
} from '#server/ledger/month-closings.ts'
import { sealPostings } from '#server/ledger/seals.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { filesOfMonth, listCorrections, resultOf, taxOf } from '#server/reports/month-book.ts'
import { readRange, summarizeRange } from '#server/reports/reports.ts'
import type { Needs } from '#server/shop.ts'
import { countExceptions } from './home.ts'

type MonthNeeds = Needs<'db' | 'clock' | 'config' | 'log'>

const CORRECTIONS_SHOWN = 100

/** Closings and counter-entries, newest first, and the month to close next. */
export async function listMonths({
  db,
  config,
}: MonthNeeds): Promise<{ closings: MonthClosing[]; next: Month | null; timeZone: string }> {
  const closings = await listClosings(db)
  const closed = await listClosedMonths(db)
  const standing = new Set(closed.map(({ number }) => number))
  const last = closed.at(-1)
  const first = last ? undefined : await findFirstOpenAt(db, closed)
  const next = last ? monthAfter(last.month) : first && openMonthOf(config.reportTimeZone, first, closed)
  return {
    closings: closings.toReversed().map((closing) => ({
      ...{ number: closing.number, kind: closing.kind, month: closing.month, reason: closing.reason },
      ...{ at: closing.at.toISOString(), seal: closing.seal.number, hash: closing.hash },
      isStanding: standing.has(closing.number),
      files: closing.files.map(({ name, partnerId, hash }) => ({ name, isStatement: partnerId !== null, hash })),
    })),
    next: next ?? null,
    timeZone: config.reportTimeZone,
  }
}

type Plan = { span: MonthSpan; closed: readonly StoredClosing[]; objection: ClosingObjection | undefined }

/** @throws Refusal `unknown_month` */
async function planOf({ db, clock, config }: MonthNeeds, month: Month): Promise<Plan> {
  const closed = await listClosedMonths(db)
  const zone = config.reportTimeZone
  const span = spanOf(zone, month, closed)
  if (!span) throw new Refusal('unknown_month')
  const objection = objectionToClosing({ zone, month, now: clock.now() }, closed, await findFirstOpenAt(db, closed))
  return { span, closed, objection }
}

function refusalOf(objection: ClosingObjection, zone: string): Refusal {
  if (objection.code === 'unknown_month') return new Refusal('unknown_month')
  const month = nameOfMonth(objection.month)
  if (objection.code !== 'month_not_over') return new Refusal(objection.code, { month })
  const from = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return new Refusal('month_not_over', { month, from: from.format(objection.from) })
}

/** A month's books as of now, and what is open before it is closed. @throws Refusal `unknown_month` */
export async function showMonth(shop: MonthNeeds, month: Month): Promise<MonthBooks> {
  const { span, closed, objection } = await planOf(shop, month)
  const isClosed = closed.some((one) => one.month === month)
  const figures = await readFigures(shop.db, span)
  const { count, postings } = await listCorrections(shop.db, span, CORRECTIONS_SHOWN)
  return {
    ...{ month, from: span.from.toISOString(), until: span.until.toISOString(), isClosed },
    objection: objection && !isClosed ? bodyOfRefusal(refusalOf(objection, shop.config.reportTimeZone)).message : null,
    openItems: isClosed ? [] : await listOpenItems(shop, span),
    figures: figures.map((figure) => ({ ...figure, name: accountLabel(figure.account) })),
    corrections: {
      count,
      lines: postings.map((posting) => ({
        ...{ id: posting.id, at: posting.bookedAt.toISOString(), what: postingLabel(posting.kind) },
        orderNumber: posting.orderNumber && formatOrderNumber(posting.orderNumber),
        placedAt: posting.placedAt?.toISOString() ?? null,
        ...{ result: resultOf(posting), tax: taxOf(posting) },
      })),
    },
  }
}

/** Open exceptions, and where the providers' books differ from ours, a sentence each. */
async function listOpenItems(shop: MonthNeeds, { month, from, until }: MonthSpan): Promise<string[]> {
  const days = daysOfMonth(month)
  const requested = readRange(shop, { start_date: days?.first, end_date: days && days.next - 1 })
  const report = await summarizeRange(shop, {
    ...requested,
    range: { since: from.getTime(), until: until.getTime() },
  })
  const kinds = await countExceptions(shop.db)
  const open = kinds.reduce((sum, { count }) => sum + count, 0)
  const books = [
    ['Stripe', report.stripeReconciliation],
    ['PayPal', report.paypalReconciliation],
  ] as const
  return [
    ...(open ? [`${open === 1 ? 'An exception is' : `${open} exceptions are`} open.`] : []),
    ...books.flatMap(([name, { missingFromDatabase: missing, unknownToProvider: unknown, ...book }]) => [
      ...(missing ? [`${name} lists ${formatUsd(missing)} that the shop doesn’t know.`] : []),
      ...(unknown ? [`${name} doesn’t list ${formatUsd(unknown)} that the shop has.`] : []),
      ...(book.differing ? [`${name} has another amount for ${book.differing} of the payments.`] : []),
      ...(book.databaseTotal && !isListedUntil(book.listedUntil, until)
        ? [`${name}’s list was not yet read to the end of the month.`]
        : []),
    ]),
  ]
}

const isListedUntil = (listedUntil: string | null, until: Date): boolean =>
  listedUntil !== null && new Date(listedUntil) >= until

const aboutOf = (month: Month) => ({ kind: 'month', id: month })

/**
 * Closes a month: seals the ledger, and freezes the month's figures and files. Files are made first and stored in one transaction,
 * so a purchase never waits for them.
 * @param isAccepted closes it with open items
 * @throws Refusal why nothing was closed
 */
export async function closeMonth(
  shop: MonthNeeds,
  month: Month,
  isAccepted: boolean,
  by: Actor,
): Promise<StoredClosing> {
  const { db, clock, config } = shop
  const { span, objection } = await planOf(shop, month)
  if (objection) throw refusalOf(objection, config.reportTimeZone)
  const items = await listOpenItems(shop, span)
  if (items.length && !isAccepted) throw new Refusal('month_has_open_items', { items: items.join(' ') })
  const before = (await listClosings(db)).length
  await sealPostings(shop, listCommissionLines)
  const figures = await readFigures(db, span)
  const files: NewFile[] = []
  for await (const file of filesOfMonth(shop, span, figures)) files.push(file)
  return db.transaction(async (tx) => {
    const row = { ...span, kind: 'closed' as const, at: clock.now(), reason: null, figures, files }
    const stored = await addClosing(tx, shop, row, before)
    const isSame = JSON.stringify(await readFigures(tx, span)) === JSON.stringify(figures)
    if (!stored || !isSame || (await hasUnsealed(tx, span))) throw new Refusal('books_moved')
    const after = { number: stored.number, hash: stored.hash, ...(items.length && { open: items.length }) }
    await recordAction(tx, { by, what: 'closed', about: aboutOf(month), after, at: stored.at })
    return stored
  })
}

/** Reopens the last closed month by a counter-entry. @throws Refusal `month_not_last`, `books_moved` */
export async function reopenMonth(
  shop: MonthNeeds,
  { month, reason }: { month: Month; reason: string },
  by: Actor,
): Promise<StoredClosing> {
  return shop.db.transaction(async (tx) => {
    const closings = await listClosings(tx)
    const last = (await listClosedMonths(tx)).at(-1)
    if (!last || last.month !== month) throw new Refusal('month_not_last')
    const { from, until } = last
    const entry = {
      month,
      from,
      until,
      kind: 'reopened' as const,
      at: shop.clock.now(),
      reason,
      figures: [],
      files: [],
    }
    const stored = await addClosing(tx, shop, entry, closings.length)
    if (!stored) throw new Refusal('books_moved')
    const before = { number: last.number, hash: last.hash }
    const after = { number: stored.number, hash: stored.hash }
    await recordAction(tx, { by, what: 'reopened', about: aboutOf(month), before, after, at: stored.at })
    return stored
  })
}

const types: Readonly<Record<string, string>> = {
  xlsx: WORKBOOK_TYPE,
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** @throws Refusal `unknown_month_file` */
export async function readMonthFile(
  { db }: MonthNeeds,
  { closing, name }: { closing: number; name: string },
): Promise<FileAnswer> {
  const file = await findClosedFile(db, closing, name)
  if (!file) throw new Refusal('unknown_month_file')
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return { name, type, bytes: Readable.from([file.bytes]) }
}
