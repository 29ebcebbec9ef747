import type { OrderKey } from '#contract/orders.ts'
import { query } from '#web/api/queries.ts'

export const orderClaimsQuery = (key: OrderKey) => query('GET /api/order/claims', { query: key })

const asQuery = (key: OrderKey): string => new URLSearchParams(key as Record<string, string>).toString()

/** One of the order's pages. */
export const withKey = (path: string, key: OrderKey): string => `${path}?${asQuery(key)}`

export const photoAddress = (photo: string, key: OrderKey): string => `/api/order/claim-photos/${photo}?${asQuery(key)}`
