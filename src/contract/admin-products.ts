import * as z from 'zod/mini'
import type { Cents } from '#shared/money.ts'
import type { ProductId } from '#shared/ids.ts'
import { call } from './call.ts'
import { ShopContent } from './public-config.ts'
import { centsAnswer, multilineText, singleLineText, isoMoment, pathId, shortText } from './wire.ts'

const amount = z
  .int('Please give an amount, such as 34.99')
  .check(
    z.gte(1, 'Please give an amount, such as 34.99'),
    z.lte(1_000_000, 'Please give an amount below $10,000'),
  ) as unknown as z.ZodMiniType<Cents, Cents>
const countries = z
  .array(z.string().check(z.regex(/^[A-Z]{2}$/, 'Please give countries by their two letters, such as JP')))
  .check(z.maxLength(250))

const Surcharge = z.object({
  amount,
  regions: countries,
  description: shortText(1, 200, 'Please say what it is for'),
  enabled: z.boolean(),
})
const Restrictions = z.object({
  blockedCountries: countries,
  delayRegions: countries,
  minimumAge: z.optional(
    z.int().check(z.gte(1, 'Please give an age from 1 to 120'), z.lte(120, 'Please give an age from 1 to 120')),
  ),
})

const BADGE_MAX = 30
const POSITION_MAX = 9999

/** What the owner says of a product in place of the catalog file; null leaves the file's word. An empty badge is none. */
export const ProductOverride = z.object({
  badge: z.nullable(z.string().check(z.trim(), z.maxLength(BADGE_MAX, `Please use at most ${BADGE_MAX} characters`))),
  description: z.nullable(multilineText(1, 5000, 'Please describe it')),
  place: z.nullable(
    z
      .int('Please give a whole number')
      .check(
        z.gte(1, 'Please give a number from 1'),
        z.lte(POSITION_MAX, `Please give a number up to ${POSITION_MAX}`),
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
  id: z.int() as unknown as z.ZodMiniType<ProductId, ProductId>,
  name: z.string(),
  slug: z.string(),
  type: z.string(),
  collection: z.string(),
  /** Of its cheapest variant; null while the partner has none. */
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
  /** Of one piece, before and after; left out where it does not move or is not known. */
  margin: z.optional(z.string()),
})
export type AdminSyncChange = z.output<typeof Change>

/** What the owner says in place of the label's own words; null leaves them. */
export const SiteTextChange = z.object({
  banner: z.nullable(shortText(1, 160, 'Please write something')),
  upcoming: z.nullable(
    z
      .array(
        z.object({
          title: singleLineText(40, 'Please give a title'),
          text: shortText(1, 160, 'Please write a sentence'),
        }),
      )
      .check(z.maxLength(4, 'Please announce at most four')),
  ),
})
export type SiteTextChange = z.output<typeof SiteTextChange>

const done = z.object({ done: z.string() })
const ofId = z.object({ id: pathId<number>() })
const ofChange = z.object({ id: pathId<number>(), change: pathId<number>() })

export const adminProductCalls = {
  products: call({
    method: 'GET',
    path: '/api/admin/products',
    access: 'owner',
    summary: 'Every product, shown or not; `after` is the id after which a page goes on.',
    query: z.object({ after: z.optional(pathId<ProductId>()) }),
    answer: z.object({ products: z.array(AdminProduct), hasMore: z.boolean() }),
    refusals: [],
  }),
  overrideProduct: call({
    method: 'PUT',
    path: '/api/admin/products/:id',
    access: 'owner',
    summary: 'Says of a product what the owner wants in place of the catalog file.',
    params: z.object({ id: pathId<ProductId>() }),
    body: ProductOverride,
    answer: done,
    refusals: ['unknown_product'],
  }),
  content: call({
    method: 'GET',
    path: '/api/admin/content',
    access: 'owner',
    summary: 'The banner and the announced collections: the label’s own words, the owner’s, and what is shown.',
    answer: z.object({ own: SiteTextChange, label: ShopContent, shown: ShopContent }),
    refusals: [],
  }),
  setContent: call({
    method: 'PUT',
    path: '/api/admin/content',
    access: 'owner',
    summary: 'Says what stands in the banner and what is announced; null leaves the label’s own words.',
    body: SiteTextChange,
    answer: done,
    refusals: [],
  }),
  syncs: call({
    method: 'GET',
    path: '/api/admin/catalog',
    access: 'owner',
    summary: 'Synchronizations with the printer, the latest first, and how much of each waits for the owner.',
    answer: z.object({ syncs: z.array(Sync) }),
    refusals: [],
  }),
  sync: call({
    method: 'GET',
    path: '/api/admin/catalog/:id',
    access: 'owner',
    summary: 'What a synchronization found to differ, with what it does to the margin.',
    params: ofId,
    answer: z.object({ sync: Sync, changes: z.array(Change) }),
    refusals: ['nothing_to_decide'],
  }),
  applySync: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/apply',
    access: 'owner',
    summary: 'The owner’s yes to what waits of a synchronization, and again to what was declined or taken back.',
    params: ofId,
    answer: done,
    refusals: ['nothing_to_decide'],
  }),
  revertSync: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/revert',
    access: 'owner',
    summary: 'The owner’s no: takes back what a synchronization has done, and declines what waits of it.',
    params: ofId,
    answer: done,
    refusals: ['nothing_to_decide'],
  }),
  applyChange: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/changes/:change/apply',
    access: 'owner',
    summary: 'The owner’s yes to one change of a synchronization.',
    params: ofChange,
    answer: done,
    refusals: ['nothing_to_decide'],
  }),
  revertChange: call({
    method: 'POST',
    path: '/api/admin/catalog/:id/changes/:change/revert',
    access: 'owner',
    summary: 'The owner’s no to one change of a synchronization: declined, or taken back.',
    params: ofChange,
    answer: done,
    refusals: ['nothing_to_decide'],
  }),
}
