import * as z from 'zod/mini'
import { staffRoles } from '#domain/accounts/roles.ts'
import { call } from './call.ts'
import { isoMoment, pathId } from './wire.ts'

const Facts = z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))

/** One action of the owner. */
export const AuditLogEntry = z.object({
  id: z.int(),
  who: z.string(),
  /** Then; null for a command, and before there were roles. */
  role: z.nullable(z.enum(staffRoles)),
  /** The IP address; empty for a command on the shop's machine. */
  address: z.string(),
  what: z.string(),
  about: z.object({ kind: z.string(), id: z.string() }),
  before: Facts,
  after: Facts,
  at: isoMoment,
})
export type AuditLogEntry = z.output<typeof AuditLogEntry>

/** How many items of each kind need attention. */
export const ToDoCounts = z.object({
  exceptions: z.int(),
  /** The same by type, most frequent first. */
  exceptionKinds: z.array(z.object({ title: z.string(), count: z.int() })),
  messages: z.int(),
  applications: z.int(),
  calls: z.int(),
  /** Claims and withdrawals. */
  claims: z.int(),
  changes: z.int(),
  /** Paid orders that do not go on until the owner releases them. */
  heldOrders: z.int(),
  /** Not shown to shoppers yet. */
  reviews: z.int(),
  /** People to be erased once their orders are done; no action needed. */
  erasures: z.int(),
})
export type ToDoCounts = z.output<typeof ToDoCounts>

/** Calls about the shop itself that belong to no other area. */
export const adminCalls = {
  home: call({
    method: 'GET',
    path: '/api/admin',
    access: 'open_admin',
    summary: 'How many items need attention.',
    answer: ToDoCounts,
    refusals: [],
  }),
  log: call({
    method: 'GET',
    path: '/api/admin/log',
    access: 'read_log',
    summary: 'The owner’s actions, latest first; `older` continues after this id.',
    query: z.object({ older: z.optional(pathId<number>()) }),
    answer: z.object({ actions: z.array(AuditLogEntry), hasMore: z.boolean() }),
    refusals: [],
  }),
  /** For the doctor: whether a URL leads to this very shop. */
  addressProof: call({
    method: 'GET',
    path: '/api/address-proof/:question',
    access: 'anyone',
    summary: 'The answer stored for this question by the doctor of a shop on the same database.',
    params: z.object({ question: z.string().check(z.regex(/^[0-9a-f]{32}$/)) }),
    answer: z.object({ answer: z.string() }),
    refusals: ['unknown_call'],
  }),
}
