import { data } from 'react-router'
import { ApiError } from '#web/api/client.ts'
import { query } from '#web/api/queries.ts'
import type { Load } from '#web/app/page-route.ts'
import { changeQuery } from '#web/orders/change-query.ts'
import { orderKeyIn } from '#web/orders/order-key.ts'
import { loadOrder } from '#web/orders/order-loader.ts'

export const toPayQuery = (token: string) => query('GET /api/order/to-pay', { query: { token } })

/** Loads the order that a payment link opens. */
export const loadToPay: Load = async (queries, { request }) => {
  const token = new URL(request.url).searchParams.get('token')
  if (!token) return data({ failed: 404 }, { status: 404 })
  return loadOrder(queries, toPayQuery(token))
}

export const giftCardQuery = (token: string) => query('GET /api/gift-card', { query: { token } })

/** Loads the purchase of a gift card, if the address names one. */
export const loadGiftCard: Load = async (queries, { request }) => {
  const token = new URL(request.url).searchParams.get('token')
  if (!token) return {}
  const { queryKey } = giftCardQuery(token)
  await queries.prefetchQuery(giftCardQuery(token))
  const error = queries.getQueryState(queryKey)?.error
  return error ? data({}, { status: error instanceof ApiError ? error.status : 503 }) : {}
}

/** Loads the change of an order that is to be paid. */
export const loadChangeToPay: Load = async (queries, { request }) => {
  const key = orderKeyIn(new URL(request.url).searchParams)
  if (!key) return data({ failed: 404 }, { status: 404 })
  await queries.prefetchQuery(changeQuery(key))
  return {}
}
