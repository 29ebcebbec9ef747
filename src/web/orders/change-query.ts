import type { OrderKey } from '#contract/orders.ts'
import { query } from '#web/api/queries.ts'

/** The change of an order that waits for its payment. */
export const changeQuery = (key: OrderKey) => query('GET /api/order/change', { query: key })
