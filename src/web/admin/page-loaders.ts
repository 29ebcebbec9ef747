import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { roleMay, type StaffNeed } from '#domain/accounts/roles.ts'
import { providerDetailQuery, userQuery } from '#web/api/queries.ts'
import { previewQuery } from '#web/studio/studio-queries.ts'
import {
  daysIn,
  linesQuery,
  funnelQuery,
  linesRequestIn,
  originKindIn,
  originsQuery,
  pastOrdersQuery,
  summaryQuery,
} from '#web/reports/report-queries.ts'
import { taxFigureIn, taxLinesQuery, taxQuery } from '#web/reports/tax-queries.ts'
import {
  adminCollectionQuery,
  adminCollectionsQuery,
  claimFiguresQuery,
  withdrawalRightsQuery,
  legalPagesQuery,
  mailsQuery,
  settingsQuery,
  exceptionsQuery,
  rafflesQuery,
  reconciliationQuery,
  adminOrderQuery,
  adminReviewsQuery,
  reviewFilterIn,
  filterIn,
  homeQuery,
  overviewQuery,
  logQuery,
  ordersQuery,
  phoneOrdersQuery,
  partnerRatesQuery,
  payoutsQuery,
  productsQuery,
  productTypesQuery,
  codesQuery,
  bankQuery,
  peopleQuery,
  dropsQuery,
  bookkeepingQuery,
  giftCardsQuery,
  invoicesQuery,
  monthQuery,
  monthsQuery,
  searchWordsQuery,
  syncsQuery,
} from './admin-queries.ts'

type AdminLoad = (queries: QueryClient, request: LoaderFunctionArgs) => Promise<unknown>

const searchOf = ({ request }: LoaderFunctionArgs): URLSearchParams => new URL(request.url).searchParams

/** Whether the signed-in person's role allows it; the page's guard has loaded the user. */
const mayIn = (queries: QueryClient, need: StaffNeed): boolean =>
  roleMay(queries.getQueryData(userQuery.queryKey)?.role ?? null, need)

/** What waits for the owner, for the side bar. A browser shows the page before it has them. */
export const loadCounts = (queries: QueryClient) => queries.prefetchQuery(homeQuery)

/** What each admin page loads before it is shown; a separate chunk, since shoppers need none of it. */
export const pageLoaders = {
  exceptions: (queries, request) => queries.prefetchQuery(exceptionsQuery(searchOf(request))),
  giftCards: (queries, request) => {
    const search = searchOf(request)
    return queries.prefetchQuery(
      giftCardsQuery({ search: search.get('search') ?? undefined, older: search.get('older') ?? undefined }),
    )
  },
  close: async (queries, request) => {
    const { next } = await queries.fetchQuery(monthsQuery)
    const month = searchOf(request).get('month') ?? next
    if (month !== null) await queries.prefetchQuery(monthQuery(month))
  },
  bank: (queries) => queries.prefetchQuery(bankQuery),
  bookkeeping: (queries) => queries.prefetchQuery(bookkeepingQuery),
  invoices: (queries, request) => queries.prefetchQuery(invoicesQuery(searchOf(request).get('month'))),
  tax: (queries, request) => queries.prefetchQuery(taxQuery(searchOf(request).get('period'))),
  taxLines: async (queries, request) => {
    const search = searchOf(request)
    const period = search.get('period')
    if (period) await queries.prefetchQuery(taxLinesQuery(period, taxFigureIn(search), search.get('after')))
  },
  claims: (queries) => queries.prefetchQuery(claimFiguresQuery('product')),
  withdrawal: (queries) => queries.prefetchQuery(withdrawalRightsQuery),
  raffles: (queries) => queries.prefetchQuery(rafflesQuery),
  reconciliation: (queries) => queries.prefetchQuery(reconciliationQuery),
  home: (queries) =>
    Promise.all([
      queries.prefetchQuery(homeQuery),
      mayIn(queries, 'read_figures') && queries.prefetchQuery(overviewQuery),
      mayIn(queries, 'owner') && queries.prefetchQuery(productsQuery()),
      mayIn(queries, 'owner') && queries.prefetchQuery(adminCollectionsQuery),
    ]),
  log: (queries, request) => queries.prefetchQuery(logQuery(searchOf(request).get('older') ?? undefined)),
  orders: (queries, request) =>
    Promise.all([
      queries.prefetchQuery(ordersQuery(filterIn(searchOf(request)))),
      queries.prefetchQuery(phoneOrdersQuery),
      queries.prefetchQuery(adminCollectionsQuery),
    ]),
  order: (queries, { params }) => queries.prefetchQuery(adminOrderQuery(params['number'] ?? '')),
  payouts: (queries, request) => queries.prefetchQuery(payoutsQuery(searchOf(request).get('older') ?? undefined)),
  partners: (queries) => queries.prefetchQuery(partnerRatesQuery),
  reports: (queries, request) => {
    const days = daysIn(searchOf(request))
    return Promise.all([queries.prefetchQuery(summaryQuery(days)), queries.prefetchQuery(pastOrdersQuery(days))])
  },
  origins: (queries, request) => {
    const search = searchOf(request)
    return queries.prefetchQuery(originsQuery(daysIn(search), originKindIn(search)))
  },
  funnel: (queries, request) => queries.prefetchQuery(funnelQuery(daysIn(searchOf(request)))),
  reportLines: async (queries, request) => {
    const search = searchOf(request)
    const lines = linesRequestIn(search)
    await queries.prefetchQuery(adminCollectionsQuery)
    if (lines) await queries.prefetchQuery(linesQuery(daysIn(search), lines, search.get('after')))
  },
  products: (queries, request) =>
    Promise.all([
      queries.prefetchQuery(productsQuery(searchOf(request).get('after') ?? undefined)),
      queries.prefetchQuery(adminCollectionsQuery),
    ]),
  productTypes: (queries) => queries.prefetchQuery(productTypesQuery),
  reviews: (queries, request) => queries.prefetchQuery(adminReviewsQuery(reviewFilterIn(searchOf(request)))),
  people: (queries) => queries.prefetchQuery(peopleQuery),
  drops: (queries) => queries.prefetchQuery(dropsQuery),
  codes: (queries) => queries.prefetchQuery(codesQuery),
  searchWords: (queries) => queries.prefetchQuery(searchWordsQuery),
  legal: (queries) => queries.prefetchQuery(legalPagesQuery),
  mails: (queries) => queries.prefetchQuery(mailsQuery),
  settings: (queries) => queries.prefetchQuery(settingsQuery),
  collections: (queries) => queries.prefetchQuery(adminCollectionsQuery),
  collection: (queries, { params }) => queries.prefetchQuery(adminCollectionQuery(params['id'] ?? '')),
  catalog: (queries) => queries.prefetchQuery(syncsQuery),
  draftPreview: async (queries, { params }) => {
    const preview = previewQuery(Number(params['draft']))
    await queries.prefetchQuery(preview)
    const found = queries.getQueryData(preview.queryKey)
    // The product's page asks for its variants by its number at the printer; a draft's come with it.
    if (found) queries.setQueryData(providerDetailQuery(found.page.product.id).queryKey, found.detail)
  },
  nothing: () => Promise.resolve(),
} satisfies Record<string, AdminLoad>
