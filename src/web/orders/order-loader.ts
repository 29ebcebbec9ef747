import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { data } from 'react-router'
import type { OrderKey } from '#contract/orders.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { ApiError } from '#web/api/client.ts'
import { configQuery } from '#web/api/queries.ts'
import type { Load } from '#web/app/page-route.ts'
import { orderKeyIn } from './order-key.ts'

type OrderQuery = { queryKey: QueryKey }

/**
 * Loads what a page shows of an order, in the colors of its collection. A refusal looks the same for foreign and unknown orders, so
 * nobody learns whether an order exists.
 */
export async function loadOrder(queries: QueryClient, { queryKey }: OrderQuery): ReturnType<Load> {
  await queries.prefetchQuery({ queryKey })
  const shown = queries.getQueryData<{ collection: string }>(queryKey)
  if (shown) {
    const theme = findCollection(queries.getQueryData(configQuery.queryKey)?.collections ?? [], shown.collection)
    return theme ? { collection: theme.id } : {}
  }
  const error = queries.getQueryState(queryKey)?.error
  const status = error instanceof ApiError ? error.status : 503
  return data({ failed: status }, { status })
}

/** The same for a page whose address has the order's key; without one, the page says so. */
export const orderLoader =
  (queryOf: (key: OrderKey) => OrderQuery): Load =>
  async (queries, { request }) => {
    const key = orderKeyIn(new URL(request.url).searchParams)
    return key ? loadOrder(queries, queryOf(key)) : {}
  }
