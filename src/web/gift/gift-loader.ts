import { query } from '#web/api/queries.ts'
import type { Load } from '#web/app/page-route.ts'
import { loadOrder } from '#web/orders/order-loader.ts'

export const giftQuery = (token: string) => query('GET /api/order/gift', { query: { token } })

/** Loads the gift of a link. */
export const loadGift: Load = (queries, { request }) =>
  loadOrder(queries, giftQuery(new URL(request.url).searchParams.get('token') ?? ''))
