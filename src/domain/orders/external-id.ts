import type { OrderNumber } from '#kernel/ids.ts'

/**
 * What the partner shall know an order by when it is sent to it once more: `K7QM-4T2X-2`, then `-3`. An external id stays taken at the
 * partner for ever, also after the order was cancelled there.
 */
export function nextExternalId(orderNumber: OrderNumber, current: string): string {
  const attempt = Number(/^-(\d+)$/.exec(current.slice(orderNumber.length))?.[1] ?? 1)
  return `${orderNumber}-${attempt + 1}`
}
