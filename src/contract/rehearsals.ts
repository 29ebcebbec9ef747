import * as z from 'zod/mini'
import { RATE_MAX } from '#domain/partners/rates.ts'
import type { ProductId, UserId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { codeLimits, codeRule } from './admin-codes.ts'
import { Surcharge } from './admin-products.ts'
import { call } from './call.ts'
import { branded, centsAnswer, isoMoment, wireRowId } from './wire.ts'

const PRICE = 'Please enter a price, such as 34.95'
const RATE = 'A rate is from 0% to 15%'

/** What the owner thinks of changing, as the form that would save it has it. */
export const RehearsedChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('price'),
    prices: z
      .array(
        z.object({
          variantId: branded<VariantId>(),
          to: branded<Cents>(z.int(PRICE).check(z.gte(1, PRICE), z.lte(1_000_000, 'Please enter at most $10,000'))),
        }),
      )
      .check(z.minLength(1, 'Please change a price first'), z.maxLength(1000)),
  }),
  /** Also an automatic discount: everybody who could use it did. */
  z.object({ kind: z.literal('code'), ...codeRule, ...codeLimits }),
  z.object({
    kind: z.literal('commission'),
    partnerId: wireRowId<UserId>(),
    /** Null: every product without a rate of its own. */
    productId: z.nullable(wireRowId<ProductId>('Please choose a product')),
    /** In basis points. */
    rate: z.int(RATE).check(z.gte(0, RATE), z.lte(RATE_MAX, RATE)),
  }),
  z.object({ kind: z.literal('shipping'), paidBy: z.enum(['environment', 'free', 'partner']) }),
  z.object({ kind: z.literal('surcharge'), productId: wireRowId<ProductId>(), surcharge: z.nullable(Surcharge) }),
])
export type RehearsedChange = z.output<typeof RehearsedChange>

const figures = { total: centsAnswer, tax: centsAnswer, commission: centsAnswer }
const SaleFigures = z.object({ ...figures, profit: z.nullable(centsAnswer) })
const SumFigures = z.object({ ...figures, profit: centsAnswer, belowFloor: z.int() })

const Sums = z.object({
  sales: z.int(),
  /** Those that the change concerns. */
  changed: z.int(),
  /** Their profit is unknown, so it is in no sum. */
  unknown: z.int(),
  before: SumFigures,
  after: SumFigures,
})

const RehearsedOrder = z.object({
  orderNumber: z.string(),
  placedAt: isoMoment,
  /** Its name. */
  country: z.string(),
  before: SaleFigures,
  after: SaleFigures,
})
export type RehearsedOrder = z.output<typeof RehearsedOrder>

export const Rehearsal = z.object({
  /** What would change, in a few words. */
  about: z.string(),
  /** Days of the shop's time zone, both included. */
  from: z.string(),
  to: z.string(),
  floor: centsAnswer,
  orders: Sums,
  /** Payments that were started in these days and not paid. */
  unpaid: Sums,
  /** Carts of these days without a payment, at today's prices. */
  carts: z.object({ carts: z.int(), before: centsAnswer, after: centsAnswer }),
  /** A page of the orders that the change concerns, oldest first. */
  rows: z.array(RehearsedOrder),
  hasMore: z.boolean(),
})
export type Rehearsal = z.output<typeof Rehearsal>

export const rehearsalCalls = {
  rehearse: call({
    method: 'POST',
    path: '/api/admin/rehearsals',
    access: 'owner',
    summary:
      'What the sales of the last 90 days would have been under another price, code, share or shipping rule. Nothing is saved.',
    body: z.object({
      change: RehearsedChange,
      /** From 1. */
      page: z._default(z.int().check(z.gte(1), z.lte(100_000)), 1),
    }),
    answer: Rehearsal,
    refusals: ['unknown_product', 'unknown_variant', 'unknown_partner'],
  }),
  workbook: call({
    method: 'POST',
    path: '/api/admin/rehearsals/workbook',
    access: 'owner',
    summary: 'The same with every order, as a workbook.',
    body: z.object({ change: RehearsedChange }),
    answer: 'file',
    refusals: ['unknown_product', 'unknown_variant', 'unknown_partner'],
  }),
}
