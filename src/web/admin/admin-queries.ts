import type { claimGroups } from '#contract/admin-claims.ts'
import { SECOND_MS } from '#shared/time.ts'
import type { Payload } from '#web/api/client.ts'
import { query } from '#web/api/queries.ts'

/** Long enough to show what the page's loader fetched, too short to show yesterday's figures. */
const FRESH_MS = 2 * SECOND_MS

const current = { staleTime: FRESH_MS, refetchOnWindowFocus: true }

export const homeQuery = { ...query('GET /api/admin'), ...current }
export const overviewQuery = { ...query('GET /api/admin/overview'), ...current }

/** @param q at least `FIND_LENGTH_MIN` characters */
export const findQuery = (q: string) => ({ ...query('GET /api/admin/find', { query: { q } }), ...current })

export const viewsQuery = { ...query('GET /api/admin/views'), ...current }

export const logQuery = (older?: string) => ({
  ...query('GET /api/admin/log', { query: older ? { older } : {} }),
  ...current,
})

export const productsQuery = (after?: string) => ({
  ...query('GET /api/admin/products', { query: after ? { after } : {} }),
  ...current,
})

export const adminCollectionQuery = (id: string) => ({
  ...query('GET /api/admin/collections/:id', { params: { id } }),
  ...current,
})
export const adminCollectionsQuery = { ...query('GET /api/admin/collections'), ...current }

export const giftCardsQuery = ({ search, older }: { search?: string | undefined; older?: string | undefined }) => ({
  ...query('GET /api/admin/gift-cards', { query: { ...(search && { search }), ...(older && { older }) } }),
  ...current,
})

export const bookkeepingQuery = { ...query('GET /api/admin/bookkeeping'), ...current }

/** The server validates the month. */
export const invoicesQuery = (month: string | null) => ({
  ...query('GET /api/admin/invoices', { query: month === null ? {} : { month } }),
  ...current,
})
export const orderInvoicesQuery = (number: string) => ({
  ...query('GET /api/admin/orders/:number/invoices', { params: { number } }),
  ...current,
})

export const bankQuery = { ...query('GET /api/admin/bank'), ...current }
export const bankPayoutQuery = (provider: 'stripe' | 'paypal', id: string) => ({
  ...query('GET /api/admin/bank/payouts/:provider/:id', { params: { provider, id } }),
  ...current,
})

export const giftCardDisputesQuery = (id: number) => ({
  ...query('GET /api/admin/gift-cards/:id/disputes', { params: { id } }),
  ...current,
})

export const orderDisputesQuery = (number: string) => ({
  ...query('GET /api/admin/orders/:number/disputes', { params: { number } }),
  ...current,
})

export const monthsQuery = { ...query('GET /api/admin/months'), ...current }
export const monthQuery = (month: string) => ({
  ...query('GET /api/admin/months/:month', { params: { month } }),
  ...current,
})

export const peopleQuery = { ...query('GET /api/admin/people'), ...current }

export const dropsQuery = { ...query('GET /api/admin/drops'), ...current }
const BOARD_EVERY_MS = 5 * SECOND_MS
/** Refreshed by itself while the page is seen. */
export const dropBoardQuery = (id: string) => ({
  ...query('GET /api/admin/drops/:id/board', { params: { id } }),
  ...current,
  refetchInterval: BOARD_EVERY_MS,
})
export const codesQuery = { ...query('GET /api/admin/codes'), ...current }
export const searchWordsQuery = { ...query('GET /api/admin/search'), ...current }

export const legalPagesQuery = { ...query('GET /api/admin/legal'), ...current }
export const mailsQuery = { ...query('GET /api/admin/mails'), ...current }
export const settingsQuery = { ...query('GET /api/admin/settings'), ...current }

export const productHistoryQuery = (id: number) => ({
  ...query('GET /api/admin/products/:id/history', { params: { id } }),
  ...current,
})

export const productTypesQuery = { ...query('GET /api/admin/product-types'), ...current }

export const productTypeHistoryQuery = (key: string) => ({
  ...query('GET /api/admin/product-types/:key/history', { params: { key } }),
  ...current,
})

export const productPicturesQuery = (id: number) => ({
  ...query('GET /api/admin/products/:id/pictures', { params: { id } }),
  ...current,
})

export const issuesQuery = { ...query('GET /api/admin/issues'), ...current }
export const syncsQuery = { ...query('GET /api/admin/catalog'), ...current }

export const syncQuery = (id: number) => ({ ...query('GET /api/admin/catalog/:id', { params: { id } }), ...current })

type OrderFilter = NonNullable<Payload<'GET /api/admin/orders'>['query']>

const filterNames = ['q', 'status', 'late', 'provider', 'collection', 'from', 'to', 'older'] as const

/** The filters in an address. Their values are validated by the server. */
export const filterIn = (search: URLSearchParams): OrderFilter =>
  Object.fromEntries(filterNames.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])))

export const phoneOrdersQuery = { ...query('GET /api/admin/phone-orders'), ...current }

export const ordersQuery = (filter: OrderFilter) => ({
  ...query('GET /api/admin/orders', { query: filter }),
  ...current,
})

type ReviewFilter = NonNullable<Payload<'GET /api/admin/reviews'>['query']>

const reviewFilterNames = ['state', 'product', 'stars', 'older'] as const

/** The filters in an address. Their values are validated by the server. */
export const reviewFilterIn = (search: URLSearchParams): ReviewFilter =>
  Object.fromEntries(reviewFilterNames.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])))

export const adminReviewsQuery = (filter: ReviewFilter) => ({
  ...query('GET /api/admin/reviews', { query: filter }),
  ...current,
})

export const reviewHistoryQuery = (id: number) => ({
  ...query('GET /api/admin/reviews/:id/history', { params: { id } }),
  ...current,
})

export const payoutsQuery = (older?: string) => ({
  ...query('GET /api/admin/payouts', { query: older ? { older } : {} }),
  ...current,
})

export const partnerRatesQuery = { ...query('GET /api/admin/partner-rates'), ...current }

export const adminOrderQuery = (number: string) => ({
  ...query('GET /api/admin/orders/:number', { params: { number } }),
  ...current,
})

/** @param search of the page's address */
/** @param search of the page's address */
export function exceptionsQuery(search: URLSearchParams) {
  const older = search.get('older')
  const kind = search.get('kind')
  const healed = search.get('resolved') === '1' && { healed: '1' as const }
  return {
    ...query('GET /api/admin/exceptions', { query: { ...(older && { older }), ...(kind && { kind }), ...healed } }),
    ...current,
  }
}

export const claimFiguresQuery = (by: (typeof claimGroups)[number]) => ({
  ...query('GET /api/admin/claim-figures', { query: { by } }),
  ...current,
})
export const withdrawalRightsQuery = { ...query('GET /api/admin/withdrawal-rights'), ...current }

export const rafflesQuery = { ...query('GET /api/admin/raffles'), ...current }

export const reconciliationQuery = { ...query('GET /api/admin/reconciliation'), ...current }
