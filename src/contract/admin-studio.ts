import * as z from 'zod/mini'
import { COPIES_MAX, draftStates, draftSteps, type DraftContent } from '#domain/studio/draft.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { Keywords, Restrictions, Surcharge } from './admin-products.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { ProductWithRelated, ProviderDetail } from './catalog.ts'
import { branded, centsAnswer, isoMoment, pathId } from './wire.ts'

const line = (max: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(max, `Please use at most ${max} characters`),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Please use plain text without control characters'),
    )
const share = z.number().check(z.gte(0), z.lte(1))
const size = z
  .number()
  .check(z.gte(0.02, 'The drawing is too small'), z.lte(1, 'The drawing is larger than the print area'))
const hex = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Please enter a color such as #2b2b2e'))
const optionName = line(100)
const price = branded<Cents>(
  z
    .int('Please enter an amount, such as 29.95')
    .check(z.gte(0, 'Please enter an amount, such as 29.95'), z.lte(1_000_000, 'Please enter an amount below $10,000')),
)

const Placement = z.object({
  area: line(60),
  drawing: z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{7,119}$/, 'Please choose a drawing')),
  x: share,
  y: share,
  width: size,
  height: size,
  threadColors: z.array(hex).check(z.maxLength(6, 'Please choose at most six thread colors')),
})

/** What is not decided yet is null or empty; what is there has its form. */
const DraftContentShape = z.object({
  blankId: z.nullable(z.int().check(z.gte(1))),
  takenOver: z.nullable(z.int().check(z.gte(1))),
  placements: z.array(Placement).check(
    z.maxLength(12, 'Please use at most 12 print areas'),
    z.refine((all) => new Set(all.map(({ area }) => area)).size === all.length, 'A print area has one drawing'),
  ),
  colors: z.array(optionName).check(z.maxLength(100)),
  sizes: z.array(optionName).check(z.maxLength(60)),
  prices: z.array(z.object({ size: optionName, price })).check(z.maxLength(60)),
  name: line(200),
  slug: z
    .string()
    .check(
      z.maxLength(100, 'Please use at most 100 characters'),
      z.regex(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/, 'Please use small letters, digits and hyphens, such as lazy-hoodie'),
    ),
  description: z.string().check(z.trim(), z.maxLength(5000, 'Please use at most 5000 characters')),
  type: line(100),
  collection: line(100),
  badge: z.nullable(line(30)),
  keywords: Keywords,
  shippingSurcharge: z.nullable(Surcharge),
  restrictions: z.nullable(Restrictions),
  publishAt: z.nullable(z.iso.datetime('Please enter a day and a time')),
  staysDraft: z.boolean(),
}) satisfies z.ZodMiniType<DraftContent>

const DraftSummary = z.object({
  id: z.int(),
  name: z.string(),
  step: z.enum(draftSteps),
  state: z.enum(draftStates),
  blankId: z.nullable(z.int()),
  takenOver: z.nullable(z.int()),
  /** As of `Draft`. */
  batch: z.nullable(z.string()),
  updatedAt: isoMoment,
})
export type DraftSummary = z.output<typeof DraftSummary>

export const Draft = z.object({
  id: z.int(),
  /** The version that a save is based on. */
  version: z.int(),
  step: z.enum(draftSteps),
  state: z.enum(draftStates),
  content: DraftContentShape,
  /** What was refused, and at which step it is corrected; null if nothing was. */
  refusal: z.nullable(z.object({ step: z.enum(draftSteps), sentence: z.string() })),
  /** How far the product is made while it is being created, as a sentence. */
  progress: z.nullable(z.string()),
  /** What the owner has to know of the product that was made, such as why it is hidden. */
  remark: z.nullable(z.string()),
  /** The drafts that were made together of one drawing, if it is one of them. */
  batch: z.nullable(z.string()),
  /** Of a batch, and still without placement, colors and prices: `fillCopy` adds them. */
  isUnfilled: z.boolean(),
  /** Once it is in the catalog. */
  productId: z.nullable(z.int()),
  updatedBy: z.string(),
  updatedAt: isoMoment,
})
export type Draft = z.output<typeof Draft>

const ofBatch = z.object({ batch: z.string().check(z.regex(/^[0-9a-f]{24}$/)) })
const ofDraft = z.object({ id: pathId<number>() })
const version = z.int().check(z.gte(1))

/** What a margin depends on besides price, cost and surcharges. */
export const MarginFacts = z.object({
  /** Every country the shop delivers to, and what the printer charges for sending one piece there. */
  destinations: z.array(z.object({ country: z.string(), shipping: centsAnswer })),
  /** Some rates are the usual ones of their region, because the printer gave none. */
  isEstimated: z.boolean(),
  shippingPaidBy: z.enum(['free', 'partner']),
  /** Partners' usual share of a price, and the highest agreed one, in basis points. */
  partnerShares: z.object({ usual: z.int(), highest: z.int() }),
  /** The least that the owner wants a sale to leave. */
  floor: centsAnswer,
})

export const adminStudioCalls = {
  drafts: call({
    method: 'GET',
    path: '/api/admin/drafts',
    access: 'owner',
    summary: 'Product drafts that are not in the catalog yet, latest first; 100 at most.',
    answer: z.object({ drafts: z.array(DraftSummary) }),
    refusals: [],
  }),
  createDraft: call({
    method: 'POST',
    path: '/api/admin/drafts',
    access: 'owner',
    summary: 'Starts a product draft.',
    body: z.object({ content: DraftContentShape }),
    answer: Draft,
    refusals: ['unknown_picture'],
  }),
  draft: call({
    method: 'GET',
    path: '/api/admin/drafts/:id',
    access: 'owner',
    summary: 'A product draft.',
    params: ofDraft,
    answer: Draft,
    refusals: ['unknown_draft'],
  }),
  saveDraft: call({
    method: 'PUT',
    path: '/api/admin/drafts/:id',
    access: 'owner',
    summary: 'Saves a product draft; 409 with the stored draft when somebody else saved it meanwhile.',
    params: ofDraft,
    body: z.object({ version, step: z.enum(draftSteps), content: DraftContentShape }),
    answer: Draft,
    refusals: ['unknown_draft', 'draft_changed', 'draft_closed', 'unknown_picture'],
  }),
  deleteDraft: call({
    method: 'DELETE',
    path: '/api/admin/drafts/:id',
    access: 'owner',
    summary: 'Deletes a product draft that was not published.',
    params: ofDraft,
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_draft', 'draft_closed'],
  }),
  publishDraft: call({
    method: 'POST',
    path: '/api/admin/drafts/:id/publish',
    access: 'owner',
    summary: 'Starts making the product at the printer and in the catalog; the draft shows how far it is.',
    params: ofDraft,
    query: Acceptance,
    body: z.object({ version }),
    answer: Draft,
    refusals: [
      ...(['unknown_draft', 'draft_changed', 'draft_closed', 'draft_unfinished', 'below_floor'] as const),
      ...(['unknown_blank', 'blank_not_read'] as const),
    ],
  }),
  previewDraft: call({
    method: 'GET',
    path: '/api/admin/drafts/:id/preview',
    access: 'owner',
    summary: 'The product page’s data of a draft.',
    params: ofDraft,
    answer: z.object({ page: ProductWithRelated, detail: ProviderDetail }),
    refusals: ['unknown_draft', 'unknown_blank', 'blank_not_read'],
  }),
  beginBatch: call({
    method: 'PUT',
    path: '/api/admin/draft-batches/:batch',
    access: 'owner',
    summary:
      'Makes a draft for each blank that has none in the batch yet, all or none, with what they share. `fillCopy` then fills in one after the other.',
    params: ofBatch,
    body: z.object({
      blankIds: z
        .array(z.int().check(z.gte(1)))
        .check(
          z.minLength(1, 'Please choose a blank'),
          z.maxLength(COPIES_MAX, `Please choose at most ${COPIES_MAX} blanks`),
        ),
      /** What the copies share; `{name}` and `{type}` in its description are filled in. */
      content: DraftContentShape,
      /** Such as `{name} {type}`. */
      namePattern: line(200).check(z.minLength(1, 'Please enter a pattern, such as {name} {type}')),
      targetBasisPoints: z.int().check(z.gte(0), z.lte(9000, 'Please enter at most 90 percent')),
    }),
    answer: z.object({ drafts: z.array(Draft) }),
    refusals: ['unknown_picture'],
  }),
  fillCopy: call({
    method: 'POST',
    path: '/api/admin/draft-batches/:batch',
    access: 'owner',
    summary:
      'Fills in the draft of a blank: the drawing placed alike, colors by contrast, a price by target margin. A draft that is filled in or was saved stays as it is.',
    params: ofBatch,
    body: z.object({ blankId: z.int().check(z.gte(1)) }),
    answer: Draft,
    refusals: ['unknown_draft', 'unknown_blank', 'blank_not_read', 'unknown_picture'],
  }),
  draftBatch: call({
    method: 'GET',
    path: '/api/admin/draft-batches/:batch',
    access: 'owner',
    summary: 'The drafts of a batch in any state, in the order they were made.',
    params: ofBatch,
    answer: z.object({ drafts: z.array(Draft) }),
    refusals: [],
  }),
  draftOfProduct: call({
    method: 'GET',
    path: '/api/admin/products/:id/draft',
    access: 'owner',
    summary: 'What copies of a product start from: its words, and its drawings if it was made here.',
    params: z.object({ id: pathId<ProductId>() }),
    answer: z.object({ content: DraftContentShape }),
    refusals: ['unknown_product'],
  }),
  draftChoices: call({
    method: 'GET',
    path: '/api/admin/draft-choices',
    access: 'owner',
    summary: 'The product types and collections that a new product can have.',
    answer: z.object({
      types: z.array(
        z.object({ key: z.string(), name: z.string(), blankId: z.nullable(z.int()), hasModel: z.boolean() }),
      ),
      collections: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
    refusals: [],
  }),
  marginFacts: call({
    method: 'GET',
    path: '/api/admin/margin-facts/:blank',
    access: 'owner',
    summary: 'What a piece of a blank costs besides its variant, for computing margins.',
    params: z.object({ blank: pathId<number>() }),
    answer: MarginFacts,
    refusals: ['unknown_blank', 'blank_not_read'],
  }),
}
