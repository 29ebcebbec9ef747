import * as z from 'zod/mini'
import { KEYWORDS_MAX } from '#domain/catalog/metadata.ts'
import { productStates } from '#domain/catalog/product-state.ts'
import type { Cents } from '#shared/money.ts'
import type { ProductId } from '#shared/ids.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { Picture } from './catalog.ts'
import { CatalogVersion } from './catalog-version.ts'
import { branded, centsAnswer, multilineText, isoMoment, pathId, shortText, singleLineText } from './wire.ts'

const amount = branded<Cents>(
  z
    .int('Please enter an amount, such as 34.99')
    .check(z.gte(1, 'Please enter an amount, such as 34.99'), z.lte(1_000_000, 'Please enter an amount below $10,000')),
)
const countries = z
  .array(z.string().check(z.regex(/^[A-Z]{2}$/, 'Please enter two-letter country codes, such as JP')))
  .check(z.maxLength(250))

const colorValue = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Please write colors like #1f2a44'))

export const Surcharge = z.object({
  amount,
  regions: countries,
  description: shortText(1, 200, 'Please enter what it is for'),
  enabled: z.boolean(),
})
export const Restrictions = z.object({
  blockedCountries: countries,
  delayRegions: countries,
  minimumAge: z.optional(
    z.int().check(z.gte(1, 'Please enter an age from 1 to 120'), z.lte(120, 'Please enter an age from 1 to 120')),
  ),
})

export const Keywords = z
  .array(singleLineText(60, 'Please enter a keyword'))
  .check(z.maxLength(KEYWORDS_MAX, `Please enter at most ${KEYWORDS_MAX} keywords`))

const BADGE_MAX = 30
const POSITION_MAX = 9999
const COLORS_MAX = 60

const slugText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please enter an address'),
    z.maxLength(100, 'Please use at most 100 characters'),
    z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Please use lower-case letters, digits and single hyphens, such as rudy-hat'),
  )

/** What the owner edits of a product; null and an empty list are none. */
export const ProductValues = z.object({
  name: shortText(1, 200, 'Please enter a name'),
  slug: slugText,
  description: multilineText(1, 5000, 'Please enter a description'),
  collection: shortText(1, 200, 'Please choose a collection'),
  type: shortText(1, 200, 'Please choose a type'),
  badge: z.nullable(shortText(1, BADGE_MAX, 'Please enter a badge')),
  /** Search words beside those of name and type. */
  keywords: Keywords,
  place: z.nullable(
    z
      .int('Please enter a whole number')
      .check(
        z.gte(1, 'Please enter a number from 1'),
        z.lte(POSITION_MAX, `Please enter a number up to ${POSITION_MAX}`),
      ),
  ),
  colors: z
    .array(
      z.object({
        name: shortText(1, 200, 'Please enter a color name'),
        hex: colorValue,
        accent: z.optional(colorValue),
      }),
    )
    .check(z.maxLength(COLORS_MAX, `Please enter at most ${COLORS_MAX} colors`)),
  shippingSurcharge: z.nullable(Surcharge),
  restrictions: z.nullable(Restrictions),
  state: z.enum(productStates),
  /** When a scheduled product goes on sale. */
  publishAt: z.nullable(z.iso.datetime('Please enter a date and a time')),
})
export type ProductValues = z.output<typeof ProductValues>

const version = z.int().check(z.gte(1))

/** `version`: the one that the edit was based on. */
const ProductEdit = z.extend(ProductValues, { version })

/** A product as the owner sees it. */
export const AdminProduct = z.object({
  id: branded<ProductId>(),
  version: z.int(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  collection: z.string(),
  type: z.string(),
  badge: z.nullable(z.string()),
  keywords: z.array(z.string()),
  place: z.nullable(z.int()),
  colors: z.array(z.object({ name: z.string(), hex: z.string(), accent: z.optional(z.string()) })),
  shippingSurcharge: z.nullable(Surcharge),
  restrictions: z.nullable(Restrictions),
  state: z.enum(productStates),
  publishAt: z.nullable(isoMoment),
  /** Of its cheapest variant; null if Printful has none. */
  from: z.nullable(centsAnswer),
  /** Its first; null for one that shoppers cannot see. */
  picture: z.nullable(Picture),
  /** What is left of one piece, of the variant that leaves least; null where no cost is known. */
  margins: z.nullable(
    z.object({
      usual: centsAnswer,
      worst: centsAnswer,
      /** Such as `sent to Norway, paid by PayPal`. */
      worstSale: z.string(),
      /** The worst is less than the owner wants. */
      isBelowFloor: z.boolean(),
      /** With usual shipping rates, because the printer's are not known yet. */
      isEstimated: z.boolean(),
    }),
  ),
})
export type AdminProduct = z.output<typeof AdminProduct>

const Sync = z.object({
  id: z.int(),
  trigger: z.string(),
  state: z.string(),
  startedAt: isoMoment,
  products: z.int(),
  variants: z.int(),
  waiting: z.int(),
  remarks: z.array(z.string()),
})
export type AdminSync = z.output<typeof Sync>

const BeforeAndAfter = z.object({ before: z.nullable(centsAnswer), after: z.nullable(centsAnswer) })

/** What is left of a piece after the printer, its shipping, the payment provider and the partner; null where it is not sold. */
const MarginEffect = z.object({
  /** In the United States, by card, with the usual partner. */
  usual: BeforeAndAfter,
  worst: BeforeAndAfter,
  /** Such as `sent to Norway, paid by PayPal`. */
  worstSale: z.string(),
  /** Shipping is the printer's standard rate in some countries. */
  isEstimated: z.boolean(),
  /** Whether the usual sale loses money after the change, and did before. */
  loss: z.enum(['none', 'new', 'still']),
})
export type MarginEffect = z.output<typeof MarginEffect>

const Change = z.object({
  id: z.int(),
  state: z.string(),
  change: z.string(),
  product: z.string(),
  variant: z.string(),
  variantId: z.int(),
  from: z.string(),
  to: z.string(),
  /** Per piece, before and after; missing if unchanged or unknown. */
  margin: z.optional(z.string()),
  /** Before shipping, the usual sale costs more than it brings with the change. */
  isLoss: z.boolean(),
  /** Null if unchanged or a cost is unknown. */
  effect: z.nullable(MarginEffect),
})
export type AdminSyncChange = z.output<typeof Change>

const done = z.object({ done: z.string() })
const ofId = z.object({ id: pathId<number>() })
const ofChange = z.object({ id: pathId<number>(), change: pathId<number>() })

export const adminProductCalls = {
  products: call({
    method: 'GET',
    path: '/api/admin/products',
    access: 'read_catalog',
    summary: 'Every product in any state; `after` continues after this id.',
    query: z.object({ after: z.optional(pathId<ProductId>()) }),
    answer: z.object({
      products: z.array(AdminProduct),
      hasMore: z.boolean(),
      types: z.array(z.object({ key: z.string(), name: z.string() })),
    }),
    refusals: [],
  }),
  saveProduct: call({
    method: 'PUT',
    path: '/api/admin/products/:id',
    access: 'owner',
    summary: 'Saves a product; refused when somebody else saved it since `version`.',
    params: z.object({ id: pathId<ProductId>() }),
    query: Acceptance,
    body: ProductEdit,
    answer: done,
    refusals: ['unknown_product', 'product_changed', 'below_floor'],
  }),
  productHistory: call({
    method: 'GET',
    path: '/api/admin/products/:id/history',
    access: 'read_catalog',
    summary: 'The latest hundred versions of a product, newest first.',
    params: z.object({ id: pathId<ProductId>() }),
    answer: z.object({ versions: z.array(CatalogVersion) }),
    refusals: [],
  }),
  restoreProduct: call({
    method: 'POST',
    path: '/api/admin/products/:id/restore',
    access: 'owner',
    summary: 'Saves an earlier version of a product again; its state stays.',
    params: z.object({ id: pathId<ProductId>() }),
    query: Acceptance,
    body: z.object({ version, restored: version }),
    answer: done,
    refusals: ['unknown_product', 'product_changed', 'below_floor'],
  }),
  syncs: call({
    method: 'GET',
    path: '/api/admin/catalog',
    access: 'read_catalog',
    summary: 'Catalog syncs, latest first, with the number of pending changes.',
    answer: z.object({ syncs: z.array(Sync) }),
    refusals: [],
  }),
  sync: call({
    method: 'GET',
    path: '/api/admin/catalog/:id',
    access: 'read_catalog',
    summary: 'A sync’s changes, with their effect on the margin.',
    params: ofId,
    answer: z.object({ sync: Sync, changes: z.array(Change) }),
    refusals: ['nothing_to_decide'],
  }),
  applySync: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/apply',
    access: 'owner',
    summary: 'Accepts a sync’s pending changes, including those declined or reverted before.',
    params: ofId,
    query: Acceptance,
    answer: done,
    refusals: ['nothing_to_decide', 'below_floor'],
  }),
  revertSync: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/revert',
    access: 'owner',
    summary: 'Reverts a sync’s applied changes and declines its pending ones.',
    params: ofId,
    answer: done,
    refusals: ['nothing_to_decide'],
  }),
  applyChange: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/changes/:change/apply',
    access: 'owner',
    summary: 'Accepts one change of a sync.',
    params: ofChange,
    query: Acceptance,
    answer: done,
    refusals: ['nothing_to_decide', 'below_floor'],
  }),
  revertChange: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/changes/:change/revert',
    access: 'owner',
    summary: 'Declines or reverts one change of a sync.',
    params: ofChange,
    answer: done,
    refusals: ['nothing_to_decide'],
  }),
}
