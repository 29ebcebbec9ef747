import * as z from 'zod/mini'
import { call } from './call.ts'
import { shortText } from './wire.ts'

const CollectionPicture = z.object({
  file: z.string(),
  widths: z.array(z.int()),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
})

/** One as the owner chooses it. */
export const PictureInput = z.extend(CollectionPicture, {
  file: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,119}$/)),
  widths: z.array(z.int().check(z.gte(1), z.lte(10_000))).check(z.minLength(1), z.maxLength(10)),
  width: z.int().check(z.gte(1), z.lte(10_000)),
  height: z.int().check(z.gte(1), z.lte(10_000)),
  alt: shortText(3, 250, 'Please describe what the picture shows'),
})

/** What pages that introduce collections show of each. */
export const CollectionCard = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  displayName: z.string(),
  petName: z.string(),
  description: z.string(),
  isComingSoon: z.boolean(),
  inMenu: z.boolean(),
  onHome: z.boolean(),
  origin: z.string(),
  hero: z.nullable(CollectionPicture),
  share: z.nullable(CollectionPicture),
})
export type CollectionCard = z.output<typeof CollectionCard>

/** What a collection's own page shows besides. */
export const CollectionView = z.extend(CollectionCard, {
  heroTitle: z.string(),
  heroSubtitle: z.string(),
  welcomeMessage: z.string(),
  channelName: z.string(),
  channelUrl: z.string(),
  socialHashtag: z.string(),
  story: z.string(),
  storyTitle: z.string(),
  promises: z.array(z.object({ figure: z.string(), text: z.string() })),
  beginning: z.string(),
  seoTitle: z.string(),
  seoDescription: z.string(),
  hasIntro: z.boolean(),
  intro: z.nullable(CollectionPicture),
})
export type CollectionView = z.output<typeof CollectionView>

export const collectionCalls = {
  list: call({
    method: 'GET',
    path: '/api/collections',
    access: 'anyone',
    summary: 'The collections that shoppers see, in menu order, and the picture at the head of the home page.',
    answer: z.object({ collections: z.array(CollectionCard), openingPicture: CollectionPicture }),
    refusals: [],
    shared: true,
  }),
  read: call({
    method: 'GET',
    path: '/api/collections/:word',
    access: 'anyone',
    summary:
      'A collection by its slug, a former slug or the word of its short address; `movedTo` is the path that replaces an old address.',
    params: z.object({ word: z.string().check(z.maxLength(100)) }),
    answer: z.object({ collection: z.nullable(CollectionView), movedTo: z.nullable(z.string()) }),
    refusals: ['unknown_collection'],
    shared: true,
  }),
}
