import * as z from 'zod/mini'
import type { VariantId } from '#shared/ids.ts'
import { call } from './call.ts'
import { OrderSummary } from './checkout.ts'
import { providerPathId } from './wire.ts'

/** A quote for a country, before an address is known: its tax and total are estimated. */
export const ToDoor = z.extend(OrderSummary, {
  /** What the total does not contain, as a sentence; missing if it contains everything. */
  left: z.optional(z.string()),
  /** The total in the country's currency: `about 29 EUR, charged in US dollars`; missing without a rate of the last days. */
  about: z.optional(z.string()),
})
export type ToDoor = z.output<typeof ToDoor>

const country = z.string().check(z.regex(/^[A-Z]{2}$/, 'Please choose a country'))

const refusals = ['country_unsupported', 'country_blocked', 'provider_unavailable'] as const

export const toDoorCalls = {
  piece: call({
    method: 'GET',
    path: '/api/to-door/:country/:variant',
    access: 'anyone',
    summary: 'What one piece costs to the door of a country, and when it arrives.',
    params: z.object({ country, variant: providerPathId<VariantId>() }),
    answer: ToDoor,
    refusals: [...refusals, 'unknown_variant', 'sold_out'],
    shared: true,
  }),
  cart: call({
    method: 'GET',
    path: '/api/cart/to-door/:country',
    access: 'anyone',
    summary: 'What this session’s cart costs to the door of a country after its codes, and when it arrives.',
    params: z.object({ country }),
    answer: ToDoor,
    refusals: [...refusals, 'cart_empty', 'unknown_variant', 'sold_out'],
  }),
}
