import * as z from 'zod/mini'
import { isCodeWord } from '#domain/codes/code.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import type { ProductId, UserId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { branded, centsAnswer, isoMoment, pathId, singleLineText, wireRowId } from './wire.ts'

const PERCENT = 'Please enter a percentage from 1 to 100'
const AMOUNT = 'Please enter an amount, such as 5.00'
const PIECES = 'Please enter a number of pieces from 1 to 99'
const TIERS = 'Please enter numbers of pieces with their percentage, such as 3: 10, 6: 15'
const USES = 'Please enter a whole number, or nothing'
const amount = (least: number) =>
  branded<Cents>(z.int(AMOUNT).check(z.gte(least, AMOUNT), z.lte(1_000_000, 'Please enter at most $10,000')))
const basisPoints = z.int(PERCENT).check(z.gte(100, PERCENT), z.lte(10_000, PERCENT))
const pieces = z.int(PIECES).check(z.gte(1, PIECES), z.lte(99, PIECES))
const uses = z._default(z.nullable(z.int(USES).check(z.gte(1, USES), z.lte(1_000_000, USES))), null)
const day = z._default(
  z.nullable(z.string().check(z.refine((text) => dayFromIso(text) !== undefined, 'Please enter a day'))),
  null,
)
const names = z._default(z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(50)), [])

const Benefit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('percent'), basisPoints }),
  z.object({ kind: z.literal('amount'), amount: amount(1) }),
  z.object({ kind: z.literal('buy_get'), buy: pieces, get: pieces }),
  z.object({
    kind: z.literal('tiers'),
    tiers: z
      .array(z.object({ pieces, basisPoints }))
      .check(z.minLength(1, TIERS), z.maxLength(10, 'Please enter at most 10 steps')),
  }),
  z.object({ kind: z.literal('shipping') }),
])

/** What a code does, as an owner enters it. */
export const codeRule = {
  benefit: Benefit,
  products: z._default(z.array(wireRowId<ProductId>()).check(z.maxLength(50)), []),
  types: names,
  collections: names,
  minimum: z._default(amount(0), 0 as Cents),
  isFirstOrderOnly: z._default(z.boolean(), false),
  combines: z._default(z.boolean(), false),
}

export const codeLimits = { usesMax: uses, usesMaxPerPerson: uses }

/** What is wrong with a word that can’t be a code. */
export const CODE = 'Please use 3 to 24 letters, digits and hyphens'
const [PARTNER, NAMED] = ['Only a code can be a partner’s', 'Please enter a name, such as Three mugs']

export const NewCode = z
  .object({
    /** Of an automatic discount, the name that shoppers see. */
    code: singleLineText(40, 'Please enter a code'),
    isAutomatic: z._default(z.boolean(), false),
    /** Whose sale it makes an order. */
    partnerId: z._default(z.nullable(wireRowId<UserId>()), null),
    ...codeRule,
    /** Days of the shop's time zone, first and last, such as `2026-12-01`. */
    startsOn: day,
    endsOn: day,
    ...codeLimits,
  })
  .check(
    z.refine(({ isAutomatic, code }) => isAutomatic || isCodeWord(code), {
      error: CODE,
      path: ['code'],
    }),
    z.refine(({ isAutomatic, code }) => !isAutomatic || code.length >= 3, { error: NAMED, path: ['code'] }),
    z.refine(({ isAutomatic, partnerId }) => !isAutomatic || partnerId === null, {
      error: PARTNER,
      path: ['partnerId'],
    }),
  )
export type NewCode = z.output<typeof NewCode>

export const codeStatus = z.enum(['active', 'scheduled', 'used_up', 'ended'])

export const AdminCode = z.object({
  id: z.int(),
  code: z.string(),
  isAutomatic: z.boolean(),
  isMadeByPartner: z.boolean(),
  status: codeStatus,
  rule: z.object({ ...codeRule, products: z.array(branded<ProductId>()) }),
  startsAt: z.nullable(isoMoment),
  /** The first moment after it. */
  endsAt: z.nullable(isoMoment),
  usesMax: z.nullable(z.int()),
  usesMaxPerPerson: z.nullable(z.int()),
  /** Also of payments that were only started. */
  uses: z.int(),
  createdAt: isoMoment,
})
export type AdminCode = z.output<typeof AdminCode>

export const adminCodeCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/codes',
    access: 'read_catalog',
    summary: 'The newest 500 codes with their paid orders, and what they can be for.',
    answer: z.object({
      codes: z.array(
        z.extend(AdminCode, {
          /** Whose sale it makes an order. */
          partner: z.nullable(z.string()),
          orders: z.int(),
          /** What it took off the goods of those orders. */
          off: centsAnswer,
          /** Their totals. */
          sales: centsAnswer,
        }),
      ),
      choices: z.object({
        types: z.array(z.object({ key: z.string(), name: z.string() })),
        collections: z.array(z.object({ id: z.string(), name: z.string() })),
        partners: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    }),
    refusals: [],
  }),
  make: call({
    method: 'POST',
    path: '/api/admin/codes',
    access: 'owner',
    summary: 'Makes a code or an automatic discount.',
    query: Acceptance,
    body: NewCode,
    answer: z.object({ done: z.string() }),
    refusals: ['code_taken', 'below_floor'],
  }),
  end: call({
    method: 'POST',
    path: '/api/admin/codes/:id/end',
    access: 'owner',
    summary: 'Ends a code for good. Payments that were started with it keep their price.',
    params: z.object({ id: pathId<number>() }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_code'],
  }),
}
