import type * as z from 'zod/mini'
import { isEventName } from '#server/providers/verdict.ts'
import type { eventShape } from './shapes.ts'

/** A verified event. Handlers read the order again instead of trusting the payload, because events can arrive out of order. */
export type PaypalEvent = {
  id: string
  type: string
  /** PayPal's order id, if the event contains it. */
  paymentId: string | null
  /** The capture that the event is about; `orderIdOfCapture` finds its order. */
  captureId: string | null
  /** The URL of the signing certificate. */
  certificate: string
}

export function asEvent(
  { id, event_type: type, resource_type: kind, resource }: z.output<typeof eventShape>,
  certificate: string,
): PaypalEvent {
  const isOrder = kind === 'checkout-order'
  const isCapture = kind === 'capture'
  return {
    id,
    type,
    paymentId: (isOrder ? resource?.id : resource?.supplementary_data?.related_ids?.order_id) ?? null,
    captureId: (isCapture ? resource?.id : captureNamedBy(resource)) ?? null,
    certificate,
  }
}

export const isReadable = ({ id, type, paymentId, captureId }: PaypalEvent): boolean =>
  [id, type, paymentId ?? '-', captureId ?? '-'].every(isEventName)

/** Refunds link to their capture, disputes list it. */
function captureNamedBy(resource: z.output<typeof eventShape>['resource']): string | undefined {
  const up = resource?.links?.find(({ rel }) => rel === 'up')?.href
  const linked = /\/v2\/payments\/captures\/([^/?]+)/.exec(up ?? '')?.[1]
  return linked ?? resource?.disputed_transactions?.[0]?.seller_transaction_id ?? undefined
}

/** PayPal's certificates are on its API hosts, live or sandbox. */
export function certificateOriginsOf(base: string): string[] {
  const { origin, hostname } = new URL(base)
  const domain = /^api(?:-m)?\.((?:[a-z]+\.)?paypal\.com)$/.exec(hostname)?.[1]
  return domain === undefined ? [origin] : [`https://api.${domain}`, `https://api-m.${domain}`]
}
