import type { Shipment } from './production.ts'

/** When the last of an order's goods arrived; null before, or without the carrier's word. @param isAllSent whether nothing is left to ship */
export function receivedAtOf(
  isAllSent: boolean,
  shipments: readonly Pick<Shipment, 'deliveredAt' | 'returnedAt'>[],
): Date | null {
  const kept = shipments.filter(({ returnedAt }) => !returnedAt)
  const times = kept.flatMap(({ deliveredAt }) => (deliveredAt ? [deliveredAt.getTime()] : []))
  return isAllSent && times.length > 0 && times.length === kept.length ? new Date(Math.max(...times)) : null
}
