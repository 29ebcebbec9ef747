import { dayFromIso } from '#shared/calendar-day.ts'
import { indicativeCurrencies } from './indicative.ts'

// Exchange rates from a file of the owner's: the European Central Bank's daily rates as XML or CSV, or a table of one's own.

/** @property perDollar units of the currency for a US dollar @property day ISO date */
export type ReadRate = { currency: string; perDollar: number; day: string }

type RatesFile = { rates: ReadRate[]; problem?: undefined } | { problem: string; rates?: undefined }

const UNREADABLE =
  'This is neither a daily file of the European Central Bank (XML or CSV) nor a CSV with the columns currency, rate and date.'

/**
 * Reads all or nothing. Currencies of countries that the shop does not deliver to are left out of the bank's files, and are a mistake in
 * one's own.
 * @returns a sentence for the first mistake
 */
export function readRatesFile(text: string): RatesFile {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed.startsWith('<')) return ofXml(trimmed)
  const [head = '', ...lines] = trimmed.split(/\r?\n/)
  const columns = cellsOf(head).map((name) => name.toLowerCase())
  const rows = lines.filter((line) => line.trim() !== '').map(cellsOf)
  if (columns[0] === 'date' && columns.includes('usd'))
    return ofBank(pairsOf(columns, rows[0] ?? []), rows[0]?.[0] ?? '')
  const places = ['currency', 'rate', 'date'].map((name) => columns.indexOf(name))
  return places.includes(-1) || rows.length === 0 ? { problem: UNREADABLE } : ofTable(rows, places)
}

const cellsOf = (line: string): string[] =>
  line.split(line.includes(';') ? ';' : ',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

const pairsOf = (columns: readonly string[], row: readonly string[]): [currency: string, rate: string][] =>
  columns.slice(1).flatMap((name, at) => (name === '' ? [] : [[name.toUpperCase(), row[at + 1] ?? '']]))

/** `<Cube time='2026-11-23'><Cube currency='USD' rate='1.0858'/>…`; the newest day comes first. */
function ofXml(text: string): RatesFile {
  const [, day = '', rates = ''] = /<Cube\s+time=["']([^"']*)["'][^>]*>([\s\S]*?)<\/Cube>/.exec(text) ?? []
  const cubes = rates.matchAll(/currency=["']([^"']*)["']\s+rate=["']([^"']*)["']/g)
  return day === ''
    ? { problem: UNREADABLE }
    : ofBank(
        [...cubes].map(([, currency = '', rate = '']) => [currency, rate]),
        day,
      )
}

/** The bank's rates are units for a euro. */
function ofBank(pairs: readonly [currency: string, rate: string][], date: string): RatesFile {
  const day = dayIn(date)
  if (day === undefined) return { problem: `‘${date}’ is no day.` }
  const dollars = numberIn(new Map(pairs).get('USD') ?? '')
  if (dollars === undefined) return { problem: 'The rate of the US dollar is missing.' }
  const rates = [{ currency: 'EUR', perDollar: rounded(1 / dollars), day }]
  for (const [currency, text] of pairs) {
    if (!indicativeCurrencies.includes(currency) || text === 'N/A') continue
    const perEuro = numberIn(text)
    if (perEuro === undefined) return { problem: `The rate of ${currency} is no number above 0: ‘${text}’.` }
    rates.push({ currency, perDollar: rounded(perEuro / dollars), day })
  }
  return { rates }
}

/** @param places of currency, rate (for a US dollar) and date */
function ofTable(rows: readonly string[][], places: readonly number[]): RatesFile {
  const rates: ReadRate[] = []
  for (const [at, row] of rows.entries()) {
    const [currency = '', text = '', date = ''] = places.map((place) => row[place] ?? '')
    const code = currency.toUpperCase()
    const [perDollar, day] = [numberIn(text), dayIn(date)]
    const where = `Row ${at + 2}:`
    if (!indicativeCurrencies.includes(code))
      return { problem: `${where} ‘${currency}’ is no currency of a country that the shop delivers to.` }
    if (perDollar === undefined) return { problem: `${where} ‘${text}’ is no number above 0.` }
    if (day === undefined) return { problem: `${where} ‘${date}’ is no day, such as 2026-11-23.` }
    if (rates.some((rate) => rate.currency === code)) return { problem: `${where} ${code} is there twice.` }
    rates.push({ currency: code, perDollar: rounded(perDollar), day })
  }
  return { rates }
}

const RATE_MAX = 100_000

function numberIn(text: string): number | undefined {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  return value > 0 && value <= RATE_MAX ? value : undefined
}

const rounded = (rate: number): number => Number(rate.toPrecision(6))

/** `2026-11-23`, or as the bank's CSV has it: `23 November 2026`. */
function dayIn(text: string): string | undefined {
  if (dayFromIso(text) !== undefined) return text
  const [, number = '', name = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? []
  const iso = `${year}-${String(MONTHS.indexOf(name) + 1).padStart(2, '0')}-${number.padStart(2, '0')}`
  return dayFromIso(iso) === undefined ? undefined : iso
}

const MONTHS: readonly string[] = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
