import { data } from 'react-router'
import { findCollection } from '#domain/catalog/collections.ts'
import { ApiError } from '#web/api/client.ts'
import { configQuery } from '#web/api/queries.ts'
import type { Load } from '#web/app/page-route.ts'
import { orderKeyIn } from '#web/orders/order-key.ts'
import { orderClaimsQuery } from './claim-queries.ts'

/** Loads an order's page about problems or withdrawal; a refusal looks the same for foreign and unknown orders. */
export const loadClaims: Load = async (queries, { request }) => {
  const key = orderKeyIn(new URL(request.url).searchParams)
  if (!key) return {}
  const { queryKey } = orderClaimsQuery(key)
  await queries.prefetchQuery({ queryKey })
  const claims = queries.getQueryData(queryKey)
  if (claims) {
    const theme = findCollection(queries.getQueryData(configQuery.queryKey)?.collections ?? [], claims.collection)
    return theme ? { collection: theme.id } : {}
  }
  const error = queries.getQueryState(queryKey)?.error
  const status = error instanceof ApiError ? error.status : 503
  return data({ failed: status }, { status })
}
