import type { FigureQuery, ReportLine, ReportLines } from '#contract/reports.ts'
import type { Figure } from '#contract/report-figures.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { cents, negate, ZERO, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { listOriginLines } from './origin-lines.ts'
import { readRange, snapshot, type ReportNeeds } from './reports.ts'
import {
  findProviderReadings,
  linesOf,
  selectLines,
  sumCollections,
  sumLedger,
  sumLines,
  sumProviders,
  sumSales,
  type LinesRequest,
} from './store.ts'

const LINES_A_PAGE = 100

type Request = LinesRequest & { figure: Exclude<Figure, 'brought'> }

/**
 * A page of a figure's lines, with the total of all lines, the report's figure and the ledger's: three independent ways to the same
 * amount.
 */
export async function listLines(shop: ReportNeeds, query: FigureQuery): Promise<ReportLines> {
  const { range, days, zone, asOf } = readRange(shop, query)
  const { figure, provider = 'stripe', collection = '', by = 'partner', key = '', column = 'revenue' } = query
  const mark = readMark(query.after)
  return snapshot(shop, async (db) => {
    const answer =
      figure === 'brought'
        ? await listOriginLines(db, { by, key, column, range, days, zone }, mark, LINES_A_PAGE + 1)
        : await listPlainLines(db, { figure, provider, collection, range }, mark)
    const lines = answer.lines.slice(0, LINES_A_PAGE)
    const last = lines.at(-1)
    return {
      ...answer,
      lines,
      next: last && answer.lines.length > LINES_A_PAGE ? markOf(last) : null,
      timeZone: zone,
      asOf: asOf.toISOString(),
    }
  })
}

const listPlainLines = async (db: Reader, request: Request, mark: ReturnType<typeof readMark>) => ({
  name: null,
  lines: await selectLines(db, linesOf(request), mark, LINES_A_PAGE + 1),
  ...(await sumLines(db, linesOf(request))),
  reported: await reportedFigure(db, request),
  booked: await bookedFigure(db, request),
})

const markOf = ({ at, id }: ReportLine): string => `${Date.parse(at)}:${id}`

function readMark(after: string | undefined): { at: number; id: string } | undefined {
  if (!after) return undefined
  const colon = after.indexOf(':')
  return { at: Number(after.slice(0, colon)), id: after.slice(colon + 1) }
}

/** The figure as the summary computes it. */
async function reportedFigure(db: Reader, { figure, provider, collection, range }: Request): Promise<Cents> {
  if (figure === 'revenue' || figure === 'tax') return (await sumSales(db, range))[figure]
  if (figure === 'collection')
    return (await sumCollections(db, range)).find((sales) => sales.collection === collection)?.revenue ?? ZERO
  const figures = (await sumProviders(db, range, await findProviderReadings(db)))[provider]
  const names = {
    database: 'database',
    listed: 'listed',
    missing: 'missing',
    others: 'ofOthers',
    refunded: 'refunded',
  } as const
  return figures[names[figure]]
}

/** Null for figures that the ledger does not have. */
async function bookedFigure(db: Reader, { figure, provider, range }: Request): Promise<Cents | null> {
  const { sumOf, isOwed } = bookedAs(figure, provider)
  if (!sumOf) return null
  const amount = await sumLedger(db, sumOf, range)
  return isOwed ? negate(amount) : cents(amount)
}

function bookedAs(
  figure: Request['figure'],
  provider: PaymentProvider,
): { sumOf?: Parameters<typeof sumLedger>[1]; isOwed: boolean } {
  const account = `provider:${provider}` as const
  switch (figure) {
    case 'revenue':
      return { sumOf: { kinds: ['sale'], accounts: ['provider:stripe', 'provider:paypal'] }, isOwed: false }
    case 'tax':
      return { sumOf: { kinds: ['sale'], accounts: ['liability:tax'] }, isOwed: true }
    case 'database':
      return { sumOf: { kinds: ['sale', 'gift_card', 'exception'], accounts: [account] }, isOwed: false }
    case 'refunded':
      return { sumOf: { kinds: ['refund'], accounts: [account] }, isOwed: true }
    case 'collection':
    case 'listed':
    case 'missing':
    case 'others':
      return { isOwed: false }
  }
}
