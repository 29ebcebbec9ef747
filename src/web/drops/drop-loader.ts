import { query } from '#web/api/queries.ts'
import type { Load } from '#web/app/page-route.ts'
import { loadOrder } from '#web/orders/order-loader.ts'

export const certificateQuery = (token: string) => query('GET /api/edition', { query: { token } })
export const offerQuery = (token: string) => query('GET /api/drops/offer', { query: { token } })

const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? ''

/** Loads the certificate of a link. */
export const loadCertificate: Load = (queries, { request }) =>
  loadOrder(queries, certificateQuery(tokenOf(request.url)))

/** Loads the offer of a link. */
export const loadOffer: Load = (queries, { request }) => loadOrder(queries, offerQuery(tokenOf(request.url)))
