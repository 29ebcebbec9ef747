import * as z from 'zod/mini'
import type { Cents } from '#shared/money.ts'
import type { ProductId } from '#shared/ids.ts'
import { call } from './call.ts'
import { branded, centsAnswer, multilineText, isoMoment, pathId, shortText } from './wire.ts'

const amount = branded<Cents>(
  z
    .int('Please enter an amount, such as 34.99')
    .check(z.gte(1, 'Please enter an amount, such as 34.99'), z.lte(1_000_000, 'Please enter an amount below $10,000')),
)
const countries = z
  .array(z.string().check(z.regex(/^[A-Z]{2}$/, 'Please enter two-letter country codes, such as JP')))
  .check(z.maxLength(250))

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

const BADGE_MAX = 30
const POSITION_MAX = 9999

/** What the owner says of a product in place of the catalog file; null leaves the file's word. An empty badge is none. */
export const ProductOverride = z.object({
  badge: z.nullable(z.string().check(z.trim(), z.maxLength(BADGE_MAX, `Please use at most ${BADGE_MAX} characters`))),
  description: z.nullable(multilineText(1, 5000, 'Please enter a description')),
  place: z.nullable(
    z
      .int('Please enter a whole number')
      .check(
        z.gte(1, 'Please enter a number from 1'),
        z.lte(POSITION_MAX, `Please enter a number up to ${POSITION_MAX}`),
      ),
  ),
  visible: z.nullable(z.boolean()),
  shippingSurcharge: z.nullable(Surcharge),
  restrictions: z.nullable(Restrictions),
})
export type ProductOverride = z.output<typeof ProductOverride>

const OwnerValues = z.object({
  badge: z.nullable(z.string()),
  description: z.string(),
  visible: z.boolean(),
  shippingSurcharge: z.nullable(Surcharge),
  restrictions: z.nullable(Restrictions),
})

/** A product as the owner sees it: what the file says, what the owner says, and what shoppers see. */
export const AdminProduct = z.object({
  id: branded<ProductId>(),
  name: z.string(),
  slug: z.string(),
  type: z.string(),
  collection: z.string(),
  /** Of its cheapest variant; null if Printful has none. */
  from: z.nullable(centsAnswer),
  shown: z.extend(OwnerValues, { place: z.nullable(z.int()) }),
  inFile: OwnerValues,
  override: ProductOverride,
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
})
export type AdminSyncChange = z.output<typeof Change>

const done = z.object({ done: z.string() })
const ofId = z.object({ id: pathId<number>() })
const ofChange = z.object({ id: pathId<number>(), change: pathId<number>() })

export const adminProductCalls = {
  products: call({
    method: 'GET',
    path: '/api/admin/products',
    access: 'owner',
    summary: 'Every product, visible or not; `after` continues after this id.',
    query: z.object({ after: z.optional(pathId<ProductId>()) }),
    answer: z.object({ products: z.array(AdminProduct), hasMore: z.boolean() }),
    refusals: [],
  }),
  overrideProduct: call({
    method: 'PUT',
    path: '/api/admin/products/:id',
    access: 'owner',
    summary: 'Sets the owner’s overrides of a product.',
    params: z.object({ id: pathId<ProductId>() }),
    body: ProductOverride,
    answer: done,
    refusals: ['unknown_product'],
  }),
  syncs: call({
    method: 'GET',
    path: '/api/admin/catalog',
    access: 'owner',
    summary: 'Catalog syncs, latest first, with the number of pending changes.',
    answer: z.object({ syncs: z.array(Sync) }),
    refusals: [],
  }),
  sync: call({
    method: 'GET',
    path: '/api/admin/catalog/:id',
    access: 'owner',
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
    answer: done,
    refusals: ['nothing_to_decide'],
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
    answer: done,
    refusals: ['nothing_to_decide'],
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
