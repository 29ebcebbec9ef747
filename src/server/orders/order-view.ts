import type { SiteSettings } from '#site/shop-rules.ts'
import type { Goods, OrderView, Parcel } from '#contract/orders.ts'
import { objectionToWithdrawal } from '#domain/claims/withdrawal-law.ts'
import { datesOf } from '#domain/catalog/arrival.ts'
import { placeName } from '#domain/checkout/address.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { indicativeText } from '#domain/checkout/indicative.ts'
import { taxLabelOf } from '#domain/checkout/quote.ts'
import { taxNameOf } from '#domain/checkout/tax-name.ts'
import { offLines, savingText } from '#domain/codes/discount.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { canCorrectAddress, canCorrectEmail, type CorrectableOrder } from '#domain/orders/correction.ts'
import { parcelName, unsentOf, type Pieces } from '#domain/orders/parcels.ts'
import { isUnderWay, milestonesOf, type StatusChange } from '#domain/orders/progress.ts'
import { labeledTexts } from '#domain/orders/order-texts.ts'
import { statusOf, type FulfillmentStatus } from '#domain/orders/status.ts'
import { readTracking } from '#domain/orders/tracking.ts'
import { needsShopper, attentionCauseOf } from '#domain/orders/attention.ts'
import { readPaymentKey } from '#shared/ids.ts'
import { minus, sum, ZERO } from '#shared/money.ts'
import type { Config } from '#server/config/config.ts'
import type { Reader } from '#server/db/db.ts'
import { certificateLink, listNumbered, type NumberedPiece } from '#server/drops/certificates.ts'
import { maskEmail } from '#server/log/log.ts'
import { legalVersionIn } from '#server/settings/legal-versions.ts'
import { readWithdrawalChoices } from '#server/settings/withdrawal-rights.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { OrderAccess } from './access.ts'
import { arrivalOf } from './arrival.ts'
import { listShipments, listTrackingEvents, type Shipment, type TrackingEvent } from './production.ts'
import { listOrderLines, type Order, type OrderLine } from './orders.ts'
import { changeObjectionOf, findShopperCancellation } from './changes.ts'
import { listSteps } from './store.ts'
import { receivedAtOf } from './receipt-of-goods.ts'
import { listOrderRefunds, refundedOf, refundedToGiftCardOf, returnedRefundsOf } from './refunds.ts'

/**
 * The data of the order page; the email is masked for everybody but the payer.
 * @param config signs links to certificates, for the customer; without it they have no link
 */
export async function readOrderView(
  db: Reader,
  { order, isPayer, mayCorrect }: OrderAccess,
  now: Date,
  config?: Config,
): Promise<OrderView> {
  const numbered = await listNumbered(db, order.id)
  const [lines, shipments, steps, amounts] = [
    await listOrderLines(db, order.id),
    await listShipments(db, order.id),
    await listSteps(db, order.id),
    await amountsOf(db, order),
  ]
  const events = await listTrackingEvents(
    db,
    shipments.map(({ id }) => id),
  )
  const { fulfillmentStatus: fulfillment, shippingAddress } = order
  const left = unsentOf(lines, shipments)
  const received = receivedAtOf(left.length === 0, shipments)
  return {
    orderNumber: order.orderNumber,
    status: statusOf(order.paymentStatus, fulfillment),
    fulfillment,
    collection: order.collection,
    placedAt: order.createdAt.toISOString(),
    kind: order.kind,
    paidWith: readPaymentKey(order.paymentKey)?.provider === 'paypal' ? 'paypal' : 'card',
    ...(isPayer && order.paidCard && { card: order.paidCard }),
    milestones: milestonesOf(fulfillment, order.createdAt, [...parcelSteps(shipments, received), ...steps]).map(
      ({ at, ...milestone }) => ({
        ...milestone,
        at: at && at.toISOString(),
      }),
    ),
    needsAddress: needsAddress(order),
    can: {
      correctAddress: mayCorrect && canCorrectAddress(correctableOf(order), 'shopper'),
      correctEmail: mayCorrect && canCorrectEmail(correctableOf(order), 'shopper'),
      withdraw: mayCorrect && (await canWithdraw(db, order, received, now)),
    },
    changes: await changesOf(db, order, mayCorrect, now),
    isMadeAnyway: await isMadeAnyway(db, order, shipments),
    countryCode: shippingAddress.country,
    // The printer's cost stays private.
    lines: lines.map(({ partnerCostCents: _cost, listPrice, ...line }) => ({
      ...line,
      ...(listPrice && { listPrice }),
      ...numbersOf(
        numbered.filter(({ position }) => position === line.position),
        mayCorrect ? config : undefined,
      ),
    })),
    amounts: { ...amounts, ...savingOf(order, lines) },
    city: shippingAddress.city,
    country: countryName(shippingAddress.country),
    place: placeName(shippingAddress),
    ...(isPayer && !order.erasedAt && { shipsTo: { name: recipientNameOf(order), address: shippingAddress } }),
    email: shownEmail(order, isPayer),
    isPayer,
    texts: isPayer ? labeledTexts(order.texts) : undefined,
    ...expectedOf(order, shipments, left, { site: await readSiteSettings(db), now }),
    parcels: parcelsOf(lines, shipments, events, left.length === 0),
    stillToCome: shipments.length > 0 ? goodsOf(left, lines) : [],
    termsVersion: agreedVersionOf(order),
  }
}

/** The parcels' own days, which are known to the shop later. */
const parcelSteps = (shipments: readonly Shipment[], received: Date | null): StatusChange[] => [
  ...shipments
    .map(({ shippedAt }): StatusChange => ({ status: 'shipped', at: shippedAt }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  ...(received ? [{ status: 'delivered', at: received } as const] : []),
]

function numbersOf(pieces: readonly NumberedPiece[], config: Config | undefined) {
  if (pieces.length === 0) return {}
  const numbers = pieces.map((piece) => ({
    ...{ label: piece.label, state: piece.state },
    // Once it was given away, its certificate belongs to somebody else.
    ...(config && !piece.isGiven && { certificate: certificateLink({ config }, piece) }),
  }))
  return { numbers }
}

/** A link can be forwarded, so only the session that paid sees the whole email. */
export const shownEmail = ({ customerEmail }: Pick<Order, 'customerEmail'>, isPayer: boolean): string =>
  isPayer ? customerEmail : maskEmail(customerEmail)

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

const MADE: readonly FulfillmentStatus[] = ['in_production', 'partially_shipped', 'shipped', 'delivered']

async function isMadeAnyway(db: Reader, order: Order, shipments: readonly Shipment[]): Promise<boolean> {
  if (order.paymentStatus !== 'refunded' || !MADE.includes(order.fulfillmentStatus)) return false
  const last = (await listOrderRefunds(db, order.id)).findLast(({ status: refund }) => refund !== 'failed')
  return last !== undefined && shipments.every(({ shippedAt }) => shippedAt > last.createdAt)
}

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

/** What codes took off what is still in the order. */
export function savingOf({ discounts }: Pick<Order, 'discounts'>, lines: readonly OrderLine[]): { saving?: string } {
  const saving = savingText(discounts, offLines(lines))
  return saving === undefined ? {} : { saving }
}

/** The checkout's label of an order's tax, and its name. */
const taxWordsOf = ({ shippingAddress, taxEvidence }: Pick<Order, 'shippingAddress' | 'taxEvidence'>) => ({
  taxLabel: taxLabelOf(shippingAddress.country),
  taxName: taxNameOf(taxEvidence?.rates ?? []),
})

/** What was charged in the shopper's currency; missing if it was not shown in it. */
const aboutOf = ({ totalCents, giftCardCents, shownRate }: Order): { about?: string } =>
  shownRate ? { about: indicativeText(minus(totalCents, giftCardCents), shownRate) } : {}

/** What was charged, in the checkout's words. */
export const chargedOf = (order: Order) => ({
  subtotal: order.subtotalCents,
  shipping: minus(order.shippingCents, sum(order.shippingSurcharges.map(({ amount }) => amount))),
  surcharges: order.shippingSurcharges,
  tax: order.taxCents,
  ...taxWordsOf(order),
  vatProtection: order.vatProtectionCents,
  total: order.totalCents,
  ...aboutOf(order),
  ...(order.giftCardCents > ZERO && { giftCard: order.giftCardCents }),
})

async function amountsOf(db: Reader, order: Order): Promise<OrderView['amounts']> {
  const toGiftCard = await refundedToGiftCardOf(db, order)
  return {
    ...chargedOf(order),
    shippingMethod: order.shippingMethod,
    refunded: await refundedOf(db, order),
    ...(toGiftCard > ZERO && { refundedToGiftCard: toGiftCard }),
    refundReturned: await returnedRefundsOf(db, order),
  }
}

/** @returns the expected arrival of the last of what is still on its way, as ISO dates */
function expectedOf(
  order: Order,
  shipments: readonly Shipment[],
  left: readonly Pieces[],
  { site, now }: { site: SiteSettings; now: Date },
): Pick<OrderView, 'expected' | 'isLate'> {
  if (!isUnderWay(order.fulfillmentStatus)) return { expected: null, isLate: false }
  const traveling = shipments.filter(({ deliveredAt, returnedAt }) => !deliveredAt && !returnedAt)
  const parcels = left.length > 0 ? [null] : traveling.length > 0 ? traveling : shipments.slice(-1)
  const told = parcels.map((parcel) => (parcel?.lostAt ? { isLate: true } : arrivalOf(order, parcel, site, now)))
  const isLate = told.some((arrival) => arrival.isLate)
  const windows = told.map(({ window }) => window)
  const last = windows.includes(undefined) ? undefined : windows.toSorted((a, b) => (b?.to ?? 0) - (a?.to ?? 0))[0]
  return { expected: last ? datesOf(last) : null, isLate }
}

/** Nobody reads more. */
const EVENTS_SHOWN = 30

/** What the carrier reported about a parcel, in our words. */
export const toldEventsOf = (shipmentId: number, events: readonly TrackingEvent[]): Parcel['events'] =>
  events
    .filter((event) => event.shipmentId === shipmentId)
    .slice(0, EVENTS_SHOWN)
    .map(({ happenedAt, description }) => {
      const { text, place } = readTracking(description)
      return { text, place, at: happenedAt.toISOString() }
    })

function parcelsOf(
  lines: readonly OrderLine[],
  shipments: readonly Shipment[],
  events: readonly TrackingEvent[],
  isAllSent: boolean,
): Parcel[] {
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
    lostAt: shipment.lostAt && shipment.lostAt.toISOString(),
    events: toldEventsOf(shipment.id, events),
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
