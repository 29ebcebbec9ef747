import { MINUTE_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'

/** Who looks at earnings again wants to know what has come since. */
const current = { staleTime: MINUTE_MS / 6, refetchOnWindowFocus: true }

const dayOf = (text: string | null): string | undefined => text || undefined

/** The days that an address asks for, as its call takes them. */
export function spanIn(parameters: URLSearchParams) {
  const [from, to] = [dayOf(parameters.get('from')), dayOf(parameters.get('to'))]
  return { ...(from && { from }), ...(to && { to }) }
}

export const earningsQuery = (span: ReturnType<typeof spanIn>) => ({
  ...query('GET /api/partnership/earnings', { query: span }),
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
