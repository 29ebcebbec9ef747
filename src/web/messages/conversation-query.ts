import type { OrderKey } from '#contract/orders.ts'
import { SECOND_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'

/** What was written about an order. An answer appears while the page is open. */
export const orderConversationQuery = (key: OrderKey) => ({
  ...query('GET /api/order/conversation', { query: key }),
  refetchInterval: 30 * SECOND_MS,
})
