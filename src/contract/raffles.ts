import * as z from 'zod/mini'
import { raffleStates } from '#domain/raffles/raffle.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { call } from './call.ts'
import { CorrectedAddress } from './orders.ts'
import { branded, emailAddress, isoMoment, multilineText, pathId, singleLineText, wireRowId } from './wire.ts'

const slug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Please use small letters, digits and hyphens'), z.maxLength(60))
const bySlug = z.object({ slug })
const token = z.string().check(z.minLength(1), z.maxLength(100))
const state = z.enum(raffleStates)
const done = z.object({ done: z.string() })

export const RaffleEntryForm = z.object({
  email: emailAddress,
  country: z.string('Please choose your country').check(z.regex(/^[A-Z]{2}$/, 'Please choose your country')),
  /** Checked, not stored. */
  bornOn: z
    .string('Please enter your date of birth')
    .check(z.refine((text) => dayFromIso(text) !== undefined, 'Please enter your date of birth')),
  /** The tick: agrees to the rules, and is not one of those who are excluded. */
  agrees: z.literal('yes', 'Please confirm that you may take part'),
})
export type RaffleEntryForm = z.output<typeof RaffleEntryForm>

const Beacon = z.object({
  chainHash: z.string(),
  publicKey: z.string(),
  genesisTime: z.int(),
  period: z.int(),
  round: z.int(),
})

/** What everybody sees of a raffle. */
export const RaffleView = z.object({
  slug: z.string(),
  title: z.string(),
  words: z.string(),
  state,
  /** Open, and between start and end. */
  isOpen: z.boolean(),
  startsAt: isoMoment,
  endsAt: isoMoment,
  drawAt: isoMoment,
  ageMin: z.int(),
  claimDays: z.int(),
  countries: z.array(z.string()),
  prize: z.object({ name: z.string(), productId: branded<ProductId>(), image: z.nullable(z.string()) }),
  beacon: z.nullable(Beacon),
  entriesHash: z.nullable(z.string()),
  entryCount: z.nullable(z.int()),
  /** Oldest first; the last one is the winner unless it lapsed. */
  winners: z.array(
    z.object({ commitment: z.string(), drawnAt: isoMoment, isLapsed: z.boolean(), isClaimed: z.boolean() }),
  ),
})
export type RaffleView = z.output<typeof RaffleView>

/** An entry, for everybody who has its link. */
export const RaffleEntryView = z.object({
  raffle: RaffleView,
  email: z.string(),
  country: z.string(),
  isConfirmed: z.boolean(),
  /** The secret part of its commitment; null before it is confirmed. */
  code: z.nullable(z.string()),
  /** Null before the entries are frozen. */
  commitment: z.nullable(z.string()),
  prize: z.nullable(
    z.object({
      claimUntil: isoMoment,
      isClaimed: z.boolean(),
      variants: z.array(z.object({ id: branded<VariantId>(), name: z.string() })),
    }),
  ),
})
export type RaffleEntryView = z.output<typeof RaffleEntryView>

const ByToken = z.object({ token })

export const raffleCalls = {
  show: call({
    method: 'GET',
    path: '/api/raffles/:slug',
    access: 'anyone',
    summary:
      'A raffle that was announced: dates, rules, and once it ended, the hash of its entries and the winners’ commitments.',
    params: bySlug,
    answer: RaffleView,
    refusals: ['unknown_raffle'],
  }),
  enter: call({
    method: 'POST',
    path: '/api/raffles/:slug/entries',
    access: 'anyone',
    summary:
      'Enters a raffle; counts once the emailed link is confirmed. One entry a person: the answer is the same for somebody who has entered already.',
    params: bySlug,
    body: RaffleEntryForm,
    answer: done,
    refusals: ['unknown_raffle', 'raffle_not_open', 'raffle_country', 'raffle_age'],
  }),
  entry: call({
    method: 'GET',
    path: '/api/raffle-entry',
    access: 'anyone',
    summary: 'The entry that an emailed link belongs to.',
    query: ByToken,
    answer: RaffleEntryView,
    refusals: ['unknown_raffle_entry'],
  }),
  confirm: call({
    method: 'POST',
    path: '/api/raffle-entry/confirm',
    access: 'anyone',
    summary: 'Confirms an entry until the raffle ends. Idempotent.',
    body: ByToken,
    answer: done,
    refusals: ['unknown_raffle_entry', 'raffle_not_open', 'raffle_entered'],
  }),
  withdraw: call({
    method: 'POST',
    path: '/api/raffle-entry/withdraw',
    access: 'anyone',
    summary:
      'Withdraws an entry and deletes its data. After the end, its commitment stays in the list, and the draw passes over it.',
    body: ByToken,
    answer: done,
    refusals: ['unknown_raffle_entry', 'raffle_prize_claimed'],
  }),
  claim: call({
    method: 'POST',
    path: '/api/raffle-entry/claim',
    access: 'anyone',
    summary: 'The winner claims the prize: it becomes an order without a payment. Idempotent.',
    body: z.extend(CorrectedAddress, { token, variantId: branded<VariantId>(z.int('Please choose')) }),
    answer: z.object({ done: z.string(), orderNumber: z.string() }),
    refusals: [
      ...(['unknown_raffle_entry', 'raffle_not_won', 'raffle_claim_over', 'raffle_country'] as const),
      ...(['country_unsupported', 'country_blocked', 'unknown_variant', 'sold_out'] as const),
    ],
  }),
}

const moment = z
  .string('Please enter a day and time')
  .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'Please enter a day and time'))

export const NewRaffle = z.object({
  slug,
  title: singleLineText(80, 'Please enter a title'),
  words: multilineText(1, 2000, 'Please say what can be won, and why'),
  productId: wireRowId<ProductId>('Please choose the prize'),
  startsAt: moment,
  endsAt: moment,
  /** Days after the end: within those of the rules. */
  drawAfterDays: z.int('Please enter a whole number'),
  /** Empty: every country the shop ships to. */
  countries: z
    .array(z.string().check(z.regex(/^[A-Z]{2}$/, 'Please enter two-letter codes of countries')))
    .check(z.maxLength(300)),
})
export type NewRaffle = z.output<typeof NewRaffle>

export const AdminRaffle = z.extend(RaffleView, {
  id: z.int(),
  /** Confirmed so far. */
  entries: z.int(),
  orderNumber: z.nullable(z.string()),
  claimUntil: z.nullable(isoMoment),
  erasedAt: z.nullable(isoMoment),
})
export type AdminRaffle = z.output<typeof AdminRaffle>

const byId = z.object({ id: pathId<number>() })

export const adminRaffleCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/raffles',
    access: 'owner',
    summary: 'The newest 100 raffles, and what a new one can have as a prize.',
    answer: z.object({
      raffles: z.array(AdminRaffle),
      prizes: z.array(z.object({ id: branded<ProductId>(), name: z.string() })),
      /** From the rules: days between the end and the draw. */
      drawDays: z.object({ from: z.int(), to: z.int() }),
    }),
    refusals: [],
  }),
  make: call({
    method: 'POST',
    path: '/api/admin/raffles',
    access: 'owner',
    summary: 'Makes a draft of a raffle.',
    body: NewRaffle,
    answer: done,
    refusals: ['raffle_slug_taken', 'unknown_product'],
  }),
  announce: call({
    method: 'POST',
    path: '/api/admin/raffles/:id/announce',
    access: 'owner',
    summary:
      'Publishes a raffle with the round of the beacon that will decide it. From then on nothing about it can be changed.',
    params: byId,
    answer: done,
    refusals: ['unknown_raffle', 'raffle_state'],
  }),
  close: call({
    method: 'POST',
    path: '/api/admin/raffles/:id/close',
    access: 'owner',
    summary: 'Calls a raffle off before it is drawn, and deletes its entries.',
    params: byId,
    answer: done,
    refusals: ['unknown_raffle', 'raffle_state'],
  }),
}
