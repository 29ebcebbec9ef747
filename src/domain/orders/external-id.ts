import type { OrderNumber } from '#shared/ids.ts'

/**
 * The external id for submitting an order to Printful again: `K7QM-4T2X-2`, then `-3`. Printful never frees an
 * external id, even after canceling.
 */
export const nextExternalId = (orderNumber: OrderNumber, current: string): string =>
  `${orderNumber}-${attemptOf(orderNumber, current) + 1}`

/** All external ids an order has had at Printful, including the current one. */
export const externalIdsUntil = (orderNumber: OrderNumber, current: string): string[] =>
  Array.from({ length: attemptOf(orderNumber, current) }, (_, index) =>
    index === 0 ? orderNumber : `${orderNumber}-${index + 1}`,
  )

const attemptOf = (orderNumber: OrderNumber, externalId: string): number =>
  Number(/^-(\d+)$/.exec(externalId.slice(orderNumber.length))?.[1] ?? 1)
