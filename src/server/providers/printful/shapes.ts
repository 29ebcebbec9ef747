import * as z from 'zod/mini'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { chargeOf } from '#domain/orders/printer-cost.ts'
import { isPrinterStatus } from '#domain/orders/printer-status.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { centsFromDecimal, plus, ZERO, type Cents } from '#shared/money.ts'
import { AMOUNT_MAX, publicLink, displayText } from '../answers.ts'

/**
 * The partner's answers as far as we read them. Its published description marks hardly anything as required and writes
 * money sometimes as text and sometimes as a number, so only ids are insisted on.
 */

/** As it came: an id, an address, a date. */
const word = z.nullish(z.string())
/** A name or a sentence, as it may be shown. */
const text = z.nullish(z.string().check(z.overwrite(displayText)))
const flag = z.nullish(z.boolean())
const id = z.int().check(z.gte(1))
const maybeId = z.nullish(z.int())
const centsOf = (value: string | number): Cents | undefined => {
  const read = centsFromDecimal(String(value))
  return read !== undefined && read >= ZERO && read <= AMOUNT_MAX ? read : undefined
}
/** `"24.95"` or `24.95`; what is no amount, or cannot be one, reads as null. */
const amount = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value): Cents | null => (value === null || value === undefined ? null : (centsOf(value) ?? null))),
)
/** The same where a shopper pays it: only what is not there at all reads as null. */
const chargedAmount = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value, context): Cents | null => {
    if (value === null || value === undefined || value === '') return null
    const read = centsOf(value)
    if (read !== undefined) return read
    context.issues.push({ code: 'custom', message: `'${String(value).slice(0, 40)}' is no amount`, input: value })
    return z.NEVER
  }),
)

/** `{code, result}`; a list says in `paging` how much there is. */
export const envelope = <Result extends z.ZodMiniType>(result: Result) =>
  z.object({ result, paging: z.nullish(z.object({ total: z.nullish(z.int()) })) })

export const scopesShape = z.object({ scopes: z.nullish(z.array(z.object({ scope: text }))) })

export const webhookShape = z.object({ url: word, types: z.nullish(z.array(z.string())) })

export const refusalBody = z.object({
  result: z.nullish(z.unknown()),
  error: z.nullish(z.object({ reason: text, message: text })),
})

export const syncProductShape = z.object({
  id,
  external_id: word,
  name: text,
  is_ignored: flag,
  thumbnail_url: word,
  variants: maybeId,
})

const syncVariantShape = z.object({
  id,
  name: text,
  variant_id: maybeId,
  retail_price: amount,
  currency: text,
  is_ignored: flag,
  synced: flag,
  sku: text,
  size: text,
  color: text,
  availability_status: text,
  product: z.nullish(z.object({ product_id: maybeId })),
  files: z.nullish(z.array(z.object({ type: text, preview_url: word, thumbnail_url: word }))),
})

export const productShape = z.object({
  sync_product: syncProductShape,
  sync_variants: z.nullish(z.array(syncVariantShape)),
})

/** The partner's catalog: what a blank costs in each of its variants. */
export const blankShape = z.object({
  product: z.nullish(z.object({ currency: text })),
  variants: z.nullish(z.array(z.object({ id, price: amount }))),
})

export type SyncProductHead = {
  id: SyncProductId
  externalId: string | null
  name: string
  ignored: boolean
  /** How many variants the partner says it has; null when it does not say. */
  variantCount: number | null
}

export type SyncVariant = {
  id: VariantId
  /** The partner's catalog variant; null when a variant is not connected to one. */
  catalogVariantId: number | null
  /** The partner's catalog product that it is printed on. */
  blankId: number | null
  name: string
  color: string | null
  size: string | null
  sku: string | null
  /** Null when the partner gave none in US dollars. */
  unitPrice: Cents | null
  availability: string
  previewUrl: string | null
  ignored: boolean
}

export type SyncProduct = SyncProductHead & { variants: SyncVariant[] }

export const headOf = ({
  id,
  external_id,
  name,
  is_ignored,
  variants,
}: z.output<typeof syncProductShape>): SyncProductHead => ({
  id: id as SyncProductId,
  externalId: external_id ?? null,
  name: name ?? '',
  ignored: is_ignored === true,
  variantCount: variants ?? null,
})

/** @returns by the catalog variant's id; empty when the partner speaks of another currency than ours */
export function costsOf({ product, variants }: z.output<typeof blankShape>): Map<number, Cents> {
  if (product?.currency && product.currency.toUpperCase() !== 'USD') return new Map()
  return new Map(
    (variants ?? []).flatMap((one) => (one.price !== null && one.price >= 0 ? [[one.id, one.price] as const] : [])),
  )
}

export const productOf = ({ sync_product, sync_variants }: z.output<typeof productShape>): SyncProduct => ({
  ...headOf(sync_product),
  variants: (sync_variants ?? []).map(variantOf),
})

function variantOf(variant: z.output<typeof syncVariantShape>): SyncVariant {
  const preview = variant.files?.find(({ type }) => type === 'preview')
  return {
    id: variant.id as VariantId,
    catalogVariantId: variant.variant_id ?? null,
    blankId: variant.product?.product_id ?? null,
    name: variant.name ?? '',
    color: variant.color || null,
    size: variant.size || null,
    sku: variant.sku || null,
    unitPrice: variant.currency && variant.currency.toUpperCase() !== 'USD' ? null : variant.retail_price,
    // Stores that the partner has not asked about stock say nothing: what it sells it can make.
    availability: variant.availability_status ?? 'active',
    previewUrl: preview?.preview_url ?? preview?.thumbnail_url ?? null,
    ignored: variant.is_ignored === true || variant.synced === false,
  }
}

const shipmentShape = z.object({
  id,
  carrier: text,
  service: text,
  tracking_number: z.nullish(z.union([z.string(), z.number()])),
  tracking_url: word,
  created: z.nullish(z.number()),
  ship_date: word,
  shipped_at: z.nullish(z.union([z.string(), z.number()])),
  reshipment: flag,
  items: z.nullish(z.array(z.object({ item_id: maybeId, quantity: z.nullish(z.int()) }))),
})

export const orderShape = z.object({
  id,
  external_id: word,
  status: z.string(),
  items: z.nullish(
    z.array(z.object({ id: maybeId, sync_variant_id: maybeId, quantity: z.nullish(z.int()), price: amount })),
  ),
  shipments: z.nullish(z.array(shipmentShape)),
  created: z.nullish(z.number()),
  costs: z.nullish(z.object({ total: amount })),
  error: text,
  notes: text,
})

/** An order in the store's list, as far as its money goes. */
export const orderHeadShape = z.object({
  id,
  external_id: word,
  status: z.string(),
  created: z.nullish(z.number()),
  shipments: z.nullish(z.array(z.unknown())),
  costs: z.nullish(z.object({ total: amount })),
})

export type PrinterOrderHead = {
  id: number
  externalId: string | null
  /** The partner's own word; one that we do not know stays as it is. */
  status: string
  /** What the partner takes from us for it as it stands; null while that cannot be said. */
  cost: Cents | null
  createdAt: Date
}

const noteStatus = (status: string, note: ReportUnknownValue): string => {
  if (!isPrinterStatus(status)) note('order status', status)
  return status
}

export const headOfOrder = (order: z.output<typeof orderHeadShape>, note: ReportUnknownValue): PrinterOrderHead => ({
  id: order.id,
  externalId: order.external_id ?? null,
  status: noteStatus(order.status, note),
  cost: chargeOf({ status: order.status, costTotal: order.costs?.total ?? null, shipments: order.shipments ?? [] }),
  createdAt: dateOf(order.created) ?? new Date(0),
})

/** Version 2 of the interface, which alone knows whether a parcel arrived. */
export const parcelStatusesShape = z.object({
  data: z.array(z.object({ id, shipment_status: text, delivery_status: text, delivered_at: word })),
})

/** What became of a parcel. */
export type PrinterParcelStatus = {
  shipmentId: number
  isDelivered: boolean
  /** Null when it is not known. */
  deliveredAt: Date | null
  isReturned: boolean
}

const shipmentStatuses = ['pending', 'onhold', 'canceled', 'packaged', 'shipped', 'returned', 'outstock']
const deliveryStatuses = [
  'unknown',
  'delivered',
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'return_to_sender',
  'failure',
  'canceled',
]

export function parcelStatusOf(
  shipment: z.output<typeof parcelStatusesShape>['data'][number],
  note: ReportUnknownValue,
): PrinterParcelStatus {
  const { shipment_status: sent, delivery_status: delivery } = shipment
  if (sent && !shipmentStatuses.includes(sent)) note('shipment status', sent)
  if (delivery && !deliveryStatuses.includes(delivery)) note('delivery status', delivery)
  return {
    shipmentId: shipment.id,
    isDelivered: delivery === 'delivered',
    deliveredAt: dateOf(shipment.delivered_at) ?? null,
    isReturned: sent === 'returned' || delivery === 'return_to_sender',
  }
}

/** What an order would cost us; the estimate writes numbers where an order writes text. */
export const estimateShape = z.object({ costs: z.object({ currency: text, tax: chargedAmount, vat: chargedAmount }) })

/** @returns the taxes in an estimate; undefined when it does not say, or not in US dollars */
export function taxesOf({ costs: { currency, tax, vat } }: z.output<typeof estimateShape>): Cents | undefined {
  if ((tax === null && vat === null) || (currency && currency.toUpperCase() !== 'USD')) return undefined
  return plus(tax ?? ZERO, vat ?? ZERO)
}

export const ratesShape = z.array(z.object({ id: text, name: text, rate: chargedAmount, currency: text }))

/** The way of sending that our orders ask for. */
export const SHIPPING_METHOD = 'STANDARD'

/** @returns undefined when our way of sending has no rate there, or none in US dollars */
export function standardRateOf(rates: z.output<typeof ratesShape>): PrinterRate | undefined {
  const standard = rates.find(({ id }) => id === SHIPPING_METHOD)
  if (!standard || standard.rate === null || (standard.currency && standard.currency.toUpperCase() !== 'USD'))
    return undefined
  // The partner appends when it would arrive; the shop promises days of its own.
  return { cost: standard.rate, name: standard.name?.replace(/\s*\(.*$/, '') || 'Flat Rate' }
}

export type PrinterRate = { cost: Cents; name: string }

type Pieces = { variantId: VariantId; quantity: number }

export type PrinterShipment = {
  id: number
  carrier: string
  service: string
  trackingNumber: string | null
  /** An address on the open web or one of the partner’s own, or null: it becomes a link in a mail. */
  trackingUrl: string | null
  /** Sent again, because the first parcel was lost or returned. */
  reshipment: boolean
  items: Pieces[]
  shippedAt: Date
}

export type PrinterOrder = {
  id: number
  externalId: string | null
  /** The partner's own word; one that we do not know stays as it is. */
  status: string
  /** Why it waits or failed, in the partner’s words; null when it gives none. */
  reason: string | null
  /** `unitCost`: what the partner takes for a piece; null where it does not say. */
  lines: (Pieces & { unitCost: Cents | null })[]
  shipments: PrinterShipment[]
  /** What the partner says that it takes from us for it; null while it is being calculated. */
  costTotal: Cents | null
  createdAt: Date
}

/**
 * @param now stands in for a parcel's date when the partner gives none
 * @param own the origin of the partner's interface: a link there is as good as its answers
 */
export function orderOf(
  order: z.output<typeof orderShape>,
  now: Date,
  note: ReportUnknownValue,
  own?: string,
): PrinterOrder {
  const items = order.items ?? []
  const pieces = (variantId: number | null | undefined, quantity: number | null | undefined): Pieces[] =>
    variantId && quantity && quantity > 0 ? [{ variantId: variantId as VariantId, quantity }] : []
  const variantOfItem = new Map(items.map((item) => [item.id, item.sync_variant_id]))
  return {
    id: order.id,
    externalId: order.external_id ?? null,
    status: noteStatus(order.status, note),
    reason: (order.error || order.notes)?.slice(0, REASON_MAX) ?? null,
    lines: items.flatMap((item) =>
      pieces(item.sync_variant_id, item.quantity).map((one) => ({ ...one, unitCost: item.price })),
    ),
    shipments: (order.shipments ?? []).map((shipment) => ({
      id: shipment.id,
      carrier: shipment.carrier ?? '',
      service: shipment.service ?? '',
      trackingNumber: shipment.tracking_number ? displayText(String(shipment.tracking_number)) || null : null,
      trackingUrl: publicLink(shipment.tracking_url, own),
      reshipment: shipment.reshipment === true,
      items: (shipment.items ?? []).flatMap((item) => pieces(variantOfItem.get(item.item_id), item.quantity)),
      shippedAt: dateOf(shipment.shipped_at) ?? dateOf(shipment.ship_date) ?? dateOf(shipment.created) ?? now,
    })),
    costTotal: order.costs?.total ?? null,
    createdAt: dateOf(order.created) ?? new Date(0),
  }
}

/** It ends on the owner’s screen. */
const REASON_MAX = 300

/** @param value Unix seconds, or a date as text */
function dateOf(value: string | number | null | undefined): Date | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const date = typeof value === 'number' ? new Date(value * 1000) : new Date(value)
  return Number.isNaN(date.getTime()) ? undefined : date
}
