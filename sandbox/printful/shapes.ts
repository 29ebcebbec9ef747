import { decimalOf } from './decimal.ts'
import type { Costs, Item, Order, RetailCosts, Shipment } from './orders.ts'
import type { LibraryFile } from './library.ts'
import type { StoreProduct, StoreVariant } from './products.ts'
import type { Print } from './store.ts'

/** Printful's formats: version 1 with Unix seconds and money as text, version 2 with ISO times. */

/** What the formats need to know of a variant besides itself. */
export type View = {
  /** @returns the URL of a variant's picture, or null before it is rendered */
  pictureOf(product: StoreProduct, variant: StoreVariant): string | null
  printsOf(variant: StoreVariant): readonly Print[]
  /** Of the simulator. */
  origin: string
}

const CREATED_AT = 1_767_225_600 // the store dates from January 1, 2026

export function syncProduct(product: StoreProduct, view: View) {
  const [first] = product.variants
  return {
    id: product.id,
    external_id: product.external_id,
    name: product.name,
    variants: product.variants.length,
    synced: product.variants.length,
    thumbnail_url: first ? view.pictureOf(product, first) : null,
    is_ignored: false,
  }
}

function file(product: StoreProduct, variant: StoreVariant, type: string, preview: string | null) {
  const isPreview = type === 'preview'
  return {
    id: variant.id * 10 + (isPreview ? 1 : 0), // a file belongs to one variant here, so its id derives from the variant's
    type,
    hash: null,
    url: null,
    filename: isPreview ? `${variant.sku}.webp` : `${product.design}.png`,
    mime_type: isPreview ? 'image/webp' : 'image/png',
    size: 0,
    width: isPreview ? 1200 : 4500,
    height: isPreview ? 1200 : 4500,
    dpi: isPreview ? null : 300,
    status: 'ok',
    created: CREATED_AT,
    thumbnail_url: preview,
    preview_url: preview,
    visible: !isPreview,
    is_temporary: false,
    stitch_count_tier: null,
  }
}

/** Of the demo's products one drawing, of others what they were created with; then the preview. */
function filesOf(product: StoreProduct, variant: StoreVariant, type: string, view: View) {
  const picture = view.pictureOf(product, variant)
  const preview = picture === null && variant.files ? [] : [file(product, variant, 'preview', picture)]
  const drawings = variant.files
    ? view.printsOf(variant).map((print) => libraryFile(print.file, view.origin, print.placement))
    : [file(product, variant, type, picture)]
  return [...drawings, ...preview]
}

export function syncVariant(product: StoreProduct, variant: StoreVariant, view: View) {
  const picture = view.pictureOf(product, variant)
  return {
    id: variant.id,
    external_id: variant.external_id,
    sync_product_id: product.id,
    name: variant.name,
    synced: true,
    variant_id: variant.variant_id,
    main_category_id: null,
    warehouse_product_id: null,
    warehouse_product_variant_id: null,
    retail_price: variant.retail_price,
    currency: 'USD',
    is_ignored: false,
    sku: variant.sku,
    size: variant.size,
    color: variant.color,
    availability_status: variant.availability,
    product: blankOf(product, variant, picture),
    files: filesOf(product, variant, 'default', view),
    options: variant.options ?? [],
  }
}

const blankOf = (product: StoreProduct, variant: StoreVariant, picture: string | null) => ({
  variant_id: variant.variant_id,
  product_id: product.blank.productId,
  image: picture,
  name: `${product.blank.title} (${variant.color} / ${variant.size})`,
})

export const productDetail = (product: StoreProduct, view: View) => ({
  sync_product: syncProduct(product, view),
  sync_variants: product.variants.map((variant) => syncVariant(product, variant, view)),
})

/** A file of the library, version 1. */
export const libraryFile = (one: LibraryFile, origin: string, type = 'default') => {
  const preview = one.status === 'ok' ? `${origin}/files/file-${one.id}-${one.hash?.slice(0, 8)}.png` : null
  return {
    id: one.id,
    type,
    hash: one.hash,
    url: one.url,
    filename: one.filename,
    mime_type: one.mime,
    size: one.size,
    width: one.width,
    height: one.height,
    dpi: one.dpi,
    status: one.status,
    created: one.created,
    thumbnail_url: preview,
    preview_url: preview,
    visible: one.visible,
    is_temporary: false,
    stitch_count_tier: null,
  }
}

function orderItem({ id, external_id, product, variant, blank, quantity, retail_price, name }: Item, view: View) {
  const picture = view.pictureOf(product, variant)
  return {
    id,
    external_id,
    variant_id: variant.variant_id,
    sync_variant_id: blank ? null : variant.id,
    external_variant_id: blank ? null : variant.external_id,
    quantity,
    price: variant.cost,
    retail_price,
    name,
    product: blankOf(product, variant, picture),
    files: filesOf(product, variant, product.blank.technique, view),
    options: variant.options ?? [],
    sku: variant.sku,
    discontinued: variant.availability === 'discontinued',
    out_of_stock: variant.availability !== 'active',
  }
}

const costsAsText = ({ subtotal, shipping, tax, vat, total }: Costs) => ({
  currency: 'USD',
  subtotal: decimalOf(subtotal),
  discount: '0.00',
  shipping: decimalOf(shipping),
  digitization: '0.00',
  additional_fee: '0.00',
  fulfillment_fee: '0.00',
  retail_delivery_fee: '0.00',
  tax: decimalOf(tax),
  vat: decimalOf(vat),
  total: decimalOf(total),
})

/** The same fields with other types: an estimate has numbers. */
export const costsAsNumbers = (costs: Costs, retail: RetailCosts) => ({
  costs: {
    currency: 'USD',
    subtotal: numberOf(costs.subtotal),
    discount: 0,
    shipping: numberOf(costs.shipping),
    digitization: 0,
    additional_fee: 0,
    fulfillment_fee: 0,
    retail_delivery_fee: 0,
    tax: numberOf(costs.tax),
    vat: numberOf(costs.vat),
    total: numberOf(costs.total),
  },
  retail_costs: {
    currency: 'USD',
    subtotal: retail.subtotal === null ? null : numberOf(retail.subtotal),
    discount: numberOf(retail.discount),
    shipping: numberOf(retail.shipping),
    tax: numberOf(retail.tax),
    vat: null,
    total: retail.total === null ? null : numberOf(retail.total),
  },
})

const numberOf = (cents: number): number => Number(decimalOf(cents))
const textOrNull = (cents: number | null): string | null => (cents === null ? null : decimalOf(cents))

const trackingUrl = (origin: string, number: string): string => `${origin}/tracking/${number}`

export const shipmentV1 = (shipment: Shipment, origin: string) => ({
  id: shipment.id,
  carrier: shipment.carrier,
  service: shipment.service,
  tracking_number: shipment.tracking_number,
  tracking_url: trackingUrl(origin, shipment.tracking_number),
  created: shipment.created,
  ship_date: shipment.shipped_at.slice(0, 10),
  shipped_at: shipment.shipped_at,
  reshipment: shipment.reshipment,
  items: shipment.items.map((item) => ({ ...item, picked: 1, printed: 1 })),
})

export function orderV1(order: Order, storeId: number, origin: string, view: View) {
  const profit = order.retail.total === null ? null : order.retail.total - order.costs.total
  return {
    id: order.id,
    external_id: order.external_id,
    store: storeId,
    status: order.status,
    error: order.status === 'failed' ? order.notes : null,
    errorCode: order.status === 'failed' ? 0 : null,
    shipping: order.shipping,
    shipping_service_name: order.shipping_service_name,
    created: order.created,
    updated: order.updated,
    recipient: recipientOf(order),
    notes: order.notes,
    items: order.items.map((item) => orderItem(item, view)),
    branding_items: [],
    incomplete_items: [],
    is_sample: false,
    needs_approval: false,
    not_synced: false,
    has_discontinued_items: order.items.some(({ variant }) => variant.availability === 'discontinued'),
    can_change_hold: order.status === 'onhold',
    costs: costsAsText(order.costs),
    retail_costs: {
      currency: 'USD',
      subtotal: textOrNull(order.retail.subtotal),
      discount: decimalOf(order.retail.discount),
      shipping: decimalOf(order.retail.shipping),
      tax: decimalOf(order.retail.tax),
      vat: null,
      total: textOrNull(order.retail.total),
    },
    pricing_breakdown: [
      {
        customer_pays: textOrNull(order.retail.total),
        printful_price: decimalOf(order.costs.total),
        profit: profit === null ? null : profit < 0 ? `-${decimalOf(-profit)}` : decimalOf(profit),
        currency_symbol: 'USD',
      },
    ],
    shipments: order.shipments.map((shipment) => shipmentV1(shipment, origin)),
    gift: order.gift,
    packing_slip: order.packing_slip,
    dashboard_url: `${origin}/dashboard/orders/${order.id}`,
  }
}

/** Every line of an address is present, and null where nothing was given. */
function recipientOf({ recipient }: Order) {
  const { name, company, address1, address2, city, state_code, state_name } = recipient
  const { country_code, country_name, zip, phone, email, tax_number } = recipient
  return {
    name: name ?? null,
    company: company ?? null,
    address1: address1 ?? null,
    address2: address2 ?? null,
    city: city ?? null,
    state_code: state_code ?? null,
    state_name: state_name ?? null,
    country_code: country_code ?? null,
    country_name: country_name ?? null,
    zip: zip ?? null,
    phone: phone ?? null,
    email: email ?? null,
    tax_number: tax_number ?? null,
  }
}

/** Only version 2 knows whether a parcel arrived. */
export function shipmentV2(order: Order, shipment: Shipment, origin: string) {
  const { delivered_at, shipped_at, status } = shipment
  return {
    id: shipment.id,
    order_id: order.id,
    order_external_id: order.external_id,
    carrier: shipment.carrier,
    service: shipment.service,
    shipment_status: status,
    shipped_at,
    delivery_status: shipment.delivery_status,
    delivered_at,
    departure_address: { country_name: 'United States', country_code: 'US', state_code: 'NC' },
    is_reshipment: shipment.reshipment,
    tracking_url: trackingUrl(origin, shipment.tracking_number),
    tracking_events: shipment.events.toReversed(),
    estimated_delivery: shipment.estimate,
    shipment_items: shipment.items.map(({ item_id, quantity }) => {
      const item = order.items.find(({ id }) => id === item_id)
      return {
        id: item_id,
        order_item_id: item_id,
        order_item_external_id: item?.external_id ?? null,
        order_item_name: item?.name ?? null,
        quantity,
        _links: { order_item: { href: `${origin}/v2/orders/${order.id}/order-items/${item_id}` } },
      }
    }),
    _links: {
      self: { href: `${origin}/v2/shipments/${shipment.id}` },
      order: { href: `${origin}/v2/orders/${order.id}` },
    },
  }
}

/** The change that Printful proposes for the first item, and the page where the shop approves it. */
export const approvalFilesOf = ({ id }: Order, origin: string) => [
  {
    confirm_hash: `approve${id}`,
    submitted_design: `${origin}/approval/${id}/submitted`,
    recommended_design: `${origin}/approval/${id}/recommended`,
    approval_sheet: `${origin}/approval/${id}/sheet`,
  },
]
