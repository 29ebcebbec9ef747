import type { OrderKey } from '#contract/orders.ts'
import { query } from '#web/api/queries.ts'

export const orderClaimsQuery = (key: OrderKey) => query('GET /api/order/claims', { query: key })

/** One of the order's pages or files. */
export const withKey = (path: string, key: OrderKey): string =>
  `${path}?${new URLSearchParams(key as Record<string, string>).toString()}`

export const photoAddress = (photo: string, key: OrderKey): string => withKey(`/api/order/claim-photos/${photo}`, key)
