import * as z from 'zod/mini'
import { call } from './call.ts'
import { centsAnswer } from './wire.ts'

/** The words on pages that the owner can change. */
export const ShopContent = z.object({
  banner: z.string(),
  /** Collections that are announced before they exist. */
  upcoming: z.array(z.object({ title: z.string(), text: z.string() })),
})
export type ShopContent = z.output<typeof ShopContent>

const ShippingTerms = z.object({
  /** But for the surcharges the shop pays the carrier. */
  isFree: z.boolean(),
  surcharges: z.array(
    z.object({
      /** For each piece. */
      amount: centsAnswer,
      countries: z.array(z.string()),
      products: z.string(),
      piece: z.string(),
      pieces: z.string(),
    }),
  ),
})

/** Public values only: what a browser needs to reach the payment providers, and what kind of shop this is. */
export const PublicConfig = z.object({
  stripe: z.object({
    publishableKey: z.string(),
    scriptUrl: z.string(),
    /** Where the script talks to, when it is not the provider's own address. */
    apiBase: z.optional(z.string()),
  }),
  paypal: z.object({ clientId: z.string(), scriptUrl: z.string() }),
  /** No real money: pages carry the ribbon. */
  sandbox: z.boolean(),
  /** Where the ribbon leads: caught mail, and the sheet of test cards. */
  sandboxLinks: z.nullable(z.object({ mailbox: z.string(), cards: z.string() })),
  content: ShopContent,
  /** What shipping costs, in the figures that are charged; null while they cannot be read. */
  shipping: z.nullable(ShippingTerms),
  /** Whether `GET /api/products` is all that is sold; otherwise it is the first page, and pages ask for what they show. */
  wholeCatalog: z.boolean(),
})
export type PublicConfig = z.output<typeof PublicConfig>

export const publicConfigCalls = {
  read: call({
    method: 'GET',
    path: '/api/config',
    access: 'anyone',
    summary: 'Public keys and flags for the browser.',
    answer: PublicConfig,
    refusals: [],
    shared: true,
  }),
}
