import type { QueryClient } from '@tanstack/react-query'
import {
  earnedOrdersQuery,
  earningsQuery,
  payoutAccountQuery,
  rangeIn,
  statementQuery,
  whyQuery,
} from './earnings-queries.ts'

type Load = (queries: QueryClient, search: URLSearchParams) => Promise<unknown>

/** What each partner page loads before it is shown; a separate chunk, since shoppers need none of it. */
export const pageLoaders = {
  earnings: (queries, search) => queries.prefetchQuery(earningsQuery(rangeIn(search))),
  links: (queries) => queries.prefetchQuery(earningsQuery({})),
  orders: (queries, search) => {
    const order = search.get('order')?.trim()
    return Promise.all([
      queries.prefetchQuery(earningsQuery({})),
      queries.prefetchQuery(earnedOrdersQuery(search.get('older'))),
      order && queries.prefetchQuery(whyQuery(order)),
    ])
  },
  statements: (queries) =>
    Promise.all([queries.prefetchQuery(earningsQuery({})), queries.prefetchQuery(payoutAccountQuery)]),
  statement: (queries, search) => queries.prefetchQuery(statementQuery(search.get('month') ?? '', search.get('after'))),
} satisfies Record<string, Load>
