import { parse } from 'csv-parse/sync'
import { assert, array, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  defaultBookkeeping,
  journalLayouts,
  numberOfJournal,
  objectionToLayout,
  type Bookkeeping,
  type Journal,
  type JournalLayout,
} from '#domain/ledger/journals.ts'
import { ledgerAccounts, postingKinds, type Account, type Entry } from '#domain/ledger/ledger.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { cents, centsFromDecimal, negate, sum, type Cents } from '#shared/money.ts'
import { journalFiles, type JournalFile } from '#server/ledger/journal-files.ts'

// Each layout is read back by the rules of the program that imports it, not by those that wrote it.

const FIRST_DAY = dayFromIso('2026-11-01') ?? 0
const DAYS = 30
const MADE_AT = new Date('2026-12-02T08:30:05.123Z')

const bookkeeping: Bookkeeping = {
  accounts: Object.fromEntries(
    ledgerAccounts.map((account, index) => [account, { number: String(1200 + index), name: `Books: ${account}` }]),
  ) as Bookkeeping['accounts'],
  xeroTaxRate: 'Tax Exempt',
  datev: { consultant: '29098', client: '55003', accountLength: 4, yearStartMonth: 7 },
}

/** What a bookkeeping program has after it imported a file: what every account of its own changed by, on which day, in which journal. */
type Read = { journal: string; day: string; account: string; amount: Cents }[]

const amountIn = (text: string): Cents => {
  expect(text).toMatch(/^-?\d+\.\d\d$/)
  return centsFromDecimal(text) ?? cents(Number.NaN)
}

const rowsIn = ({ text }: JournalFile) => parse(text, { columns: true }) as Record<string, string>[]

const inTwoColumns = (row: Record<string, string>, debit: string, credit: string): Cents => {
  expect([row[debit], row[credit]].filter(Boolean)).toHaveLength(1)
  return row[debit] ? amountIn(row[debit]) : negate(amountIn(row[credit] ?? ''))
}

function expectBalanced(read: Read): Read {
  for (const [journal, lines] of Map.groupBy(read, (line) => line.journal)) {
    expect(sum(lines.map(({ amount }) => amount)), journal).toBe(0)
    expect(new Set(lines.map(({ day }) => day)).size, journal).toBe(1)
  }
  return read
}

const numberOf = (number: string): Account => ledgerAccounts[Number(number) - 1200] ?? 'bank'
const months: Readonly<Record<string, string>> = { Nov: '11' }

/** DATEV's expressions of the fields that we fill; the others have to be empty. */
const datevFields: Readonly<Record<number, RegExp>> = {
  1: /^(?!0{1,10},00)\d{1,10},\d{2}$/,
  2: /^"(S|H)"$/,
  3: /^"[A-Z]{3}"$/,
  4: /^[1-9]\d{0,3},\d{2,6}$/,
  5: /^\d{1,10},\d{2}$/,
  6: /^"[A-Z]{3}"$/,
  7: /^\d{1,9}$/,
  8: /^\d{1,9}$/,
  10: /^\d{4}$/,
  11: /^"[\w$%\-/]{0,36}"$/,
  14: /^"[^"]{0,60}"$/,
}

/** The 31 fields of DATEV's header. */
const datevHeader = [
  ...[/^"EXTF"$/, /^700$/, /^21$/, /^"Buchungsstapel"$/, /^13$/, /^20\d{15}$/, /^$/, /^"\w{0,2}"$/, /^"\w{0,25}"$/],
  ...[/^"\w{0,25}"$/, /^(\d{4,6}|\d{7})$/, /^\d{1,5}$/, /^20\d{6}$/, /^[4-8]$/, /^20\d{6}$/, /^20\d{6}$/],
  ...[/^"[\w.\-/ ]{0,30}"$/, /^"([A-Z]{2}){0,2}"$/, /^[12]$/, /^(0|30|40|50|64)$/, /^[01]$/, /^"[A-Z]{3}"$/, /^$/],
  ...[/^""$/, /^$/, /^$/, /^"(\d{2}){0,2}"$/, /^$/, /^$/, /^""$/, /^"\w{0,16}"$/],
]

const readers: Readonly<Record<JournalLayout, (file: JournalFile) => Read>> = {
  plain: (file) =>
    rowsIn(file).map((row) => ({
      ...{ journal: row['Journal'] ?? '', day: row['Date'] ?? '', account: row['Account'] ?? '' },
      amount: inTwoColumns(row, 'Debit', 'Credit'),
    })),
  quickbooks: (file) => {
    const rows = rowsIn(file)
    expect(rows.length + 1).toBeLessThanOrEqual(1000)
    return rows.map((row) => {
      const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(row['Journal Date'] ?? '') ?? []
      expect(row['Journal No.']?.length).toBeLessThanOrEqual(21)
      const account = (row['Account Name'] ?? '').replace('Books: ', '')
      const amount = inTwoColumns(row, 'Debits', 'Credits')
      return { journal: row['Journal No.'] ?? '', day: `${year}-${month}-${day}`, account, amount }
    })
  },
  xero: (file) => {
    const rows = rowsIn(file)
    expect(rows.length).toBeLessThanOrEqual(300)
    return rows.map((row) => {
      const [day, month = '', year] = (row['*Date'] ?? '').split(' ')
      expect(row['*TaxRate']).toBe('Tax Exempt')
      const journal = /\((\d{8}-\d\d)\)$/.exec(row['*Narration'] ?? '')?.[1] ?? ''
      const account = numberOf(row['*AccountCode'] ?? '')
      return { journal, day: `${year}-${months[month]}-${day}`, account, amount: amountIn(row['*Amount'] ?? '') }
    })
  },
  datev: ({ name, text }) => {
    expect(name).toMatch(/^EXTF_.+\.csv$/)
    const [header = '', columns = '', ...lines] = text.split('\r\n').slice(0, -1)
    const fields = header.split(';')
    expect(fields).toHaveLength(datevHeader.length)
    fields.forEach((field, index) => expect(field, `header ${index + 1}`).toMatch(datevHeader[index] ?? /^$/))
    expect(columns.split(';')).toHaveLength(125)
    expect(fields.slice(12, 16)).toEqual(['20260701', '4', '20261101', '20261130'])
    return lines.flatMap((line) => {
      const cells = line.split(';')
      expect(cells).toHaveLength(125)
      cells.forEach((cell, index) => expect(cell, `field ${index + 1}`).toMatch(datevFields[index + 1] ?? /^$/))
      const amount = amountIn((cells[0] ?? '').replace(',', '.'))
      const inEuros = amountIn((cells[4] ?? '').replace(',', '.'))
      expect(Math.abs(inEuros * Number(cells[3]?.replace(',', '.')) - amount)).toBeLessThanOrEqual(0.59)
      const journal = (cells[10] ?? '').replaceAll('"', '')
      const day = `2026-${cells[9]?.slice(2)}-${cells[9]?.slice(0, 2)}`
      const sides = [
        { account: numberOf(cells[6] ?? ''), amount },
        { account: numberOf(cells[7] ?? ''), amount: negate(amount) },
      ]
      return sides.map((side) => ({ journal, day, ...side }))
    })
  },
}

/** Lines that sum to zero, none of them zero. */
const someLines = record({
  accounts: uniqueArray(constantFrom(...ledgerAccounts), { minLength: 2, maxLength: ledgerAccounts.length }),
  amounts: array(integer({ min: -5_000_000, max: 5_000_000 }), { minLength: 20, maxLength: 20 }),
}).map(({ accounts, amounts }): Entry[] => {
  const [last, ...others] = accounts
  const lines = others.map((account, index): Entry => ({ account, amount: cents(amounts[index] || 1) }))
  const rest = negate(sum(lines.map(({ amount }) => amount)))
  return last === undefined || rest === 0 ? lines.slice(0, 0) : [...lines, { account: last, amount: rest }]
})

const someJournals = uniqueArray(
  record({ day: integer({ min: 0, max: DAYS - 1 }), kind: constantFrom(...postingKinds), lines: someLines }),
  { minLength: 1, maxLength: 150, selector: ({ day, kind }) => `${day} ${kind}` },
).map((journals) =>
  journals
    .map((journal): Journal => ({ ...journal, day: FIRST_DAY + journal.day }))
    .filter(({ lines }) => lines.length > 0)
    .toSorted((one, other) => one.day - other.day),
)

const wishOf = (layout: JournalLayout, journals: readonly Journal[]) => ({
  ...{ month: '2026-11', layout, journals, bookkeeping, dollarsPerEuro: '1.1621', madeAt: MADE_AT },
})

const sumsOf = (read: Read): Record<string, number> => {
  const sums = new Map<string, number>()
  for (const { journal, day, account, amount } of read) {
    const key = `${journal} ${day} ${account}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  return Object.fromEntries(sums)
}

describe.each(journalLayouts)('a month of journals as %s', (layout) => {
  test('reads back as the same amounts in the same accounts, by the rules of its program', () => {
    assert(
      property(someJournals, (journals) => {
        const files = journalFiles(wishOf(layout, journals))
        const read = files.flatMap((file) => expectBalanced(readers[layout](file)))
        const booked = journals.flatMap((journal) =>
          journal.lines.map(({ account, amount }) => ({
            ...{ journal: numberOfJournal(journal), day: isoOfDay(journal.day), account, amount },
          })),
        )
        expect(sumsOf(read)).toEqual(sumsOf(booked))
        for (const { text, encoding } of files)
          expect(Buffer.from(text, encoding).toString(encoding), 'no letter is lost').toBe(text)
        expect(sum(files.map(({ debits }) => debits))).toBe(sum(booked.map(({ amount }) => cents(Math.max(0, amount)))))
      }),
      { numRuns: 40 },
    )
  })
})

const sale: Journal = {
  ...{ day: FIRST_DAY, kind: 'sale' },
  lines: [
    { account: 'provider:stripe', amount: cents(2500) },
    { account: 'revenue:merchandise', amount: cents(-2500) },
  ],
}
const objection = (layout: JournalLayout, change: Partial<Bookkeeping> = {}, dollarsPerEuro?: string) =>
  objectionToLayout(layout, { journals: [sale], bookkeeping: { ...bookkeeping, ...change }, dollarsPerEuro })

test('a layout is refused without what its program needs, and only for accounts that have something in them', () => {
  const { accounts } = bookkeeping
  const without = (account: Account, number: string) => ({
    accounts: { ...accounts, [account]: { ...accounts[account], number } },
  })
  expect(objection('plain', defaultBookkeeping)).toBeUndefined()
  expect(objection('quickbooks', defaultBookkeeping)).toBeUndefined()
  expect(objection('xero', without('bank', ''))).toBeUndefined()
  expect(objection('xero', without('provider:stripe', ''))).toEqual({
    code: 'account_number_missing',
    accounts: 'Stripe',
  })
  expect(objection('xero', without('provider:stripe', '200-A'))).toBeUndefined()
  expect(objection('datev', without('provider:stripe', '200-A'), '1.1')).toEqual({
    code: 'account_number_not_datev',
    accounts: 'Stripe',
  })
  expect(objection('datev', without('provider:stripe', '123456'), '1.1')?.code).toBe('account_number_not_datev')
  expect(objection('datev', without('provider:stripe', '70001'), '1.1')).toBeUndefined()
  expect(objection('datev')?.code).toBe('euro_rate_missing')
  expect(objection('datev', { datev: { ...bookkeeping.datev, client: '' } }, '1.1')?.code).toBe('datev_incomplete')
})

test('names that a spreadsheet would run as a formula come as text', () => {
  const named = { ...bookkeeping, accounts: { ...bookkeeping.accounts } }
  named.accounts['provider:stripe'] = { number: '1200', name: '=HYPERLINK("a";"b")' }
  const [file] = journalFiles({ ...wishOf('quickbooks', [sale]), bookkeeping: named })
  expect(file && rowsIn(file)[0]?.['Account Name']).toBe('\'=HYPERLINK("a";"b")')
})
