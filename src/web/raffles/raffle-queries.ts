import { data } from 'react-router'
import { ApiError } from '#web/api/client.ts'
import { query } from '#web/api/queries.ts'
import type { Load } from '#web/app/page-route.ts'

export const raffleQuery = (slug: string) => query('GET /api/raffles/:slug', { params: { slug } })
export const raffleEntryQuery = (token: string) => query('GET /api/raffle-entry', { query: { token } })

/** Loads a raffle. @throws Response of the 404 page for an unknown one, and of a failure that can be tried again */
export const loadRaffle: Load = async (queries, { params }) => {
  const { queryKey, ...wanted } = raffleQuery(params['slug'] ?? '')
  await queries.prefetchQuery({ queryKey, ...wanted })
  const error = queries.getQueryState(queryKey)?.error
  if (!error) return {}
  const status = error instanceof ApiError && error.status !== 422 ? error.status : 404
  throw data(null, { status })
}

/** Loads the entry of an emailed link, if the address has one that works; without one, the page says what happened. */
export const loadRaffleEntry: Load = async (queries, { request }) => {
  const token = new URL(request.url).searchParams.get('token')
  if (token) await queries.prefetchQuery(raffleEntryQuery(token))
  return {}
}
