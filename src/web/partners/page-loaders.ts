import type { QueryClient } from '@tanstack/react-query'
import {
  earnedOrdersQuery,
  earningsQuery,
  payoutAccountQuery,
  spanIn,
  statementQuery,
  whyQuery,
} from './earnings-queries.ts'

type Load = (queries: QueryClient, asked: URLSearchParams) => Promise<unknown>

/** What each page of a partner asks for before it is shown; in a chunk of its own, for shoppers need none of it. */
export const pageLoaders = {
  earnings: (queries, asked) => {
    const order = asked.get('order')?.trim()
    return Promise.all([
      queries.prefetchQuery(earningsQuery(spanIn(asked))),
      queries.prefetchQuery(earnedOrdersQuery(asked.get('older'))),
      queries.prefetchQuery(payoutAccountQuery),
      order && queries.prefetchQuery(whyQuery(order)),
    ])
  },
  statement: (queries, asked) => queries.prefetchQuery(statementQuery(asked.get('month') ?? '', asked.get('after'))),
} satisfies Record<string, Load>
