import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import {
  changesOf,
  defaultBookkeeping,
  objectionToLayout,
  type Bookkeeping,
  type JournalWish,
} from '#domain/ledger/journals.ts'
import { ledgerAccounts, type Account } from '#domain/ledger/ledger.ts'
import { nameField, numberField, type BookkeepingDraft } from '#contract/admin-bookkeeping.ts'
import { decimalFromCents, minus } from '#shared/money.ts'
import { monthsBetween, nameOfMonth, type Month } from '#shared/month.ts'
import { dayIn } from '#shared/time-zone.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader } from '#server/db/db.ts'
import { csvCell } from '#server/files/csv.ts'
import { zip, type ZipEntry } from '#server/files/zip.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { journalFiles } from '#server/ledger/journal-files.ts'
import { listJournals } from '#server/ledger/journals.ts'
import { findFirstOpenAt, findMonthSpan, listClosedMonths } from '#server/ledger/month-closings.ts'
import type { Needs } from '#server/shop.ts'
import { bookkeeping } from './schema.ts'

type BookkeepingNeeds = Needs<'db' | 'clock' | 'config'>

const ONLY_ROW = 1

async function readBookkeeping(db: Reader): Promise<{ settings: Bookkeeping; version: number }> {
  const [row] = await db.select().from(bookkeeping)
  return { settings: withEveryAccount(row?.settings ?? defaultBookkeeping), version: row?.version ?? 0 }
}

/** An account that a release added has its default. */
const withEveryAccount = (settings: Bookkeeping): Bookkeeping => ({
  ...settings,
  accounts: { ...defaultBookkeeping.accounts, ...settings.accounts },
})

/** The accounts as the form has them, and the months with postings, latest first. */
export async function showBookkeeping({ db, clock, config }: BookkeepingNeeds): Promise<{
  draft: BookkeepingDraft
  version: number
  months: { month: Month; isClosed: boolean }[]
}> {
  const { settings, version } = await readBookkeeping(db)
  const first = await findFirstOpenAt(db, [])
  const zone = config.reportTimeZone
  const closed = new Set((await listClosedMonths(db)).map(({ month }) => month))
  const months = first ? monthsBetween(dayIn(zone, first.getTime()), dayIn(zone, clock.now().getTime())) : []
  return {
    draft: draftOf(settings),
    version,
    months: months.map((month) => ({ month, isClosed: closed.has(month) })),
  }
}

function draftOf({ accounts, xeroTaxRate, datev }: Bookkeeping): BookkeepingDraft {
  const fields = ledgerAccounts.flatMap((account) => [
    [numberField(account), accounts[account].number],
    [nameField(account), accounts[account].name],
  ])
  return {
    ...(Object.fromEntries(fields) as Pick<BookkeepingDraft, ReturnType<typeof numberField | typeof nameField>>),
    xeroTaxRate,
    datevConsultant: datev.consultant,
    datevClient: datev.client,
    datevAccountLength: String(datev.accountLength),
    datevYearStart: String(datev.yearStartMonth),
  }
}

const settingsOf = (draft: BookkeepingDraft): Bookkeeping => ({
  accounts: Object.fromEntries(
    ledgerAccounts.map((account) => [
      account,
      { number: draft[numberField(account)], name: draft[nameField(account)] },
    ]),
  ) as Record<Account, { number: string; name: string }>,
  xeroTaxRate: draft.xeroTaxRate,
  datev: {
    consultant: draft.datevConsultant,
    client: draft.datevClient,
    accountLength: Number(draft.datevAccountLength),
    yearStartMonth: Number(draft.datevYearStart),
  },
})

/** @param seen the version that was changed @throws Refusal `bookkeeping_changed` */
export async function saveBookkeeping(
  { db, clock }: BookkeepingNeeds,
  draft: BookkeepingDraft,
  seen: number,
  by: Actor,
): Promise<void> {
  await db.transaction(async (tx) => {
    // The second of two owners waits here, also for the first row.
    await tx
      .insert(bookkeeping)
      .values({ id: ONLY_ROW, settings: defaultBookkeeping, version: 0 })
      .onConflictDoNothing()
    const [row] = await tx.select().from(bookkeeping).where(eq(bookkeeping.id, ONLY_ROW)).for('update')
    if (!row || row.version !== seen) throw new Refusal('bookkeeping_changed')
    const settings = settingsOf(draft)
    await tx.update(bookkeeping).set({ settings, version: seen + 1 })
    const [before, after] = differencesOf(draftOf(withEveryAccount(row.settings)), draftOf(settings))
    const about = { kind: 'bookkeeping', id: ONLY_ROW }
    await recordAction(tx, { by, what: 'changed', about, before, after, at: clock.now() })
  })
}

type Facts = Record<string, string>

function differencesOf(before: BookkeepingDraft, after: BookkeepingDraft): [Facts, Facts] {
  const [old, changed]: [Facts, Facts] = [before, after]
  const names = Object.keys(changed).filter((name) => old[name] !== changed[name])
  const only = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? '']))
  return [only(old), only(changed)]
}

/**
 * A month's journals in a layout, with the check sum of each file and what every account changed by.
 * @throws Refusal why there is no such file
 */
export async function makeJournalFile(
  { db, clock, config }: BookkeepingNeeds,
  { month, layout, dollarsPerEuro }: Pick<JournalWish, 'month' | 'layout' | 'dollarsPerEuro'>,
): Promise<FileAnswer> {
  const span = await findMonthSpan(db, config.reportTimeZone, month)
  if (!span) throw new Refusal('unknown_month')
  const journals = await listJournals(db, span, config.reportTimeZone)
  if (!journals.length) throw new Refusal('nothing_booked', { month: nameOfMonth(month) })
  const { settings } = await readBookkeeping(db)
  const wish = { month, layout, journals, bookkeeping: settings, dollarsPerEuro, madeAt: clock.now() }
  const objection = objectionToLayout(layout, wish)
  if (objection) {
    const { code, ...facts } = objection
    throw new Refusal(code, facts)
  }
  return { name: `journal-${month}-${layout}.zip`, type: 'application/zip', bytes: zip(filesOf(wish)) }
}

function filesOf(wish: JournalWish): ZipEntry[] {
  const files = journalFiles(wish).map((file) => ({ ...file, bytes: Buffer.from(file.text, file.encoding) }))
  const sums = [
    'File,SHA-256,Lines,Debits and credits in USD',
    ...files.map(({ name, bytes, lines, debits }) =>
      [name, createHash('sha256').update(bytes).digest('hex'), lines, decimalFromCents(debits)].join(),
    ),
  ]
  const changes = [
    'Account,Number,Name,Debits,Credits,Change',
    ...changesOf(wish.journals).map(({ account, debit, credit }) => {
      const { number, name } = wish.bookkeeping.accounts[account]
      const amounts = [debit, credit, minus(debit, credit)].map(decimalFromCents)
      return [csvCell(account), csvCell(number), csvCell(name), ...amounts].join()
    }),
  ]
  const textFile = (name: string, rows: readonly string[]): ZipEntry => ({
    name,
    bytes: [Buffer.from(rows.map((row) => `${row}\r\n`).join(''))],
  })
  return [
    ...files.map(({ name, bytes }) => ({ name, bytes: [bytes] })),
    textFile('check-sums.csv', sums),
    textFile('accounts.csv', changes),
  ]
}
