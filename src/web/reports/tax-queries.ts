import { taxPaths, type TaxFigure } from '#contract/tax-paths.ts'
import { SECOND_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'

const current = { staleTime: 2 * SECOND_MS, refetchOnWindowFocus: true }

export const taxQuery = (period: string | null) => ({
  ...query('GET /api/admin/tax', { query: period ? { period } : {} }),
  ...current,
})

/** The server validates the values. */
export function taxFigureIn(search: URLSearchParams): TaxFigure {
  const kind = (['sold', 'refunded'] as const).find((name) => name === search.get('kind'))
  const names = (['country', 'state', 'rates'] as const).flatMap((name) => {
    const value = search.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { ...(kind && { kind }), ...Object.fromEntries(names) }
}

export const taxLinesQuery = (period: string, figure: TaxFigure, after: string | null) => ({
  ...query('GET /api/admin/tax/lines', { query: { period, ...figure, ...(after && { after }) } }),
  ...current,
})

export const taxLinesPath = (period: string, figure: TaxFigure, after: string): string =>
  `${taxPaths.linesOf(period, figure)}&after=${after}`
