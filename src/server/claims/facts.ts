import type { SiteSettings } from '#site/shop-rules.ts'
import { claimedOf, shopperReasons, type ShopperReason } from '#domain/claims/claim.ts'
import { objectionToClaim, type ClaimedParcel, type ClaimObjection } from '#domain/claims/claim-window.ts'
import { afterBusinessDays, dayOf, transitTo } from '#domain/catalog/arrival.ts'
import { allowedActions } from '#domain/orders/actions.ts'
import { unsentOf } from '#domain/orders/parcels.ts'
import { piecesOf } from '#domain/payments/returns.ts'
import { minus } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import type { Reader } from '#server/db/db.ts'
import { promisedOf } from '#server/orders/arrival.ts'
import { readOrderFacts } from '#server/fulfillment/owner-actions.ts'
import { listOrderLines, type Order, type OrderLine } from '#server/orders/orders.ts'
import { listShipments, type Shipment } from '#server/orders/production.ts'
import { receivedAtOf } from '#server/orders/receipt-of-goods.ts'
import { listOrderRefunds, refundedOrRequestedOf } from '#server/orders/refunds.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import { listClaimsOf, type Claim } from './store.ts'

/** A line of an order with what decides about claims of it. */
export type ClaimableLine = { line: OrderLine; left: number; parcel: ClaimedParcel }

/** What decides about claims of an order. */
export type ClaimFacts = {
  site: SiteSettings
  claims: Claim[]
  lines: ClaimableLine[]
  receivedAt: Date | null
  /** Nothing is made yet, so the printer can be stopped. */
  canCancel: boolean
}

/** @param order locked, before something is decided by them */
export async function readClaimFacts(db: Reader, order: Order): Promise<ClaimFacts> {
  const site = await readSiteSettings(db)
  const claims = await listClaimsOf(db, order.id)
  const shipments = await listShipments(db, order.id)
  const lines = await listOrderLines(db, order.id)
  const refunded = (await listOrderRefunds(db, order.id)).flatMap(({ status, pieces }) =>
    status === 'failed' ? [] : (pieces ?? []),
  )
  const granted = claims.filter(({ outcome }) => outcome !== 'refused').flatMap(({ pieces }) => pieces)
  const rest = minus(order.totalCents, await refundedOrRequestedOf(db, order))
  return {
    site,
    claims,
    lines: lines.map((line) => {
      // A piece refunded by its claim is in both.
      const gone = Math.max(claimedOf(line.position, granted), piecesOf(line.position, refunded))
      return {
        line,
        left: rest > 0 || order.kind !== 'sale' ? Math.max(0, line.quantity - gone) : 0,
        parcel: parcelOf(line, shipments, order, site),
      }
    }),
    receivedAt: receivedAtOf(unsentOf(lines, shipments).length === 0, shipments),
    canCancel: allowedActions(await readOrderFacts(db, order, rest)).cancel === null,
  }
}

/** The latest parcel with the line's goods. */
function parcelOf(
  { variantId }: OrderLine,
  shipments: readonly Shipment[],
  order: Order,
  site: SiteSettings,
): ClaimedParcel {
  const shipment = shipments.findLast(({ items }) => items.some((item) => item.variantId === variantId))
  return shipment ? { deliveredAt: shipment.deliveredAt, expectedAt: expectedAtOf(shipment, order, site) } : null
}

/** The last day on which a parcel was to arrive, from which the printer counts its deadline for lost ones. */
export const expectedAtOf = ({ shippedAt }: Pick<Shipment, 'shippedAt'>, order: Order, site: SiteSettings): Date => {
  const { to } = promisedOf(order, site)
  const { to: transit } = transitTo(order.shippingAddress.country, site)
  return new Date(Math.max(to, afterBusinessDays(dayOf(shippedAt), transit)) * DAY_MS)
}

/** Why a line can't be claimed for a reason; null if it can. */
export const claimObjectionTo = (
  { left, parcel }: ClaimableLine,
  reason: ShopperReason,
  { returnDays }: Pick<SiteSettings, 'returnDays'>,
  now: Date,
): ClaimObjection | null =>
  left === 0 ? { why: 'taken' } : (objectionToClaim(reason, parcel, returnDays, now) ?? null)

/** The same for every reason. */
export const claimObjectionsTo = (
  line: ClaimableLine,
  site: Pick<SiteSettings, 'returnDays'>,
  now: Date,
): Record<ShopperReason, ClaimObjection | null> =>
  Object.fromEntries(shopperReasons.map((reason) => [reason, claimObjectionTo(line, reason, site, now)])) as Record<
    ShopperReason,
    ClaimObjection | null
  >
