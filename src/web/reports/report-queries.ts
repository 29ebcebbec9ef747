import { figures, providers, type Figure } from '#contract/report-figures.ts'
import { paths } from '#contract/paths.ts'
import { SECOND_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'

/** A report is of the moment at which it is looked at. */
const current = { staleTime: 2 * SECOND_MS, refetchOnWindowFocus: true }

/** The days of a report as its address has them. */
export type Days = { start_date?: string; end_date?: string }

/** Whatever is no day is left to the shop to refuse. */
export function daysIn(search: URLSearchParams): Days {
  const [start, end] = [search.get('start_date'), search.get('end_date')]
  return { ...(start && { start_date: start }), ...(end && { end_date: end }) }
}

export const withDays = (path: string, days: Days, more: Record<string, string> = {}): string => {
  const search = new URLSearchParams({ ...more, ...days })
  return search.size > 0 ? `${path}?${search}` : path
}

export const summaryQuery = (days: Days) => ({ ...query('GET /api/reports/summary', { query: days }), ...current })

/** A figure of a report; `of` is the provider or the collection that it is about. */
export type LinesRequest = { figure: Figure; of: string }

export function linesRequestIn(search: URLSearchParams): LinesRequest | undefined {
  const figure = figures.find((one) => one === search.get('figure'))
  return figure && { figure, of: search.get('of') ?? '' }
}

export const linesPath = (days: Days, { figure, of }: LinesRequest): string =>
  withDays(paths.reportLines, days, { figure, ...(of && { of }) })

export function linesQuery(days: Days, { figure, of }: LinesRequest, after: string | null) {
  const provider = providers.find((one) => one === of)
  const about = figure === 'collection' ? { collection: of } : { ...(provider && { provider }) }
  return {
    ...query('GET /api/reports/lines', { query: { figure, ...about, ...days, ...(after && { after }) } }),
    ...current,
  }
}
