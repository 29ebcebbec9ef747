import * as z from 'zod/mini'
import { isCodeWord } from '#domain/codes/code.ts'
import { CODE, codeRule, codeStatus } from './admin-codes.ts'
import { call } from './call.ts'
import { centsAnswer, pathId, singleLineText } from './wire.ts'

const PERCENT = 'Please enter a whole percentage, such as 10'

/** A code that a partner makes. */
export const NewPartnerCode = z.object({
  code: singleLineText(40, 'Please enter a code').check(z.refine(isCodeWord, CODE)),
  percent: z.int(PERCENT).check(z.gte(1, PERCENT), z.lte(100, PERCENT)),
})
export type NewPartnerCode = z.output<typeof NewPartnerCode>

const PartnerCodes = z.object({
  /** The owner's bounds. `percentMax` of 0: partners make no codes. */
  percentMax: z.int(),
  activeMax: z.int(),
  /** Of those the partner made. */
  active: z.int(),
  /** Newest first, also those that the owner made for this partner. */
  codes: z.array(
    z.object({
      id: z.int(),
      code: z.string(),
      /** A link to the shop that applies it. */
      address: z.string(),
      benefit: codeRule.benefit,
      status: codeStatus,
      /** The partner made it, and may end it. */
      isOwn: z.boolean(),
      orders: z.int(),
      /** Commission, less what refunds took back. */
      earned: centsAnswer,
    }),
  ),
})
export type PartnerCodes = z.output<typeof PartnerCodes>

export const partnerCodeCalls = {
  list: call({
    method: 'GET',
    path: '/api/partnership/codes',
    access: 'partner',
    summary: 'The partner’s codes with what they earned, and the owner’s bounds for new ones.',
    answer: PartnerCodes,
    refusals: [],
  }),
  make: call({
    method: 'POST',
    path: '/api/partnership/codes',
    access: 'partner',
    summary: 'Makes a code within the owner’s bounds. Orders with it are the partner’s, whatever link came before.',
    body: NewPartnerCode,
    answer: PartnerCodes,
    refusals: ['code_taken', 'no_own_codes', 'too_many_codes'],
  }),
  end: call({
    method: 'POST',
    path: '/api/partnership/codes/:id/end',
    access: 'partner',
    summary: 'Ends a code that the partner made, for good. Payments that were started with it keep their price.',
    params: z.object({ id: pathId<number>() }),
    answer: PartnerCodes,
    refusals: ['unknown_code'],
  }),
}
