import * as z from 'zod/mini'
import { call } from './call.ts'
import { ChangedSettings } from './settings.ts'
import { centsAnswer } from './wire.ts'

const ShippingTerms = z.object({
  /** The shop pays the carrier, except for surcharges. */
  isFree: z.boolean(),
  surcharges: z.array(
    z.object({
      /** Per piece. */
      amount: centsAnswer,
      countries: z.array(z.string()),
      products: z.string(),
      piece: z.string(),
      pieces: z.string(),
    }),
  ),
})

/** What every page needs of the collections that shoppers see, in menu order. */
const CollectionLink = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  displayName: z.string(),
  petName: z.string(),
  isComingSoon: z.boolean(),
  inMenu: z.boolean(),
})
export type CollectionLink = z.output<typeof CollectionLink>

/** Public values only: how to reach the payment providers, and the shop's mode. */
export const PublicConfig = z.object({
  stripe: z.object({
    publishableKey: z.string(),
    scriptUrl: z.string(),
    /** The API the script calls, if not the provider's default. */
    apiBase: z.optional(z.string()),
  }),
  paypal: z.object({ clientId: z.string(), scriptUrl: z.string() }),
  /** No real money: pages show the ribbon. */
  sandbox: z.boolean(),
  /** How far a sandbox's clock is ahead of the machine's and so of a browser's, in milliseconds; left out where they agree. */
  aheadMs: z.optional(z.number()),
  /** The ribbon's links: caught emails and test cards. */
  sandboxLinks: z.nullable(z.object({ mailbox: z.string(), cards: z.string() })),
  /** The banner of every page, and announced collections that do not exist yet. */
  content: z.object({
    banner: z.string(),
    upcoming: z.array(z.object({ title: z.string(), text: z.string() })),
  }),
  /** Where the owner's settings differ from the defaults. */
  site: ChangedSettings,
  collections: z.array(CollectionLink),
  /** The path of the style sheet with their colors. */
  themeSheet: z.string(),
  /** Shipping terms with the charged figures; null if they could not be read. */
  shipping: z.nullable(ShippingTerms),
})
export type PublicConfig = z.output<typeof PublicConfig>

export const publicConfigCalls = {
  read: call({
    method: 'GET',
    path: '/api/config',
    access: 'anyone',
    summary: 'Public keys and settings for the browser.',
    answer: PublicConfig,
    refusals: [],
    shared: true,
  }),
}
