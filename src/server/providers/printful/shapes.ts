import * as z from 'zod/mini'
import type { EpochDay } from '#domain/catalog/arrival.ts'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { DAY_MS } from '#shared/time.ts'
import { chargeOf } from '#domain/orders/printer-cost.ts'
import { isPrinterStatus } from '#domain/orders/printer-status.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { centsFromDecimal, plus, ZERO, type Cents } from '#shared/money.ts'
import { AMOUNT_MAX, publicLink, displayText } from '../responses.ts'

/**
 * The parts of Printful's responses that we read. Its published description marks hardly anything as required and has money as text or
 * number, so only ids are required.
 */

/** Used unchanged: an id, a URL, a date. */
export const word = z.nullish(z.string())
/** A name or sentence, safe to show. */
export const text = z.nullish(z.string().check(z.overwrite(displayText)))
export const flag = z.nullish(z.boolean())
export const id = z.int().check(z.gte(1))
export const maybeId = z.nullish(z.int())
const centsOf = (value: string | number): Cents | undefined => {
  const read = centsFromDecimal(String(value))
  return read !== undefined && read >= ZERO && read <= AMOUNT_MAX ? read : undefined
}
/** `"24.95"` or `24.95`; anything else becomes null. */
export const amount = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value): Cents | null => (value === null || value === undefined ? null : (centsOf(value) ?? null))),
)
/** The same for amounts a shopper pays: only a missing one becomes null, an invalid one is an error. */
const chargedAmount = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value, context): Cents | null => {
    if (value === null || value === undefined || value === '') return null
    const read = centsOf(value)
    if (read !== undefined) return read
    context.issues.push({ code: 'custom', message: `'${String(value).slice(0, 40)}' is not an amount`, input: value })
    return z.NEVER
  }),
)

/** `{code, result}`; lists have `paging`. */
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
  synced: maybeId,
})

export const syncVariantShape = z.object({
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
  product: z.nullish(z.object({ product_id: maybeId, name: text })),
  files: z.nullish(
    z.array(z.object({ type: text, preview_url: word, thumbnail_url: word, created: z.nullish(z.number()) })),
  ),
})

export const productShape = z.object({
  sync_product: syncProductShape,
  sync_variants: z.nullish(z.array(syncVariantShape)),
})

export type SyncProductHead = {
  id: SyncProductId
  externalId: string | null
  name: string
  ignored: boolean
  thumbnailUrl: string | null
  /** As reported; null if missing. */
  variantCount: number | null
  /** How many of its variants are tied to a blank; null if missing. */
  syncedCount: number | null
}

export type SyncVariant = {
  id: VariantId
  /** Printful's catalog variant; null when not linked to one. */
  catalogVariantId: number | null
  /** Printful's catalog product that it is printed on. */
  blankId: number | null
  name: string
  color: string | null
  size: string | null
  sku: string | null
  /** Null without a price in US dollars. */
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
  thumbnail_url,
  variants,
  synced,
}: z.output<typeof syncProductShape>): SyncProductHead => ({
  id: id as SyncProductId,
  externalId: external_id ?? null,
  name: name ?? '',
  ignored: is_ignored === true,
  thumbnailUrl: thumbnail_url ?? null,
  variantCount: variants ?? null,
  syncedCount: synced ?? null,
})

export const productOf = ({ sync_product, sync_variants }: z.output<typeof productShape>): SyncProduct => ({
  ...headOf(sync_product),
  variants: (sync_variants ?? []).map(variantOf),
})

export function variantOf(variant: z.output<typeof syncVariantShape>): SyncVariant {
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
    // Missing for some stores: what Printful sells, it can make.
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

/** An order in the store's list. */
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
  /** Printful's status, also an unknown one. */
  status: string
  /** What Printful charges us in its current status; null while unknown. */
  cost: Cents | null
  createdAt: Date
}

const reportUnknownStatus = (status: string, report: ReportUnknownValue): string => {
  if (!isPrinterStatus(status)) report('order status', status)
  return status
}

export const headOfOrder = (order: z.output<typeof orderHeadShape>, report: ReportUnknownValue): PrinterOrderHead => ({
  id: order.id,
  externalId: order.external_id ?? null,
  status: reportUnknownStatus(order.status, report),
  cost: chargeOf({ status: order.status, costTotal: order.costs?.total ?? null, shipments: order.shipments ?? [] }),
  createdAt: dateOf(order.created) ?? new Date(0),
})

/** From version 2 of the API, the only one that reports deliveries. */
export const parcelStatusesShape = z.object({
  data: z.array(
    z.object({
      ...{ id, shipment_status: text, delivery_status: text, delivered_at: word },
      tracking_events: z.nullish(z.array(z.object({ triggered_at: word, description: text }))),
      estimated_delivery: z.nullish(z.object({ from_date: word, to_date: word })),
    }),
  ),
})

export type PrinterParcelStatus = {
  shipmentId: number
  isDelivered: boolean
  /** Null if unknown. */
  deliveredAt: Date | null
  isReturned: boolean
  /** What the carrier reported, in no particular order. */
  events: { happenedAt: Date; description: string }[]
  /** When the carrier expects to deliver it; null if it does not say. */
  estimate: { from: EpochDay; to: EpochDay } | null
}

/** Nobody reads more; a carrier that repeats itself must not fill the database. */
const EVENTS_MAX = 100

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
  report: ReportUnknownValue,
): PrinterParcelStatus {
  const { shipment_status: sent, delivery_status: delivery } = shipment
  if (sent && !shipmentStatuses.includes(sent)) report('shipment status', sent)
  if (delivery && !deliveryStatuses.includes(delivery)) report('delivery status', delivery)
  return {
    shipmentId: shipment.id,
    isDelivered: delivery === 'delivered',
    deliveredAt: dateOf(shipment.delivered_at) ?? null,
    isReturned: sent === 'returned' || delivery === 'return_to_sender',
    events: (shipment.tracking_events ?? []).slice(0, EVENTS_MAX).flatMap(({ triggered_at: at, description }) => {
      const happenedAt = dateOf(at)
      return happenedAt && description ? [{ happenedAt, description: description.slice(0, REASON_MAX) }] : []
    }),
    estimate: estimateOf(shipment.estimated_delivery),
  }
}

function estimateOf(
  estimated: z.output<typeof parcelStatusesShape>['data'][number]['estimated_delivery'],
): PrinterParcelStatus['estimate'] {
  const [from, to] = [dayOf(estimated?.from_date), dayOf(estimated?.to_date)]
  return to === undefined ? null : { from: Math.min(from ?? to, to), to }
}

const dayOf = (date: string | null | undefined): EpochDay | undefined => {
  const time = dateOf(date)?.getTime()
  return time === undefined ? undefined : Math.floor(time / DAY_MS)
}

/** An order's estimated costs, as numbers where an order has text. */
export const estimateShape = z.object({
  costs: z.object({ currency: text, tax: chargedAmount, vat: chargedAmount, total: amount }),
})

/** @returns undefined when missing, or not in US dollars */
export function taxesOf({ costs: { currency, tax, vat } }: z.output<typeof estimateShape>): Cents | undefined {
  if ((tax === null && vat === null) || (currency && currency.toUpperCase() !== 'USD')) return undefined
  return plus(tax ?? ZERO, vat ?? ZERO)
}

/** @returns undefined when missing, or not in US dollars */
export const totalCostOf = ({ costs: { currency, total } }: z.output<typeof estimateShape>): Cents | undefined =>
  total === null || (currency && currency.toUpperCase() !== 'USD') ? undefined : total

export const ratesShape = z.array(z.object({ id: text, name: text, rate: chargedAmount, currency: text }))

/** The shipping method of all our orders. */
export const SHIPPING_METHOD = 'STANDARD'

/** @returns undefined without a rate for our shipping method in US dollars */
export function standardRateOf(rates: z.output<typeof ratesShape>): PrinterRate | undefined {
  const standard = rates.find(({ id }) => id === SHIPPING_METHOD)
  if (!standard || standard.rate === null || (standard.currency && standard.currency.toUpperCase() !== 'USD'))
    return undefined
  // Printful appends its arrival dates; the shop shows its own.
  return { cost: standard.rate, name: standard.name?.replace(/\s*\(.*$/, '') || 'Flat Rate' }
}

export type PrinterRate = { cost: Cents; name: string }

type Pieces = { variantId: VariantId; quantity: number }

export type PrinterShipment = {
  id: number
  carrier: string
  service: string
  trackingNumber: string | null
  /** A public URL or one of Printful's, or null: it becomes a link in an email. */
  trackingUrl: string | null
  /** Sent again, because the first parcel was lost or returned. */
  reshipment: boolean
  items: Pieces[]
  shippedAt: Date
}

export type PrinterOrder = {
  id: number
  externalId: string | null
  /** Printful's status, also an unknown one. */
  status: string
  /** Printful's reason for a hold or failure. */
  reason: string | null
  /** `unitCost`: Printful's charge per piece; null if missing. */
  lines: (Pieces & { unitCost: Cents | null })[]
  shipments: PrinterShipment[]
  /** Printful's total charge; null while it is being calculated. */
  costTotal: Cents | null
  createdAt: Date
}

/**
 * @param now the fallback for a parcel's missing date
 * @param own the origin of Printful's API, whose links are trusted
 */
export function orderOf(
  order: z.output<typeof orderShape>,
  now: Date,
  report: ReportUnknownValue,
  own?: string,
): PrinterOrder {
  const items = order.items ?? []
  const pieces = (variantId: number | null | undefined, quantity: number | null | undefined): Pieces[] =>
    variantId && quantity && quantity > 0 ? [{ variantId: variantId as VariantId, quantity }] : []
  const variantOfItem = new Map(items.map((item) => [item.id, item.sync_variant_id]))
  return {
    id: order.id,
    externalId: order.external_id ?? null,
    status: reportUnknownStatus(order.status, report),
    reason: (order.error || order.notes)?.slice(0, REASON_MAX) ?? null,
    lines: items.flatMap((item) =>
      pieces(item.sync_variant_id, item.quantity).map((piece) => ({ ...piece, unitCost: item.price })),
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

/** Of a sentence by others that people read here. */
const REASON_MAX = 300

/** @param value Unix seconds or a date as text */
function dateOf(value: string | number | null | undefined): Date | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const date = typeof value === 'number' ? new Date(value * 1000) : new Date(value)
  return Number.isNaN(date.getTime()) ? undefined : date
}
