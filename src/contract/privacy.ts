import * as z from 'zod/mini'
import { call } from './call.ts'
import { emailAddress } from './wire.ts'

/** How much data there is about a person, by type. */
export const PersonalDataCounts = z.object({
  orders: z.int(),
  /** Those still in production, in transit or disputed. */
  ordersUnderWay: z.int(),
  /** Of a former shop. */
  pastOrders: z.int(),
  checkouts: z.int(),
  /** Those being paid. */
  checkoutsUnderWay: z.int(),
  mails: z.int(),
  messages: z.int(),
  subscriptions: z.int(),
  /** The user with this verified email. */
  accounts: z.int(),
})
export type PersonalDataCounts = z.output<typeof PersonalDataCounts>

const TOKEN_MAX = 100
const token = z.string().check(z.minLength(1), z.maxLength(TOKEN_MAX))

export const PersonalDataQuery = z.object({ email: emailAddress })
export const ErasureRequest = z.object({
  email: emailAddress,
  /** The same email again, typed by hand. */
  repeated: z.string('Required').check(z.trim()),
})

export type ErasureRequest = z.output<typeof ErasureRequest>

const done = z.object({ done: z.string() })

/** For the owner. Emails go in bodies, never in URLs, which others log. */
export const adminPrivacyCalls = {
  look: call({
    method: 'POST',
    path: '/api/admin/privacy/look',
    access: 'owner',
    summary: 'Counts the data about a person, by email.',
    body: PersonalDataQuery,
    answer: PersonalDataCounts,
    refusals: [],
  }),
  exportAll: call({
    method: 'POST',
    path: '/api/admin/privacy/export',
    access: 'owner_fresh',
    summary: 'All data about a person, by email: JSON, photos as WebP in base64.',
    body: PersonalDataQuery,
    answer: 'file',
    refusals: [],
  }),
  erase: call({
    method: 'POST',
    path: '/api/admin/privacy/erase',
    access: 'owner_fresh',
    summary:
      'Erases a person permanently; amounts, products, tax and the outward postal code stay. Open orders are erased once they are done.',
    body: ErasureRequest,
    answer: done,
    refusals: ['owner_not_erased'],
  }),
}

/** For everybody: an emailed link proves ownership. */
export const privacyCalls = {
  ask: call({
    method: 'POST',
    path: '/api/my-data',
    access: 'anyone',
    summary: 'Emails a link to the data about an email, if any; the answer is always the same.',
    body: PersonalDataQuery,
    answer: z.object({ success: z.literal(true) }),
    refusals: ['too_many'],
  }),
  look: call({
    method: 'POST',
    path: '/api/my-data/look',
    access: 'anyone',
    summary: 'Counts the data about the link’s owner.',
    body: z.object({ token }),
    answer: z.extend(PersonalDataCounts, { email: z.string() }),
    refusals: ['data_link_expired'],
  }),
  exportAll: call({
    method: 'POST',
    path: '/api/my-data/export',
    access: 'anyone',
    summary: 'All data about the link’s owner: JSON, photos as WebP in base64.',
    body: z.object({ token }),
    answer: 'file',
    refusals: ['data_link_expired'],
  }),
  erase: call({
    method: 'POST',
    path: '/api/my-data/erase',
    access: 'anyone',
    summary: 'Erases the link’s owner.',
    body: z.object({ token }),
    answer: done,
    refusals: ['data_link_expired', 'owner_not_erased'],
  }),
}
