import { MINUTE_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'

const current = { staleTime: MINUTE_MS / 6, refetchOnWindowFocus: true }

const dayOf = (text: string | null): string | undefined => text || undefined

export type EarningsRange = { from?: string; to?: string }

/** The date range in an address, as its call takes it. */
export function rangeIn(parameters: URLSearchParams): EarningsRange {
  const [from, to] = [dayOf(parameters.get('from')), dayOf(parameters.get('to'))]
  return { ...(from && { from }), ...(to && { to }) }
}

export const earningsQuery = (range: EarningsRange) => ({
  ...query('GET /api/partnership/earnings', { query: range }),
  ...current,
})

export const earnedOrdersQuery = (older: string | null) => ({
  ...query('GET /api/partnership/earnings/orders', { query: older ? { older } : {} }),
  ...current,
})

export const whyQuery = (order: string) => ({
  ...query('GET /api/partnership/earnings/why', { query: { order } }),
  ...current,
})

export const statementQuery = (month: string, after: string | null) => ({
  ...query('GET /api/partnership/statements/:month', { params: { month }, query: after ? { after } : {} }),
  ...current,
})

export const payoutAccountQuery = { ...query('GET /api/partnership/payout-account'), ...current }
