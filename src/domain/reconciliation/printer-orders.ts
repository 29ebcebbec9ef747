import type { OrderNumber } from '#shared/ids.ts'

/** Every external id an order may have at Printful: each resubmission adds one. @param current `K7QM-4T2X-3` */
export function printerOrderIdsOf(orderNumber: OrderNumber, current: string): string[] {
  const attempts = Number(/-(\d+)$/.exec(current.slice(orderNumber.length))?.[1] ?? 1)
  return Array.from({ length: attempts }, (_, index) => (index === 0 ? orderNumber : `${orderNumber}-${index + 1}`))
}

export const orderNumberInExternalId = (externalId: string): string => externalId.slice(0, 'K7QM-4T2X'.length)
