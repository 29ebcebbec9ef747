import * as z from 'zod/mini'
import { collectionStates } from '#domain/catalog/collections.ts'
import { headingFonts, type ThemeColors } from '#domain/catalog/collection-theme.ts'
import { colorNames, contrastProblems } from '#domain/catalog/contrast.ts'
import { call } from './call.ts'
import { CatalogVersion } from './catalog-version.ts'
import { PictureInput } from './collections.ts'
import { isoMoment, multilineText, shortText, singleLineText } from './wire.ts'

/** CSS without what could end a declaration or load something. */
const css = (max: number) =>
  z.string().check(
    z.maxLength(max),
    z.regex(/^[A-Za-z0-9#%().,/ +-]+$/, 'Please choose one of the values'),
    z.refine((text) => !/url|image-set|expression/i.test(text), 'Please choose one of the values'),
  )
const hex = z.string() as z.ZodMiniType<`#${string}`, `#${string}`>
const webAddress = z.string().check(
  z.trim(),
  z.maxLength(300, 'Please use at most 300 characters'),
  z.refine(
    (text) => text === '' || /^https:\/\/[^\s"<>]+$/.test(text),
    'Please enter an address that begins with https://',
  ),
)
const line = (max: number) => shortText(0, max, '')
const lines = (max: number) => multilineText(0, max, '')

const Colors = z
  .object(
    Object.fromEntries(Object.keys(colorNames).map((name) => [name, hex])) as Record<keyof ThemeColors, typeof hex>,
  )
  .check(({ value, issues }) => {
    for (const [name, message] of Object.entries(contrastProblems(value)))
      issues.push({ code: 'custom', path: [name], message, input: value })
  })

const Picture = z.nullable(PictureInput)

const withLink = (max: number) =>
  lines(max).check(z.regex(/\{link\}/, 'Please keep {link}: it becomes the partner’s own link'))
const PartnerTexts = z.object({
  video: withLink(1000),
  comment: withLink(500),
  post: withLink(280),
  mail: withLink(2000),
})

/** Everything that the owner edits of a collection. Empty texts are not shown. */
export const CollectionInput = z.object({
  slug: z
    .string()
    .check(
      z.trim(),
      z.maxLength(60, 'Please use at most 60 characters'),
      z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Please use lower-case letters, digits and hyphens, such as biscuit'),
    ),
  state: z.enum(collectionStates),
  /** Publishes a draft or an announced collection at this time. */
  publishAt: z.nullable(z.iso.datetime({ error: 'Please enter a day and a time' })),
  inMenu: z.boolean(),
  onHome: z.boolean(),
  name: singleLineText(40, 'Please enter a name').check(
    z.refine((name) => /[\p{L}\p{N}]/u.test(name), 'Please use letters or digits'),
  ),
  displayName: singleLineText(80, 'Please enter a name'),
  petName: singleLineText(40, 'Please enter the animal’s name'),
  animal: singleLineText(60, 'Please enter what animal it is'),
  description: shortText(1, 300, 'Please write a sentence'),
  heroTitle: singleLineText(80, 'Please write a title'),
  heroSubtitle: shortText(1, 200, 'Please write a sentence'),
  hasIntro: z.boolean(),
  welcomeMessage: line(300),
  storyTitle: line(100),
  story: lines(3000),
  promises: z
    .array(
      z.object({
        figure: singleLineText(8, 'Please enter a figure'),
        text: shortText(1, 120, 'Please write a sentence'),
      }),
    )
    .check(z.maxLength(3, 'Please enter at most three')),
  beginning: line(300),
  origin: line(80),
  supportMessage: line(200),
  socialHashtag: z
    .string()
    .check(z.trim(), z.regex(/^(?:#[\p{L}\p{N}_]{1,60})?$/u, 'Please begin it with # and use no spaces')),
  channelName: line(80),
  channelUrl: webAddress,
  keywords: z
    .array(singleLineText(40, 'Please enter a word').check(z.toLowerCase()))
    .check(z.maxLength(30, 'Please use at most 30 words')),
  seoTitle: line(80),
  seoDescription: line(300),
  emailSubject: singleLineText(120, 'Please write a subject').check(
    z.refine((text) => text.includes('{orderId}'), 'Please leave {orderId} in it: the order number takes its place'),
  ),
  emailThankYouMessage: shortText(1, 300, 'Please write a sentence'),
  successMessage: shortText(1, 300, 'Please write a sentence'),
  colors: Colors,
  borderRadius: css(20),
  shadowStyle: css(300),
  gradientDirection: css(40),
  patternOverlay: css(500),
  headingFont: z.enum(headingFonts),
  hero: Picture,
  intro: Picture,
  share: Picture,
  partnerTexts: z.nullable(PartnerTexts),
})
export type CollectionInput = z.output<typeof CollectionInput>

/** A collection in the owner's list, in menu order. */
const AdminCollection = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  displayName: z.string(),
  petName: z.string(),
  state: z.enum(collectionStates),
  publishAt: z.nullable(isoMoment),
  inMenu: z.boolean(),
  onHome: z.boolean(),
  /** Products that name it, also those that are not on sale. */
  products: z.int(),
})
export type AdminCollection = z.output<typeof AdminCollection>

const OneCollection = z.object({
  id: z.string(),
  version: z.int(),
  /** As the owner entered it; `slug` is the present one. */
  collection: CollectionInput,
  state: z.enum(collectionStates),
  formerSlugs: z.array(z.string()),
  /** Latest first. */
  history: z.array(CatalogVersion),
})
export type OneCollection = z.output<typeof OneCollection>

const collectionId = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))
const ofId = z.object({ id: collectionId })
const version = z.int('Invalid input').check(z.gte(1, 'Invalid input'))
const done = z.object({ done: z.string() })
const saved = z.extend(done, { id: z.string(), slug: z.string(), version: z.int() })

export const adminCollectionCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/collections',
    access: 'open_admin',
    summary: 'Every collection, also drafts and retired ones, in menu order, with the history of that order.',
    answer: z.object({
      collections: z.array(AdminCollection),
      /** Latest version first; its changes are the names in their order. */
      order: z.object({ version: z.int(), history: z.array(CatalogVersion) }),
    }),
    refusals: [],
  }),
  one: call({
    method: 'GET',
    path: '/api/admin/collections/:id',
    access: 'read_catalog',
    summary: 'A collection with everything that the owner edits, by its id or present slug, and its history.',
    params: ofId,
    answer: OneCollection,
    refusals: ['unknown_collection'],
  }),
  create: call({
    method: 'POST',
    path: '/api/admin/collections',
    access: 'owner',
    summary: 'Creates a collection; its first slug is its id.',
    body: CollectionInput,
    answer: saved,
    refusals: ['slug_refused', 'collection_state_refused'],
  }),
  save: call({
    method: 'PUT',
    path: '/api/admin/collections/:id',
    access: 'owner',
    summary: 'Replaces what the owner edits of a collection, based on a version. A former slug keeps redirecting.',
    params: ofId,
    body: z.extend(CollectionInput, { version }),
    answer: saved,
    refusals: ['unknown_collection', 'collection_changed', 'slug_refused', 'collection_state_refused'],
  }),
  restore: call({
    method: 'POST',
    path: '/api/admin/collections/:id/restore',
    access: 'owner',
    summary: 'Saves an earlier version again; its slug and state stay as they are now.',
    params: ofId,
    body: z.object({ version, to: version }),
    answer: saved,
    refusals: ['unknown_collection', 'collection_changed', 'slug_refused', 'collection_state_refused'],
  }),
  arrange: call({
    method: 'PUT',
    path: '/api/admin/collections',
    access: 'owner',
    summary: 'Sets the order of all collections in menus and lists, based on a version of it.',
    body: z.object({ ids: z.array(collectionId).check(z.minLength(1), z.maxLength(1000)), version }),
    answer: done,
    refusals: ['collections_changed'],
  }),
  restoreOrder: call({
    method: 'POST',
    path: '/api/admin/collection-order',
    access: 'owner',
    summary: 'Sets an earlier order again; collections that are newer come last.',
    body: z.object({ version, to: version }),
    answer: done,
    refusals: ['collections_changed'],
  }),
}
