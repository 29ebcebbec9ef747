import { recipientNames, refusedStreet } from '../sentinels.ts'
import { PrintfulError } from './answers.ts'
import { centsOf, decimalOf } from './decimal.ts'
import type { ItemBody, OrderBody } from './order-body.ts'
import { taxOf } from './places.ts'
import type { StoreProduct, StoreVariant } from './products.ts'
import { countryOf, ratesTo } from './shipping.ts'
import type { Recipient } from './shipping.ts'

export type OrderStatus = 'draft' | 'pending' | 'failed' | 'canceled' | 'onhold' | 'inprocess' | 'partial' | 'fulfilled'

export type Item = {
  id: number
  external_id: string | null
  product: StoreProduct
  variant: StoreVariant
  /** The order names the blank itself instead of a variant of the store. */
  blank: boolean
  quantity: number
  retail_price: string | null
  name: string
}

/** Where a parcel is, in version 2 of the API. */
export const deliveryStatuses = [
  'unknown',
  'delivered',
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'return_to_sender',
  'failure',
  'canceled',
] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type Shipment = {
  id: number
  carrier: string
  service: string
  tracking_number: string
  created: number
  /** ISO time. */
  shipped_at: string
  reshipment: boolean
  status: 'shipped' | 'returned'
  delivered_at: string | null
  delivery_status: DeliveryStatus
  /** Oldest first. */
  events: { triggered_at: string; description: string }[]
  /** Days, as `2026-11-30`; null while the carrier does not say. */
  estimate: { from_date: string; to_date: string; calculated_at: string } | null
  items: { item_id: number; quantity: number }[]
}

/** All amounts in cents. */
export type Costs = { subtotal: number; shipping: number; tax: number; vat: number; total: number }
export type RetailCosts = {
  subtotal: number | null
  discount: number
  shipping: number
  tax: number
  total: number | null
}

export type Order = {
  id: number
  external_id: string | null
  status: OrderStatus
  /** The status that a held order returns to. */
  resumesAs: OrderStatus
  /** Why it failed, is on hold or was canceled. */
  notes: string | null
  shipping: string
  shipping_service_name: string
  created: number
  updated: number
  recipient: Recipient
  items: Item[]
  costs: Costs
  retail: RetailCosts
  gift: unknown
  packing_slip: unknown
  shipments: Shipment[]
}

export type Draft = Omit<
  Order,
  'id' | 'external_id' | 'status' | 'resumesAs' | 'notes' | 'created' | 'updated' | 'shipments'
>

export const externalIdPattern = /^[A-Za-z0-9_-]{1,32}$/
const QUANTITY_MAX = 1000

const asksFor = (magic: string, { name }: Recipient): boolean => name?.trim().toUpperCase() === magic
export const isMeantToBeHeld = ({ recipient }: Order): boolean => asksFor(recipientNames.held, recipient)
export const isMeantToBeSlow = ({ recipient }: Order): boolean => asksFor(recipientNames.slow, recipient)
export const lacksStock = ({ recipient, items }: Order): boolean =>
  asksFor(recipientNames.outOfStock, recipient) || items.some(({ variant }) => variant.availability !== 'active')

/**
 * Reads an order's body and computes its costs.
 * @param nextId generates ids for the items
 * @param whole an order, with a name and a full address; an estimate needs less
 * @throws PrintfulError with Printful's message for the mistake
 */
export function draftOf(
  body: OrderBody,
  products: readonly StoreProduct[],
  nextId: () => number,
  whole: boolean,
): Draft {
  const country = countryOf(body.recipient, whole)
  const recipient = body.recipient ?? {}
  const isRefused =
    asksFor(recipientNames.refused, recipient) || recipient.address1?.trim().toUpperCase() === refusedStreet
  if (whole && isRefused)
    throw new PrintfulError(400, 'Recipient: We could not verify this address. Please check it and try again.')

  const items = (body.items ?? []).map((item, index) => itemOf(item, index, products, nextId))
  if (items.length === 0) throw new PrintfulError(400, 'There are no items in this order')
  const ids = items.flatMap(({ external_id }) => external_id ?? [])
  if (new Set(ids).size < ids.length) throw new PrintfulError(400, 'Item external IDs must be unique')

  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const method = ratesTo(country, pieces).find(({ id }) => id === (body.shipping ?? 'STANDARD'))
  if (!method) throw new PrintfulError(400, 'Invalid shipping method')

  const subtotal = items.reduce((sum, { variant, quantity }) => sum + centsOf(variant.cost) * quantity, 0)
  const share = taxOf({
    country_code: country.code,
    state_code: recipient.state_code ?? undefined,
    zip: recipient.zip ?? undefined,
    address1: recipient.address1 ?? undefined,
  })
  const tax = Math.round((subtotal + method.cents) * share.tax)
  const vat = Math.round((subtotal + method.cents) * share.vat)
  return {
    shipping: method.id,
    shipping_service_name: `${method.name} (${method.days[0]}-${method.days[1]} business days after fulfillment)`,
    recipient: { ...recipient, country_name: country.name, state_name: stateName(country.states, recipient) },
    items,
    costs: { subtotal, shipping: method.cents, tax, vat, total: subtotal + method.cents + tax + vat },
    retail: retailOf(body, items),
    gift: body.gift ?? null,
    packing_slip: body.packing_slip ?? null,
  }
}

const stateName = (states: { code: string; name: string }[] | null, { state_code, state_name }: Recipient) =>
  states?.find(({ code }) => code === state_code)?.name ?? state_name ?? null

function itemOf(item: ItemBody, index: number, products: readonly StoreProduct[], nextId: () => number): Item {
  const refuse = (why: string) => new PrintfulError(400, `Item ${index}: ${why}`)
  const named = [item.sync_variant_id, item.external_variant_id, item.variant_id].filter(
    (id) => id !== null && id !== undefined,
  )
  if (named.length !== 1) throw refuse('Exactly one of sync_variant_id, external_variant_id and variant_id is needed')
  const blank = item.variant_id !== null && item.variant_id !== undefined
  if (blank && !item.files?.length) throw refuse("Item can't be submitted without any print files")

  for (const product of products) {
    const variant = product.variants.find((one) =>
      blank
        ? one.variant_id === item.variant_id
        : one.id === item.sync_variant_id || one.external_id === item.external_variant_id,
    )
    if (!variant) continue
    if (!Number.isInteger(item.quantity) || item.quantity < 1 || item.quantity > QUANTITY_MAX)
      throw refuse(`Quantity must be between 1 and ${QUANTITY_MAX}`)
    if (variant.availability === 'discontinued') throw refuse(`${variant.name} is discontinued`)
    return {
      id: nextId(),
      external_id: item.external_id ?? null,
      product,
      variant,
      blank,
      quantity: item.quantity,
      retail_price: retailPriceOf(item, variant, blank),
      name: item.name ?? variant.name,
    }
  }
  throw refuse(blank ? 'Variant not found' : 'Sync variant not found')
}

/** Without the shop's own price Printful puts the store's on customs papers. */
function retailPriceOf({ retail_price }: ItemBody, variant: StoreVariant, blank: boolean): string | null {
  if (retail_price !== null && retail_price !== undefined) return decimalOf(centsOf(retail_price))
  return blank ? null : variant.retail_price
}

function retailOf({ retail_costs }: OrderBody, items: readonly Item[]): RetailCosts {
  const of = (amount: string | number | null | undefined) => centsOf(amount ?? 0)
  const discount = of(retail_costs?.discount)
  const shipping = of(retail_costs?.shipping)
  const tax = of(retail_costs?.tax)
  const priced = items.flatMap(({ retail_price, quantity }) =>
    retail_price === null ? [] : centsOf(retail_price) * quantity,
  )
  if (priced.length < items.length) return { subtotal: null, discount, shipping, tax, total: null }
  const subtotal = priced.reduce((sum, cents) => sum + cents, 0)
  return { subtotal, discount, shipping, tax, total: Math.max(0, subtotal - discount + shipping + tax) }
}

/** How many pieces of each item have not shipped yet. */
export function unsentPieces({ items, shipments }: Order): { item_id: number; quantity: number }[] {
  const sent = shipments.filter(({ reshipment }) => !reshipment).flatMap((shipment) => shipment.items)
  return items.flatMap(({ id, quantity }) => {
    const left = sent.filter(({ item_id }) => item_id === id).reduce((rest, one) => rest - one.quantity, quantity)
    return left > 0 ? [{ item_id: id, quantity: left }] : []
  })
}

/**
 * The share of the pieces that goes into parcel `parcel` of `of`: dealt out like cards, so each parcel gets some.
 * @returns empty when there are more parcels than pieces
 */
export function splitPieces(pieces: readonly { item_id: number; quantity: number }[], parcel: number, of: number) {
  const single = pieces.flatMap(({ item_id, quantity }) => Array.from({ length: quantity }, () => item_id))
  const mine = single.filter((_, index) => index % of === parcel - 1)
  return pieces.flatMap(({ item_id }) => {
    const quantity = mine.filter((id) => id === item_id).length
    return quantity > 0 ? [{ item_id, quantity }] : []
  })
}
