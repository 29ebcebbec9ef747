import type { Cents } from '#shared/money.ts'

// What comes from a former shop, whichever it was. `row` is the number of a row as a spreadsheet shows it.

export const formerShops = ['shopify', 'woocommerce', 'fourthwall'] as const
export type FormerShop = (typeof formerShops)[number]

export const formerShopNames: Record<FormerShop, string> = {
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  fourthwall: 'Fourthwall',
}

/** Why something of a row cannot come. @property column its title in the file; null for the row as a whole */
export type ImportProblem = { row: number; column: string | null; reason: string }

export type FormerVariant = {
  row: number
  /** The title of its SKU's column, for saying what is wrong; null if the file has none. */
  column: string | null
  /** What the printer may know it by. */
  sku: string | null
  /** Such as `['Navy', 'XL']`. */
  options: string[]
  unitPrice: Cents | null
  /** The address of its own picture, one of its product's; null if it has none. */
  picture: string | null
}

/** @property column the title of its column @property alt empty if the file does not describe it */
type FormerPicture = { row: number; column: string | null; url: string; alt: string }

export type FormerProduct = {
  row: number
  slug: string
  name: string
  /** Plain text, with the lines of its paragraphs. */
  description: string
  /** The former shop's words; empty if it has none. */
  type: string
  collection: string
  wasPublished: boolean
  variants: FormerVariant[]
  pictures: FormerPicture[]
  /** What the printer may call it: its address, SKU or number there. */
  references: string[]
  /** Its address there, such as `/products/biscuit-cap`; null if the file does not tell. */
  path: string | null
}

/** @property consentSource how the person agreed, in the file's words */
export type FormerSubscriber = {
  row: number
  email: string
  name: string | null
  consentAt: string
  consentSource: string
}

export type FormerRedirect = { row: number; from: string; to: string }

export const formerOrderStatuses = ['paid', 'partially_refunded', 'refunded', 'canceled'] as const
export type FormerOrderStatus = (typeof formerOrderStatuses)[number]

export type FormerOrderLine = { name: string; sku: string | null; quantity: number; total: Cents }

export type FormerOrder = {
  row: number
  number: string
  email: string
  name: string | null
  /** ISO 8601, UTC. */
  placedAt: string
  status: FormerOrderStatus
  lines: FormerOrderLine[]
  shipping: Cents
  tax: Cents
  discount: Cents
  total: Cents
  refunded: Cents
}

/** What a file holds, read row by row. */
export type ImportKind = 'products' | 'subscribers' | 'redirects' | 'orders'

export type ImportItem =
  | { kind: 'products'; value: FormerProduct }
  | { kind: 'subscribers'; value: FormerSubscriber }
  | { kind: 'redirects'; value: FormerRedirect }
  | { kind: 'orders'; value: FormerOrder }
