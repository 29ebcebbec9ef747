import { isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { cents, decimalFromCents, negate, sum, type Cents } from '#shared/money.ts'
import { daysOfMonth, type Month } from '#shared/month.ts'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import {
  compactDay,
  numberOfJournal,
  pairsOf,
  debitsOf,
  type Bookkeeping,
  type Journal,
  type JournalLayout,
  type JournalWish,
} from '#domain/ledger/journals.ts'
import type { Entry } from '#domain/ledger/ledger.ts'
import { csvCell } from '#server/files/csv.ts'
import { datevColumns } from './datev-columns.ts'

/** @property lines without those above them. @property debits their sum, which is that of its credits */
export type JournalFile = { name: string; text: string; encoding: 'utf8' | 'latin1'; lines: number; debits: Cents }

/**
 * The journals as files of a layout. A journal is never cut in two.
 * @throws Error if there is an `objectionToLayout`
 */
export function journalFiles(wish: JournalWish): JournalFile[] {
  const { month, layout, journals } = wish
  if (layout === 'datev') return [datevFile(wish)]
  const { linesMax, header, rowsOf } = csvLayouts[layout]
  const parts = inParts(journals, linesMax)
  return parts.map((part, index) => ({
    name: `journal-${month}-${layout}${parts.length > 1 ? `-${index + 1}` : ''}.csv`,
    encoding: 'utf8' as const,
    text: [header, ...part.flatMap((journal) => rowsOf(journal, wish.bookkeeping))].map((row) => `${row}\r\n`).join(''),
    ...sizeOf(part),
  }))
}

const sizeOf = (journals: readonly Journal[]): Pick<JournalFile, 'lines' | 'debits'> => ({
  lines: journals.reduce((count, { lines }) => count + lines.length, 0),
  debits: sum(journals.map(({ lines }) => debitsOf(lines))),
})

function inParts(journals: readonly Journal[], linesMax: number): Journal[][] {
  const parts: Journal[][] = [[]]
  let lines = 0
  for (const journal of journals) {
    if (lines > 0 && lines + journal.lines.length > linesMax) {
      parts.push([])
      lines = 0
    }
    parts.at(-1)?.push(journal)
    lines += journal.lines.length
  }
  return parts
}

type CsvLayout = {
  /** What the program takes at once. */
  linesMax: number
  header: string
  rowsOf: (journal: Journal, bookkeeping: Bookkeeping) => string[]
}

const debitOf = ({ amount }: Entry): string => (amount > 0 ? decimalFromCents(amount) : '')
const creditOf = ({ amount }: Entry): string => (amount < 0 ? decimalFromCents(negate(amount)) : '')

const dayNames = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const titleOf = ({ day, kind }: Journal): string =>
  `${sentenceCase(postingLabel(kind))}, ${dayNames.format(new Date(`${isoOfDay(day)}T00:00:00Z`))}`

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const csvLayouts: Readonly<Record<Exclude<JournalLayout, 'datev'>, CsvLayout>> = {
  plain: {
    linesMax: Number.POSITIVE_INFINITY,
    header: 'Journal,Date,Text,Account,Number,Name,Debit,Credit,Currency',
    rowsOf: (journal, { accounts }) =>
      journal.lines.map((line) => {
        const { number, name } = accounts[line.account]
        const texts = [titleOf(journal), line.account, number, name].map(csvCell)
        return [numberOfJournal(journal), isoOfDay(journal.day), ...texts, debitOf(line), creditOf(line), 'USD'].join()
      }),
  },
  // Intuit's help on importing journal entries: accounts by their names, dates as in the United States. 1,000 rows with the header
  // are the shop's own cautious choice: the help states no limit.
  quickbooks: {
    linesMax: 999,
    header: 'Journal No.,Journal Date,Account Name,Debits,Credits,Description,Currency',
    rowsOf: (journal, { accounts }) =>
      journal.lines.map((line) => {
        const [year, month, day] = isoOfDay(journal.day).split('-')
        return [
          ...[numberOfJournal(journal), `${month}/${day}/${year}`, csvCell(accounts[line.account].name)],
          ...[debitOf(line), creditOf(line), csvCell(titleOf(journal)), 'USD'],
        ].join()
      }),
  },
  // Xero's template of manual journals: lines with the same narration and date are one journal; credits are negative; 300 lines.
  xero: {
    linesMax: 300,
    header:
      '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
    rowsOf: (journal, { accounts, xeroTaxRate }) =>
      journal.lines.map((line) =>
        [
          ...[csvCell(`${titleOf(journal)} (${numberOfJournal(journal)})`), xeroDate(journal.day)],
          ...[csvCell(accountLabel(line.account)), csvCell(accounts[line.account].number), csvCell(xeroTaxRate)],
          ...[decimalFromCents(line.amount), '', '', '', ''],
        ].join(),
      ),
  },
}

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** `03 Nov 2026`, which is the same day in every region of Xero. */
function xeroDate(day: CalendarDay): string {
  const iso = isoOfDay(day)
  return `${iso.slice(8)} ${shortMonth.format(new Date(`${iso}T00:00:00Z`))} ${iso.slice(0, 4)}`
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
const german = (amount: Cents): string => decimalFromCents(amount).replace('.', ',')

/**
 * A batch of bookings in DATEV's format (version 700, batches of version 13), whose currency is the euro. A booking has one debit and one
 * credit account, so journals are written in pairs.
 * @see https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel
 */
function datevFile({ month, journals, bookkeeping, dollarsPerEuro, madeAt }: JournalWish): JournalFile {
  const { accounts, datev } = bookkeeping
  const days = daysOfMonth(month)
  if (!days || dollarsPerEuro === undefined) throw new Error(`No DATEV file of ${month} without a rate`)
  const [whole = '', fraction = ''] = dollarsPerEuro.split('.')
  const rate = `${whole},${fraction.padEnd(2, '0')}`
  const rows = journals.flatMap((journal) =>
    pairsOf(journal.lines).map(({ debit, credit, amount }) => {
      // A month that was closed in another zone may have a posting of the day beside it.
      const day = isoOfDay(Math.min(Math.max(journal.day, days.first), days.next - 1))
      const euros = cents(Math.round(amount / Number(dollarsPerEuro)))
      // cspell:disable
      const cells: Readonly<Record<string, string>> = {
        'Umsatz (ohne Soll/Haben-Kz)': german(amount),
        'Soll/Haben-Kennzeichen': '"S"',
        'WKZ Umsatz': '"USD"',
        Kurs: rate,
        'Basis-Umsatz': german(euros),
        'WKZ Basis-Umsatz': '"EUR"',
        Konto: accounts[debit].number,
        'Gegenkonto (ohne BU-Schlüssel)': accounts[credit].number,
        Belegdatum: `${day.slice(8)}${day.slice(5, 7)}`,
        'Belegfeld 1': quoted(numberOfJournal(journal)),
        Buchungstext: quoted(titleOf(journal).replace('’', "'").slice(0, 60)),
      }
      // cspell:enable
      return datevColumns.map((column) => cells[column] ?? '').join(';')
    }),
  )
  return {
    // cspell:disable-next-line
    name: `EXTF_Buchungsstapel_${month}.csv`,
    encoding: 'latin1',
    text: [datevHeader(month, datev, madeAt), datevColumns.join(';'), ...rows].map((row) => `${row}\r\n`).join(''),
    lines: rows.length,
    debits: sizeOf(journals).debits,
  }
}

function datevHeader(month: Month, datev: Bookkeeping['datev'], madeAt: Date): string {
  const days = daysOfMonth(month)
  const [year = '', monthNumber = ''] = month.split('-')
  const yearOfStart = Number(monthNumber) >= datev.yearStartMonth ? Number(year) : Number(year) - 1
  return [
    // cspell:disable-next-line
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', madeAt.toISOString().replace(/\D/g, ''), ''],
    ...['""', '""', '""', datev.consultant, datev.client],
    ...[`${yearOfStart}${String(datev.yearStartMonth).padStart(2, '0')}01`, String(datev.accountLength)],
    ...(days ? [compactDay(days.first), compactDay(days.next - 1)] : ['', '']),
    ...[quoted(`Journal ${month}`), '""', '1', '0', '0', '"EUR"', '', '""', '', '', '""', '', '', '""', '""'],
  ].join(';')
}
