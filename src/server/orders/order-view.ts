import type { SiteSettings } from '#site/settings.ts'
import type { Goods, OrderView, Parcel } from '#contract/orders.ts'
import { objectionToWithdrawal } from '#domain/claims/withdrawal-law.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { taxLabelOf } from '#domain/checkout/quote.ts'
import { canCorrectAddress, canCorrectEmail, type CorrectableOrder } from '#domain/orders/correction.ts'
import { parcelName, unsentOf, type Pieces } from '#domain/orders/parcels.ts'
import { arrivalToTell } from '#domain/orders/lateness.ts'
import { expectedArrival, milestonesOf } from '#domain/orders/progress.ts'
import { labeledTexts } from '#domain/orders/order-texts.ts'
import { statusOf } from '#domain/orders/status.ts'
import { needsShopper, attentionCauseOf } from '#domain/orders/attention.ts'
import { readPaymentKey } from '#shared/ids.ts'
import { minus, sum } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import type { Reader } from '#server/db/db.ts'
import { maskEmail } from '#server/log/log.ts'
import { legalVersionIn } from '#server/settings/legal-versions.ts'
import { readWithdrawalChoices } from '#server/settings/withdrawal-rights.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { OrderAccess } from './access.ts'
import { listShipments, type Shipment } from './production.ts'
import { listOrderLines, type Order, type OrderLine } from './orders.ts'
import { changeObjectionOf, findShopperCancellation } from './shopper-changes.ts'
import { listSteps } from './store.ts'
import { receivedAtOf } from './receipt-of-goods.ts'
import { refundedOf, returnedRefundsOf } from './refunds.ts'

/** The data of the order page; the email is masked for everybody but the payer. */
export async function readOrderView(
  db: Reader,
  { order, isPayer, mayCorrect }: OrderAccess,
  now: Date,
): Promise<OrderView> {
  const [lines, shipments, steps, amounts] = [
    await listOrderLines(db, order.id),
    await listShipments(db, order.id),
    await listSteps(db, order.id),
    await amountsOf(db, order),
  ]
  const { fulfillmentStatus: fulfillment, shippingAddress } = order
  const left = unsentOf(lines, shipments)
  return {
    orderNumber: order.orderNumber,
    status: statusOf(order.paymentStatus, fulfillment),
    fulfillment,
    collection: order.collection,
    placedAt: order.createdAt.toISOString(),
    kind: order.kind,
    paidWith: readPaymentKey(order.paymentKey)?.provider === 'paypal' ? 'paypal' : 'card',
    milestones: milestonesOf(fulfillment, order.createdAt, steps).map(({ at, ...milestone }) => ({
      ...milestone,
      at: at && at.toISOString(),
    })),
    needsAddress: needsAddress(order),
    can: {
      correctAddress: mayCorrect && canCorrectAddress(correctableOf(order), 'shopper'),
      correctEmail: mayCorrect && canCorrectEmail(correctableOf(order), 'shopper'),
      withdraw: mayCorrect && (await canWithdraw(db, order, receivedAtOf(left.length === 0, shipments), now)),
    },
    changes: await changesOf(db, order, mayCorrect, now),
    countryCode: shippingAddress.country,
    // The printer's cost stays private.
    lines: lines.map(({ partnerCostCents: _cost, ...line }) => line),
    amounts,
    city: shippingAddress.city,
    country: countryName(shippingAddress.country),
    email: isPayer ? order.customerEmail : maskEmail(order.customerEmail),
    isPayer,
    texts: isPayer ? labeledTexts(order.texts) : undefined,
    ...expectedOf(order, shipments, left, await readSiteSettings(db), now),
    parcels: parcelsOf(lines, shipments, left.length === 0),
    stillToCome: shipments.length > 0 ? goodsOf(left, lines) : [],
    termsVersion: agreedVersionOf(order),
  }
}

/** The number of the legal pages' version that the shopper agreed to; null for orders of releases without numbers. */
export function agreedVersionOf({ termsVersion }: Pick<Order, 'termsVersion'>): number | null {
  const version = termsVersion === null ? null : legalVersionIn(termsVersion)
  return typeof version === 'number' ? version : null
}

const canWithdraw = async (db: Reader, order: Order, receivedAt: Date | null, now: Date): Promise<boolean> =>
  objectionToWithdrawal({
    ...{ country: order.shippingAddress.country, choices: await readWithdrawalChoices(db), receivedAt, now },
    isOver: order.kind !== 'sale' || order.paymentStatus === 'refunded' || order.erasedAt !== null,
  }) === undefined

async function changesOf(db: Reader, order: Order, isYours: boolean, now: Date): Promise<OrderView['changes']> {
  const { id, createdAt, changeableUntil, fulfillmentStatus } = order
  if (changeableUntil <= createdAt) return null
  const canceled = fulfillmentStatus === 'cancelled' ? await findShopperCancellation(db, id) : undefined
  return {
    until: changeableUntil.toISOString(),
    objection: changeObjectionOf(order, now),
    isYours,
    canceledAt: canceled ? canceled.createdAt.toISOString() : null,
  }
}

/** Whether the order waits for an address from the shopper. */
export const needsAddress = ({
  fulfillmentStatus,
  attentionReason,
}: Pick<Order, 'fulfillmentStatus' | 'attentionReason'>): boolean =>
  (fulfillmentStatus === 'on_hold' || fulfillmentStatus === 'needs_attention') &&
  needsShopper(attentionCauseOf(attentionReason))

/** What decides whether an order can be corrected. */
export const correctableOf = (order: Order): CorrectableOrder => ({
  fulfillment: order.fulfillmentStatus,
  payment: order.paymentStatus,
  isHeldHere: order.heldAt !== null,
  needsAddress: needsAddress(order),
  isErased: order.erasedAt !== null,
})

/** As charged, with the checkout's labels. */
async function amountsOf(db: Reader, order: Order): Promise<OrderView['amounts']> {
  return {
    subtotal: order.subtotalCents,
    shipping: minus(order.shippingCents, sum(order.shippingSurcharges.map(({ amount }) => amount))),
    shippingMethod: order.shippingMethod,
    surcharges: order.shippingSurcharges,
    tax: order.taxCents,
    taxLabel: taxLabelOf(order.shippingAddress.country),
    vatProtection: order.vatProtectionCents,
    total: order.totalCents,
    refunded: await refundedOf(db, order),
    refundReturned: await returnedRefundsOf(db, order),
  }
}

/** Most orders are printed here, so delivery is faster than elsewhere. */
const HOME = 'US'

/** @returns the expected arrival of what is still on its way, as ISO dates */
function expectedOf(
  { fulfillmentStatus, createdAt, shippingAddress }: Order,
  shipments: readonly Pick<Shipment, 'shippedAt'>[],
  left: readonly Pieces[],
  { processingDays, standardDays, internationalDays }: SiteSettings,
  now: Date,
): Pick<OrderView, 'expected' | 'isLate'> {
  const traveling = shippingAddress.country === HOME ? standardDays : internationalDays
  const window = expectedArrival({
    status: fulfillmentStatus,
    paidAt: createdAt,
    sentAt: left.length === 0 ? (shipments.at(-1)?.shippedAt ?? null) : null,
    making: processingDays,
    traveling,
  })
  const day = (epochDay: number) => new Date(epochDay * DAY_MS).toISOString().slice(0, 10)
  if (!window) return { expected: null, isLate: false }
  const told = arrivalToTell(window, Math.floor(now.getTime() / DAY_MS), traveling.to)
  return {
    expected: told.window ? { from: day(told.window.from), to: day(told.window.to) } : null,
    isLate: told.isLate,
  }
}

function parcelsOf(lines: readonly OrderLine[], shipments: readonly Shipment[], isAllSent: boolean): Parcel[] {
  const firsts = shipments.filter(({ reshipment }) => !reshipment)
  const total = isAllSent ? firsts.length : null
  return shipments.map((shipment) => ({
    name: parcelName(firsts.indexOf(shipment) + 1, total, shipment.reshipment),
    carrier: shipment.carrier,
    trackingNumber: shipment.trackingNumber,
    trackingUrl: shipment.trackingUrl,
    shippedAt: shipment.shippedAt.toISOString(),
    deliveredAt: shipment.deliveredAt && shipment.deliveredAt.toISOString(),
    returnedAt: shipment.returnedAt && shipment.returnedAt.toISOString(),
    items: goodsOf(shipment.items, lines),
  }))
}

export const goodsOf = (pieces: readonly Pieces[], lines: readonly OrderLine[]): Goods[] =>
  pieces.flatMap(({ variantId, quantity }) => {
    const line = lines.find((candidate) => candidate.variantId === variantId)
    return line
      ? [{ productName: line.productName, variantName: line.variantName, imageUrl: line.imageUrl, quantity }]
      : []
  })
