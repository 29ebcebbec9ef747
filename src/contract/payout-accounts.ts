import * as z from 'zod/mini'
import { isRoutingNumber, payoutMethods, readBic, readIban } from '#domain/partners/payout-account.ts'
import type { UserId } from '#shared/ids.ts'
import { call } from './call.ts'
import { emailAddress, isoMoment, pathId, shortText } from './wire.ts'

const holder = shortText(2, 70, 'Please enter the account holder’s name')
const digits = z.pipe(
  z.string('Required').check(z.maxLength(60, 'Invalid input')),
  z.transform((typed) => typed.replace(/[\s-]/g, '')),
)
const IBAN_SENTENCE = 'This is not a valid IBAN. Please check each digit.'
const BIC_SENTENCE = 'This is not a valid BIC'
const ROUTING_SENTENCE = 'Please check the routing number: nine digits, at the bottom left of a check'
const ACCOUNT_SENTENCE = 'An account number has 4 to 17 digits'

const iban = z
  .pipe(
    z.string('Required').check(z.minLength(1, 'Required'), z.maxLength(60, IBAN_SENTENCE)),
    z.transform((typed) => readIban(typed) ?? ''),
  )
  .check(z.minLength(1, IBAN_SENTENCE))
const bic = z.pipe(
  z.optional(
    z.nullable(
      z.string().check(
        z.maxLength(20, BIC_SENTENCE),
        z.refine((typed) => !typed.trim() || readBic(typed) !== undefined, BIC_SENTENCE),
      ),
    ),
  ),
  z.transform((typed) => readBic(typed ?? '') ?? null),
)

/** By method, so each form validates only its own fields. */
export const PayoutAccountForms = {
  iban: z.object({ method: z.literal('iban'), holder, iban, bic }),
  account: z.object({
    method: z.literal('account'),
    holder,
    routingNumber: digits.check(z.refine(isRoutingNumber, ROUTING_SENTENCE)),
    accountNumber: digits.check(z.regex(/^\d{4,17}$/, ACCOUNT_SENTENCE)),
  }),
  wallet: z.object({ method: z.literal('wallet'), holder, email: emailAddress }),
}
const PayoutAccountInput = z.discriminatedUnion('method', [
  PayoutAccountForms.iban,
  PayoutAccountForms.account,
  PayoutAccountForms.wallet,
])
type PayoutAccountInput = z.output<typeof PayoutAccountInput>

/** A partner's payout account, masked. */
const MaskedAccount = z.object({
  method: z.enum(payoutMethods),
  holder: z.string(),
  /** Such as `IBAN ending in 3000`. */
  masked: z.string(),
  changedAt: isoMoment,
})
export type MaskedAccount = z.output<typeof MaskedAccount>

export const payoutAccountCalls = {
  account: call({
    method: 'GET',
    path: '/api/partnership/payout-account',
    access: 'partner',
    summary: 'The partner’s payout account, masked.',
    answer: z.object({ account: z.nullable(MaskedAccount) }),
    refusals: [],
  }),
  change: call({
    method: 'PUT',
    path: '/api/partnership/payout-account',
    access: 'partner_fresh',
    summary: 'Sets the partner’s payout account and alerts the partner’s known emails.',
    body: PayoutAccountInput,
    answer: z.object({ account: z.nullable(MaskedAccount) }),
    refusals: [],
  }),
  whole: call({
    method: 'GET',
    path: '/api/admin/payouts/accounts/:id',
    access: 'owner_fresh',
    summary: 'A partner’s full payout account; access is logged.',
    params: z.object({ id: pathId<UserId>() }),
    answer: z.object({ facts: z.array(z.object({ name: z.string(), value: z.string() })) }),
    refusals: ['unknown_payout_account'],
  }),
  payableFile: call({
    method: 'GET',
    path: '/api/admin/payouts/payable-file',
    access: 'owner_fresh',
    summary: 'Payable balances with payout accounts, for a bank (ISO 20022 pain.001.001.09) or as CSV.',
    query: z.object({ kind: z.enum(['pain001', 'csv']) }),
    answer: z.object({ name: z.string(), type: z.string(), text: z.string() }),
    refusals: ['nothing_to_pay', 'no_paying_account'],
  }),
}
