import { type Columns, missingColumns, rowReader } from './cells.ts'
import { type FormerShop, formerShopNames, type ImportKind } from './former-shop.ts'
import { createOrderReader, type OrderField } from './orders.ts'
import { createProductReader, createWooProductReader, type ProductField } from './products.ts'
import type { Reader, Sink } from './reader.ts'
import { createRedirectReader, type RedirectField } from './redirects.ts'
import { createSubscriberReader, type SubscriberField } from './subscribers.ts'

/** A layout of export files. @property required the columns that it is recognized by, as they are published */
export type Layout = {
  kind: ImportKind
  required: readonly string[]
  /** Whether the former shop publishes its columns. */
  isPublished: boolean
  recognizes(header: readonly string[]): boolean
  open(header: readonly string[], sink: Sink): Reader
}

function layout<Field extends string>({
  kind,
  columns,
  required,
  isPublished = true,
  create,
}: {
  kind: ImportKind
  columns: Columns<Field>
  required: readonly Field[]
  isPublished?: boolean
  create: (rowOf: ReturnType<typeof rowReader<Field>>, sink: Sink) => Reader
}): Layout {
  return {
    kind,
    isPublished,
    required: required.map((field) => columns[field][0] ?? field),
    recognizes: (header) => missingColumns(columns, required, header).length === 0,
    open: (header, sink) => create(rowReader(columns, header), sink),
  }
}

const noSubscriberColumns = { name: [], lastName: [] }

/**
 * No shop's own export has both columns of a proof of consent, so the owner adds them. The other names are those of Matrixify for
 * Shopify (matrixify.app/documentation/customers).
 */
const consentColumns = {
  accepts: ['Accepts Email Marketing', 'Email Marketing: Status', 'Subscribed'],
  consentAt: ['Consent date', 'Email Marketing: Updated At'],
  consentSource: ['Consent source', 'Email Marketing: Level'],
} as const

/** Names that other layouts have no field for. */
const noProductColumns = { id: [], kind: [], parent: [], shortDescription: [] }
const noOrderColumns = { lastName: [], lineTotal: [], lines: [] }

/**
 * Products: help.shopify.com/en/manual/products/import-export/using-csv; the first names are those since 2025, the second the ones
 * before. Orders: help.shopify.com/en/manual/fulfillment/managing-orders/exporting-orders. Customers:
 * help.shopify.com/en/manual/customers/import-export-customers. Redirects: help.shopify.com/csv/sample-redirect-template.csv.
 */
const shopify: readonly Layout[] = [
  layout<RedirectField>({
    kind: 'redirects',
    columns: { from: ['Redirect from'], to: ['Redirect to'], regex: [], type: [], status: [] },
    required: ['from', 'to'],
    create: createRedirectReader,
  }),
  layout<OrderField>({
    kind: 'orders',
    columns: {
      ...noOrderColumns,
      ...{ number: ['Name'], email: ['Email'], name: ['Shipping Name'], placedAt: ['Created at'] },
      ...{ canceledAt: ['Cancelled at'], status: ['Financial Status'], currency: ['Currency'] },
      ...{ shipping: ['Shipping'], tax: ['Taxes'], discount: ['Discount Amount'], total: ['Total'] },
      ...{ refunded: ['Refunded Amount'], lineName: ['Lineitem name'], lineSku: ['Lineitem sku'] },
      ...{ lineQuantity: ['Lineitem quantity'], linePrice: ['Lineitem price'] },
    },
    required: ['number', 'email', 'status', 'placedAt', 'currency', 'total', 'lineName', 'lineQuantity', 'linePrice'],
    create: createOrderReader,
  }),
  layout<ProductField>({
    kind: 'products',
    columns: {
      ...noProductColumns,
      ...{ handle: ['URL handle', 'Handle'], name: ['Title'], description: ['Description', 'Body (HTML)'] },
      ...{ type: ['Type'], collection: ['Collection'], published: ['Published on online store', 'Published'] },
      ...{
        status: ['Status'],
        giftCard: ['Gift card'],
        sku: ['SKU', 'Variant SKU'],
        price: ['Price', 'Variant Price'],
      },
      ...{ option1: ['Option1 value'], option2: ['Option2 value'], option3: ['Option3 value'] },
      ...{ image: ['Product image URL', 'Image Src'], alt: ['Image alt text'] },
      variantImage: ['Variant image URL', 'Variant Image'],
    },
    required: ['handle', 'name', 'description', 'price'],
    create: createProductReader,
  }),
  layout<SubscriberField>({
    kind: 'subscribers',
    columns: { ...consentColumns, email: ['Email'], name: ['First Name'], lastName: ['Last Name'] },
    required: ['email', 'accepts'],
    create: createSubscriberReader,
  }),
]

/**
 * Products: github.com/woocommerce/woocommerce/wiki/Product-CSV-Importer-&-Exporter. Orders: WooCommerce has no file of its own with
 * items; these are the names of its extension Customer / Order / Coupon Export, with a row per order or per item
 * (docs.woocommerce.com/document/ordercustomer-csv-export-developer-documentation). Redirects: the Redirection plugin for WordPress
 * (redirection.me). Subscribers: WooCommerce stores no consent, so the names are ours.
 */
const woocommerce: readonly Layout[] = [
  layout<RedirectField>({
    kind: 'redirects',
    columns: { from: ['source'], to: ['target'], regex: ['regex'], type: ['type'], status: ['status'] },
    required: ['from', 'to', 'regex'],
    create: createRedirectReader,
  }),
  ...(['lines', 'lineName'] as const).map((goods) =>
    layout<OrderField>({
      kind: 'orders',
      columns: {
        ...{ number: ['order_number_formatted', 'order_number', 'order_id'], email: ['billing_email'] },
        ...{ name: ['billing_first_name'], lastName: ['billing_last_name'], placedAt: ['date', 'order_date'] },
        ...{ canceledAt: [], status: ['status', 'order_status'], currency: ['order_currency'] },
        ...{ shipping: ['shipping_total', 'order_shipping'], tax: ['tax_total', 'order_tax'] },
        ...{ discount: ['discount_total', 'cart_discount'], total: ['order_total'], refunded: ['refunded_total'] },
        ...{ lineName: ['item_name'], lineSku: ['item_sku'], lineQuantity: ['item_quantity'], linePrice: [] },
        ...{ lineTotal: ['item_total'], lines: ['line_items'] },
      },
      required: ['number', 'email', 'placedAt', 'status', 'total', goods],
      create: createOrderReader,
    }),
  ),
  layout<ProductField>({
    kind: 'products',
    columns: {
      ...{ handle: [], name: ['Name'], description: ['Description'], shortDescription: ['Short description'] },
      ...{ type: [], collection: ['Categories'], published: ['Published'], status: [], giftCard: [] },
      ...{
        sku: ['SKU'],
        price: ['Regular price'],
        option1: ['Attribute 1 value(s)'],
        option2: ['Attribute 2 value(s)'],
      },
      ...{
        option3: ['Attribute 3 value(s)'],
        image: ['Images'],
        alt: [],
        id: ['ID'],
        kind: ['Type'],
        parent: ['Parent'],
        // A variation has at most one.
        variantImage: ['Images'],
      },
    },
    required: ['kind', 'sku', 'name', 'published', 'price'],
    create: createWooProductReader,
  }),
  layout<SubscriberField>({
    kind: 'subscribers',
    columns: {
      ...consentColumns,
      ...noSubscriberColumns,
      email: ['Email', 'Email Address', 'billing_email'],
      name: ['Name'],
    },
    required: ['email', 'accepts'],
    isPublished: false,
    create: createSubscriberReader,
  }),
]

/** Fourthwall lets its owners download these files, but publishes no column names; these are the ones we look for. */
const fourthwall: readonly Layout[] = [
  layout<RedirectField>({
    kind: 'redirects',
    columns: { from: ['Redirect from', 'From'], to: ['Redirect to', 'To'], regex: [], type: [], status: [] },
    required: ['from', 'to'],
    isPublished: false,
    create: createRedirectReader,
  }),
  layout<OrderField>({
    kind: 'orders',
    columns: {
      ...noOrderColumns,
      ...{ number: ['Order ID', 'Order number', 'Friendly ID'], email: ['Email', 'Customer email', 'Supporter email'] },
      ...{ name: ['Name', 'Customer name', 'Shipping name'], placedAt: ['Created at', 'Order date', 'Date'] },
      ...{ canceledAt: ['Canceled at'], status: ['Status', 'Order status'], currency: ['Currency'] },
      ...{ shipping: ['Shipping'], tax: ['Tax', 'Taxes'], discount: ['Discount'], total: ['Total', 'Order total'] },
      ...{
        refunded: ['Refunded'],
        lineName: ['Product name', 'Product'],
        lineSku: ['SKU'],
        lineQuantity: ['Quantity'],
      },
      ...{ linePrice: ['Unit price', 'Price'] },
    },
    required: ['number', 'email', 'placedAt', 'status', 'currency', 'total', 'lineName', 'lineQuantity'],
    isPublished: false,
    create: createOrderReader,
  }),
  layout<ProductField>({
    kind: 'products',
    columns: {
      ...noProductColumns,
      ...{
        handle: ['Slug', 'Handle'],
        name: ['Product name', 'Title', 'Name'],
        description: ['Description', 'Body (HTML)'],
      },
      ...{ type: ['Type'], collection: ['Collection'], published: ['Published'], status: ['Status'], giftCard: [] },
      ...{ sku: ['SKU', 'Variant SKU'], price: ['Price', 'Variant Price'], option1: ['Color', 'Option1 Value'] },
      ...{
        option2: ['Size', 'Option2 Value'],
        option3: [],
        image: ['Image URL', 'Image Src'],
        alt: ['Image Alt Text'],
        variantImage: ['Variant Image'],
      },
    },
    required: ['name', 'description', 'sku', 'price'],
    isPublished: false,
    create: createProductReader,
  }),
  layout<SubscriberField>({
    kind: 'subscribers',
    columns: { ...consentColumns, ...noSubscriberColumns, email: ['Email'], name: ['Name'] },
    required: ['email', 'accepts'],
    isPublished: false,
    create: createSubscriberReader,
  }),
]

const layouts: Readonly<Record<FormerShop, readonly Layout[]>> = { shopify, woocommerce, fourthwall }

const kindNames: Readonly<Record<ImportKind, string>> = {
  products: 'products',
  subscribers: 'subscribers',
  redirects: 'redirects',
  orders: 'orders',
}

/** @returns undefined if it is none of this shop's files */
export const findLayout = (shop: FormerShop, header: readonly string[]): Layout | undefined =>
  layouts[shop].find((one) => one.recognizes(header))

/** What each file of a shop must have, for an owner who chose another. */
export const expectedFiles = (shop: FormerShop): string =>
  `${formerShopNames[shop]} files are recognized by these columns. ${layouts[shop]
    .map(({ kind, required }) => `${kindNames[kind]}: ${required.join(', ')}`)
    .join('; ')}.`
