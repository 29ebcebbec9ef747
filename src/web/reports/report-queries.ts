import {
  figures,
  originColumns,
  originKinds,
  providers,
  type Figure,
  type OriginColumn,
  type OriginKind,
} from '#contract/report-figures.ts'
import { paths } from '#contract/paths.ts'
import { SECOND_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'

const current = { staleTime: 2 * SECOND_MS, refetchOnWindowFocus: true }

/** The date range in a report's address. */
export type Days = { start_date?: string; end_date?: string }

/** The server validates the values. */
export function daysIn(search: URLSearchParams): Days {
  const [start, end] = [search.get('start_date'), search.get('end_date')]
  return { ...(start && { start_date: start }), ...(end && { end_date: end }) }
}

export const withDays = (path: string, days: Days, more: Record<string, string> = {}): string => {
  const search = new URLSearchParams({ ...more, ...days })
  return search.size > 0 ? `${path}?${search}` : path
}

export const summaryQuery = (days: Days) => ({ ...query('GET /api/reports/summary', { query: days }), ...current })

export const pastOrdersQuery = (days: Days) => query('GET /api/reports/past-orders', { query: days })

export const originKindIn = (search: URLSearchParams): OriginKind =>
  originKinds.find((kind) => kind === search.get('by')) ?? 'partner'

export const originsQuery = (days: Days, by: OriginKind) => ({
  ...query('GET /api/reports/origins', { query: { by, ...days } }),
  ...current,
})

/** `partner:bullion`: a group of orders, in an address. */
function originIn(of: string): { by: OriginKind; key: string } | undefined {
  const by = originKinds.find((kind) => of.startsWith(`${kind}:`))
  return by && { by, key: of.slice(by.length + 1) }
}

export const funnelQuery = (days: Days) => ({ ...query('GET /api/reports/funnel', { query: days }), ...current })

/** A figure of a report; `of` is its provider, collection or group of orders, `column` which figure of a group. */
export type LinesRequest = { figure: Figure; of: string; column?: OriginColumn }

export function linesRequestIn(search: URLSearchParams): LinesRequest | undefined {
  const figure = figures.find((name) => name === search.get('figure'))
  const column = originColumns.find((name) => name === search.get('column'))
  return figure && { figure, of: search.get('of') ?? '', ...(column && { column }) }
}

export const linesPath = (days: Days, { figure, of, column }: LinesRequest): string =>
  withDays(paths.reportLines, days, { figure, ...(of && { of }), ...(column && column !== 'revenue' && { column }) })

export function linesQuery(days: Days, { figure, of, column }: LinesRequest, after: string | null) {
  const provider = providers.find((name) => name === of)
  const about = figure === 'collection' ? { collection: of } : { ...(provider && { provider }), ...originIn(of) }
  return {
    ...query('GET /api/reports/lines', {
      query: { figure, ...about, ...(column && { column }), ...days, ...(after && { after }) },
    }),
    ...current,
  }
}
