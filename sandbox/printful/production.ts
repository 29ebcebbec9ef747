import type { Kit } from '../kit/types.ts'
import { PrintfulError } from './answers.ts'
import {
  deliveryStatuses,
  splitPieces,
  draftOf,
  externalIdPattern,
  isMeantToBeHeld,
  lacksStock,
  unsentPieces,
} from './orders.ts'
import type { DeliveryStatus, Draft, Order, OrderStatus, Shipment } from './orders.ts'
import type { OrderBody } from './order-body.ts'
import type { StoreProduct } from './products.ts'
import type { Store } from './store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** In production time, each counted from the step before. */
const UNTIL_IN_PROCESS = DAY
const UNTIL_SHIPPED = 2 * DAY
const UNTIL_DELIVERED = 2 * DAY

/** What carriers report on the way, in production time since the parcel left. */
const journey: readonly { after: number; status: DeliveryStatus; description: (town: string) => string }[] = [
  { after: 6 * HOUR, status: 'in_transit', description: () => 'Departed regional facility, CHARLOTTE, NC' },
  { after: 30 * HOUR, status: 'in_transit', description: (town) => `Arrived at local facility, ${town}` },
  { after: 44 * HOUR, status: 'out_for_delivery', description: (town) => `Out for delivery, ${town}` },
]

/**
 * A shop may still have the orders of an earlier run in its database, so ids grow with time: five for
 * every second since November 2023, below 2^31 for another ten years.
 */
const firstOrderId = (): number => (Math.floor(Date.now() / 1000) - 1_700_000_000) * 5

const carriers = [
  { carrier: 'USPS', service: 'USPS Ground Advantage', prefix: '9400' },
  { carrier: 'FEDEX', service: 'FedEx Ground Economy', prefix: '6129' },
  { carrier: 'DHL', service: 'DHL Parcel International Direct', prefix: '4204' },
] as const
type Carrier = (typeof carriers)[number]

/** Domestic parcels of an order alternate between two carriers; abroad there is a third. @param wanted the carrier by name */
function carrierFor({ recipient, shipments }: Order, wanted: string | undefined): Carrier {
  const requested = carriers.find(({ carrier }) => carrier === wanted)
  if (wanted !== undefined && !requested)
    throw new Error(`Printful has no carrier ${wanted}, only ${carriers.map(({ carrier }) => carrier).join(', ')}.`)
  const [home, second, abroad] = carriers
  if (requested) return requested
  if (recipient.country_code !== 'US') return abroad
  return shipments.length % 2 === 0 ? home : second
}

export type OrderEvent =
  | { type: 'order_created' | 'order_updated'; order: Order }
  | { type: 'order_failed' | 'order_canceled' | 'order_put_hold' | 'order_remove_hold'; order: Order; reason: string }
  | { type: 'order_put_hold_approval'; order: Order; reason: string }
  | { type: 'package_shipped'; order: Order; shipment: Shipment }
  | { type: 'package_returned'; order: Order; shipment: Shipment; reason: string }

/** What the control page makes a carrier say. */
type TrackingReport = { description?: string; status?: string; at?: string; estimate?: string }

/** Nothing stopped it. */
const isTraveling = ({ status, delivered_at, delivery_status }: Shipment): boolean =>
  status === 'shipped' && delivered_at === null && ['in_transit', 'out_for_delivery'].includes(delivery_status)

/** As carriers write it: `AUSTIN, TX`; abroad with the country's code. */
const townOf = ({ recipient: { city, state_code, country_code } }: Order): string =>
  `${(city ?? '').toUpperCase()}, ${(country_code === 'US' && state_code) || country_code || 'US'}`

const isOnItsWay = ({ status }: Shipment): boolean => status === 'shipped'

export type Production = ReturnType<typeof openProduction>

/**
 * Printful's orders, from a draft to the delivered parcels.
 * Methods throw PrintfulError when Printful refuses the shop's call, and Error when the control page requests the impossible.
 */
export function openProduction({
  kit,
  products,
  sendEvent,
  printsOf = () => [],
}: {
  kit: Kit
  products: () => readonly StoreProduct[]
  sendEvent: (event: OrderEvent) => void
  printsOf?: Store['printsOf']
}) {
  const orders = new Map<number, Order>()
  /** External ids stay taken forever, even after the order was canceled. */
  const takenIds = new Map<string, number>()
  const nextSteps = new Map<number, () => void>()
  let lastOrderId = firstOrderId()
  let lastId = lastOrderId

  const nextId = () => (lastId += 1)
  const seconds = () => Math.floor(kit.clock.now().getTime() / 1000)

  function note(order: Order): void {
    order.updated = seconds()
    const { id, external_id, status, items } = order
    kit.witness('printful', 'order', {
      id,
      external_id,
      status,
      items: items.map(({ variant, quantity }) => ({ sync_variant_id: variant.id, quantity })),
    })
  }

  function become(order: Order, status: OrderStatus, notes: string | null = null): void {
    order.status = status
    order.notes = notes
    note(order)
  }

  function cancelNextStep({ id }: Order): void {
    nextSteps.get(id)?.()
    nextSteps.delete(id)
  }

  function planNextStep(order: Order): void {
    cancelNextStep(order)
    const plan = (ms: number, label: string, step: () => void) =>
      nextSteps.set(order.id, kit.clock.laterInLife(ms, `${label} ${order.external_id ?? order.id}`, step))
    if (order.status === 'pending') plan(UNTIL_IN_PROCESS, 'start making', () => startMaking(order))
    if (order.status === 'inprocess' || order.status === 'partial')
      plan(UNTIL_SHIPPED, 'ship', () => void ship(order, {}))
    if (order.status === 'fulfilled')
      plan(UNTIL_DELIVERED, 'deliver', () => order.shipments.some(isOnItsWay) && deliver(order))
  }

  function startMaking(order: Order): void {
    become(order, 'inprocess')
    planNextStep(order)
    sendEvent({ type: 'order_updated', order })
  }

  /** What happens to a confirmed order immediately: nothing, or the failure that its recipient's name triggers. */
  function submit(order: Order): void {
    become(order, 'pending')
    planNextStep(order)
    kit.clock.later(0, `check ${order.external_id ?? order.id}`, () => {
      if (order.status !== 'pending') return
      if (lacksStock(order)) fail(order, 'One or more items of this order are out of stock')
      else if (order.items.some(({ variant }) => printsOf(variant).some(({ file }) => file.status === 'failed')))
        fail(order, 'A print file could not be downloaded')
      else if (isMeantToBeHeld(order)) hold(order, 'The design of this order needs your approval')
    })
  }

  function claimExternalId(external_id: string | null, orderId: number): void {
    if (external_id === null) return
    if (!externalIdPattern.test(external_id))
      throw new PrintfulError(400, 'External ID may have up to 32 characters: letters, digits, dashes and underscores')
    if (takenIds.has(external_id)) throw new PrintfulError(400, 'Order with this External ID already exists')
    takenIds.set(external_id, orderId)
  }

  const read = (body: OrderBody): Draft => draftOf(body, products(), nextId, true)

  function create(body: OrderBody, confirmed: boolean): Order {
    const draft = read(body)
    const id = (lastOrderId += 1)
    const external_id = body.external_id ?? null
    claimExternalId(external_id, id)
    const order: Order = {
      ...draft,
      id,
      external_id,
      status: 'draft',
      resumesAs: 'draft',
      notes: null,
      created: seconds(),
      updated: seconds(),
      shipments: [],
    }
    orders.set(id, order)
    if (confirmed) submit(order)
    else note(order)
    sendEvent({ type: 'order_created', order })
    return order
  }

  function update(order: Order, body: OrderBody, confirmed: boolean): Order {
    if (order.status !== 'draft' && order.status !== 'failed')
      throw new PrintfulError(400, 'This order can no longer be edited')
    Object.assign(order, read(body))
    if (confirmed) submit(order)
    else become(order, 'draft')
    sendEvent({ type: 'order_updated', order })
    return order
  }

  function confirm(order: Order): Order {
    if (order.status === 'onhold') throw new PrintfulError(400, 'This order is on hold, its costs are being calculated')
    if (order.status !== 'draft' && order.status !== 'failed')
      throw new PrintfulError(400, `This order can't be confirmed, its status is ${order.status}`)
    submit(order)
    sendEvent({ type: 'order_updated', order })
    return order
  }

  /** What the shop itself may cancel. */
  function withdraw(order: Order): Order {
    if (order.status !== 'draft' && order.status !== 'pending')
      throw new PrintfulError(400, `This order can't be canceled, its status is ${order.status}`)
    return cancel(order, 'The order was canceled by the store')
  }

  function cancel(order: Order, reason: string): Order {
    if (order.status === 'canceled' || order.status === 'fulfilled')
      throw new Error(`The order is ${order.status} already.`)
    const confirmed = order.status !== 'draft'
    cancelNextStep(order)
    become(order, 'canceled', reason)
    sendEvent({ type: 'order_updated', order })
    if (confirmed) sendEvent({ type: 'order_canceled', order, reason })
    return order
  }

  function fail(order: Order, reason: string): Order {
    if (!['pending', 'inprocess', 'onhold'].includes(order.status))
      throw new Error(`The order is ${order.status}, it cannot fail.`)
    cancelNextStep(order)
    become(order, 'failed', reason)
    sendEvent({ type: 'order_updated', order })
    sendEvent({ type: 'order_failed', order, reason })
    return order
  }

  /** @param resumesAs `draft` while costs are calculated: the order must be confirmed again, even if it was before */
  function hold(order: Order, reason: string, resumesAs: OrderStatus = order.status): Order {
    if (!['draft', 'pending', 'inprocess'].includes(order.status))
      throw new Error(`The order is ${order.status}, it cannot be held.`)
    cancelNextStep(order)
    order.resumesAs = resumesAs
    become(order, 'onhold', reason)
    sendEvent({ type: 'order_updated', order })
    sendEvent({ type: 'order_put_hold', order, reason })
    return order
  }

  /** A design of the order waits for the shop's approval, which is `release`. */
  function askApproval(order: Order, reason: string): Order {
    hold(order, reason)
    sendEvent({ type: 'order_put_hold_approval', order, reason })
    return order
  }

  function release(order: Order, reason: string): Order {
    if (order.status !== 'onhold') throw new Error(`The order is ${order.status}, not on hold.`)
    become(order, order.resumesAs)
    planNextStep(order)
    sendEvent({ type: 'order_updated', order })
    sendEvent({ type: 'order_remove_hold', order, reason })
    return order
  }

  /** @param parcel number of this parcel out of `of`; without them everything that is left goes into one */
  function ship(
    order: Order,
    { parcel, of, again, carrier: carrierWanted }: { parcel?: number; of?: number; again?: boolean; carrier?: string },
  ): Shipment {
    if (!['pending', 'inprocess', 'partial', 'fulfilled'].includes(order.status))
      throw new Error(`The order is ${order.status}, it cannot be shipped.`)
    const all = order.items.map(({ id, quantity }) => ({ item_id: id, quantity }))
    const rest = unsentPieces(order)
    const wanted = again ? all : of === undefined ? rest : splitPieces(all, parcel ?? 1, of)
    const items = again
      ? wanted
      : wanted.flatMap((item) => {
          const left = rest.find(({ item_id }) => item_id === item.item_id)?.quantity ?? 0
          return left > 0 ? [{ item_id: item.item_id, quantity: Math.min(left, item.quantity) }] : []
        })
    if (items.length === 0) throw new Error('Nothing is left to go into this parcel.')

    const id = nextId()
    const { carrier, service, prefix } = carrierFor(order, carrierWanted)
    const shipment: Shipment = {
      id,
      carrier,
      service,
      tracking_number: `${prefix}${String(id).padStart(18, '0')}`,
      created: seconds(),
      shipped_at: kit.clock.now().toISOString(),
      reshipment: again ?? false,
      status: 'shipped',
      delivered_at: null,
      delivery_status: 'in_transit',
      events: [],
      estimate: null,
      items,
    }
    track(shipment, { description: 'Accepted by the carrier, CHARLOTTE, NC' })
    order.shipments.push(shipment)
    for (const { after: ms, status, description } of journey)
      kit.clock.laterInLife(ms, `track ${id}`, () => {
        if (isTraveling(shipment)) track(shipment, { status, description: description(townOf(order)) })
      })
    kit.witness('printful', 'shipment', { id, order_id: order.id, tracking_number: shipment.tracking_number, items })
    become(order, unsentPieces(order).length > 0 ? 'partial' : 'fulfilled')
    planNextStep(order)
    sendEvent({ type: 'package_shipped', order, shipment })
    sendEvent({ type: 'order_updated', order })
    return shipment
  }

  /** What the carrier reports. A parcel that is late, lost or refused stops traveling by itself. */
  function track(
    shipment: Shipment,
    {
      status = shipment.delivery_status,
      description,
      at,
    }: { status?: DeliveryStatus; description: string; at?: string },
  ): void {
    shipment.delivery_status = status
    shipment.events.push({ triggered_at: at ?? kit.clock.now().toISOString(), description })
  }

  function report(
    order: Order,
    { shipmentId, estimate, ...news }: TrackingReport & { shipmentId: number | undefined },
  ): void {
    if (news.status !== undefined && !deliveryStatuses.some((known) => known === news.status))
      throw new Error(`A parcel is ${deliveryStatuses.join(', ')}, not ${news.status}.`)
    for (const shipment of order.shipments.filter(({ id }) => (shipmentId ?? id) === id)) {
      const { status, description } = news
      if (description !== undefined)
        track(shipment, {
          description,
          ...(news.at && { at: news.at }),
          ...(status && { status: status as DeliveryStatus }),
        })
      if (estimate !== undefined)
        shipment.estimate = { from_date: estimate, to_date: estimate, calculated_at: kit.clock.now().toISOString() }
    }
  }

  /** The carrier reports nothing more, and never delivers. */
  const strand = (order: Order): void => {
    cancelNextStep(order)
    for (const shipment of order.shipments.filter(isOnItsWay)) shipment.delivery_status = 'unknown'
  }

  function parcelsOf(order: Order, shipmentId: number | undefined): Shipment[] {
    const parcels = order.shipments.filter(({ id, status }) => status === 'shipped' && (shipmentId ?? id) === id)
    if (parcels.length === 0) throw new Error('The order has no such parcel on its way.')
    return parcels
  }

  /** Version 1 of the API has no event for this: the shop must poll. */
  function deliver(order: Order, shipmentId?: number): void {
    for (const shipment of parcelsOf(order, shipmentId)) {
      if (shipment.delivered_at !== null) continue
      shipment.delivered_at = kit.clock.now().toISOString()
      track(shipment, { status: 'delivered', description: `Delivered, ${townOf(order)}` })
      kit.witness('printful', 'delivered', { id: shipment.id, order_id: order.id })
    }
    if (unsentPieces(order).length === 0) cancelNextStep(order)
  }

  function giveBack(order: Order, reason: string, shipmentId?: number): void {
    for (const shipment of parcelsOf(order, shipmentId)) {
      shipment.status = 'returned'
      shipment.delivered_at = null
      track(shipment, { status: 'return_to_sender', description: 'Returned to sender' })
      note(order)
      sendEvent({ type: 'package_returned', order, shipment, reason })
    }
  }

  /** Refunds a piece that could not be made, or a parcel that came back. @param cents everything by default */
  function credit(order: Order, cents: number = order.costs.total): Order {
    if (cents <= 0 || cents > order.costs.total) throw new Error(`Of this order ${order.costs.total} cents were taken.`)
    order.costs.subtotal -= cents
    order.costs.total -= cents
    note(order)
    sendEvent({ type: 'order_updated', order })
    return order
  }

  /** The next step of the order, now instead of when it is due. */
  function advance(order: Order): Order {
    if (order.status === 'draft') throw new Error('The order is a draft, it waits to be confirmed.')
    if (order.status === 'onhold') return release(order, 'The hold was removed')
    if (order.status === 'pending') startMaking(order)
    else if (order.status === 'inprocess' || order.status === 'partial') ship(order, {})
    else deliver(order)
    return order
  }

  return {
    create,
    update,
    confirm,
    withdraw,
    cancel,
    fail,
    hold,
    askApproval,
    release,
    ship,
    deliver,
    giveBack,
    report,
    strand,
    credit,
    advance,
    /** Reads a body as an order without creating one. */
    estimate: (body: OrderBody): Draft => draftOf(body, products(), () => 0, false),
    /** @param id the number, or `@` and the external id */
    find(id: string): Order | undefined {
      return orders.get(id.startsWith('@') ? (takenIds.get(decodeURIComponent(id.slice(1))) ?? 0) : Number(id))
    },
    findByExternalId: (externalId: string): Order | undefined => orders.get(takenIds.get(externalId) ?? 0),
    /** Newest first. */
    list: (): Order[] => [...orders.values()].toReversed(),
    /** Forgets everything, external ids included. */
    lose(order: Order): Order {
      cancelNextStep(order)
      orders.delete(order.id)
      if (order.external_id !== null) takenIds.delete(order.external_id)
      return order
    },
    save: () => ({ orders, takenIds, lastOrderId, lastId }),
    load(saved: unknown): void {
      const { orders: savedOrders, ...books } = saved as ReturnType<Production['save']>
      for (const [id, order] of savedOrders) orders.set(id, order)
      for (const [id, order] of books.takenIds) takenIds.set(id, order)
      lastOrderId = Math.max(lastOrderId, books.lastOrderId)
      lastId = Math.max(lastId, books.lastId)
      // What was going on goes on, with its whole time from now; a parcel that is lost stays lost.
      for (const order of orders.values())
        if (order.status !== 'fulfilled' || order.shipments.some(isTraveling)) planNextStep(order)
    },
    reset(): void {
      for (const stop of nextSteps.values()) stop()
      nextSteps.clear()
      orders.clear()
      takenIds.clear()
    },
  }
}
