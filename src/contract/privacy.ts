import * as z from 'zod/mini'
import { call } from './call.ts'
import { emailAddress } from './wire.ts'

/** How much there is of somebody, by what it is. */
export const PersonalDataCounts = z.object({
  orders: z.int(),
  /** Of them, those that are still being made, sent or disputed. */
  ordersUnderWay: z.int(),
  checkouts: z.int(),
  /** Of them, those that are being paid. */
  checkoutsUnderWay: z.int(),
  mails: z.int(),
  messages: z.int(),
  chats: z.int(),
  subscriptions: z.int(),
  /** Of a user whose proven email it is. */
  accounts: z.int(),
})
export type PersonalDataCounts = z.output<typeof PersonalDataCounts>

/** All that we have about somebody, as a file for them: its form is documented by itself. */
const Everything = z.record(z.string(), z.unknown())

const TOKEN_MAX = 100
const token = z.string().check(z.minLength(1), z.maxLength(TOKEN_MAX))

export const PersonalDataQuery = z.object({ email: emailAddress })
export const ErasureRequest = z.object({
  email: emailAddress,
  /** The same again, typed by hand. */
  repeated: z.string('Required').check(z.trim()),
})

export type ErasureRequest = z.output<typeof ErasureRequest>

const done = z.object({ done: z.string() })

/** For the owner. The email stands in bodies, never in addresses, which others write down. */
export const adminPrivacyCalls = {
  look: call({
    method: 'POST',
    path: '/api/admin/privacy/look',
    access: 'owner',
    summary: 'How much there is of somebody, by email.',
    body: PersonalDataQuery,
    answer: PersonalDataCounts,
    refusals: [],
  }),
  exportAll: call({
    method: 'POST',
    path: '/api/admin/privacy/export',
    access: 'owner_fresh',
    summary: 'All that there is of somebody, by email.',
    body: PersonalDataQuery,
    answer: Everything,
    refusals: [],
  }),
  erase: call({
    method: 'POST',
    path: '/api/admin/privacy/erase',
    access: 'owner_fresh',
    summary:
      'Erases somebody for good; amounts, goods, tax and the postal code’s outer part stay. What is under way is erased once it is done.',
    body: ErasureRequest,
    answer: done,
    refusals: ['owner_not_erased'],
  }),
}

/** For everybody: a mailed link shows that an email is theirs. */
export const privacyCalls = {
  ask: call({
    method: 'POST',
    path: '/api/my-data',
    access: 'anyone',
    summary: 'Mails a link to what we have about an email, if there is anything; the answer is always the same.',
    body: PersonalDataQuery,
    answer: z.object({ success: z.literal(true) }),
    refusals: ['too_many'],
  }),
  look: call({
    method: 'POST',
    path: '/api/my-data/look',
    access: 'anyone',
    summary: 'How much there is of whoever has the link.',
    body: z.object({ token }),
    answer: z.extend(PersonalDataCounts, { email: z.string() }),
    refusals: ['data_link_expired'],
  }),
  exportAll: call({
    method: 'POST',
    path: '/api/my-data/export',
    access: 'anyone',
    summary: 'All that there is of whoever has the link.',
    body: z.object({ token }),
    answer: Everything,
    refusals: ['data_link_expired'],
  }),
  erase: call({
    method: 'POST',
    path: '/api/my-data/erase',
    access: 'anyone',
    summary: 'Erases whoever has the link.',
    body: z.object({ token }),
    answer: done,
    refusals: ['data_link_expired', 'owner_not_erased'],
  }),
}
