import type { OrderNumber } from '#shared/ids.ts'

/**
 * What the partner shall know an order by when it is sent to it once more: `K7QM-4T2X-2`, then `-3`. An external id stays taken at the
 * partner for ever, also after the order was canceled there.
 */
export const nextExternalId = (orderNumber: OrderNumber, current: string): string =>
  `${orderNumber}-${attemptOf(orderNumber, current) + 1}`

/** All that the partner has known an order by, the current one included. */
export const externalIdsUntil = (orderNumber: OrderNumber, current: string): string[] =>
  Array.from({ length: attemptOf(orderNumber, current) }, (_, index) =>
    index === 0 ? orderNumber : `${orderNumber}-${index + 1}`,
  )

const attemptOf = (orderNumber: OrderNumber, externalId: string): number =>
  Number(/^-(\d+)$/.exec(externalId.slice(orderNumber.length))?.[1] ?? 1)
