import * as z from 'zod/mini'
import { call } from './call.ts'
import { isoMoment, pathId } from './wire.ts'

const Facts = z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))

/** One thing that the owner did. */
export const AuditLogEntry = z.object({
  id: z.int(),
  who: z.string(),
  /** The internet address; empty for a command on the shop's machine. */
  address: z.string(),
  what: z.string(),
  about: z.object({ kind: z.string(), id: z.string() }),
  before: Facts,
  after: Facts,
  at: isoMoment,
})
export type AuditLogEntry = z.output<typeof AuditLogEntry>

/** How much of each kind waits for somebody of the shop. */
export const ToDoCounts = z.object({
  exceptions: z.int(),
  /** The same, by what they are; the most frequent first. */
  exceptionKinds: z.array(z.object({ title: z.string(), count: z.int() })),
  messages: z.int(),
  chats: z.int(),
  applications: z.int(),
  calls: z.int(),
  changes: z.int(),
  /** People who are erased once nothing of theirs is under way: nothing has to be done. */
  erasures: z.int(),
})
export type ToDoCounts = z.output<typeof ToDoCounts>

/** Calls about the shop itself that belong to no other area. */
export const adminCalls = {
  home: call({
    method: 'GET',
    path: '/api/admin',
    access: 'owner',
    summary: 'How much waits for somebody of the shop.',
    answer: ToDoCounts,
    refusals: [],
  }),
  log: call({
    method: 'GET',
    path: '/api/admin/log',
    access: 'owner',
    summary: 'What the owner did, the latest first; `older` is the id after which a page goes on.',
    query: z.object({ older: z.optional(pathId<number>()) }),
    answer: z.object({ actions: z.array(AuditLogEntry), hasMore: z.boolean() }),
    refusals: [],
  }),
  /** For the doctor: whether an address leads to this shop and to no other of its kind. */
  addressProof: call({
    method: 'GET',
    path: '/api/address-proof/:question',
    access: 'anyone',
    summary: 'The answer that the doctor of a shop on the same database has just left for this question.',
    params: z.object({ question: z.string().check(z.regex(/^[0-9a-f]{32}$/)) }),
    answer: z.object({ answer: z.string() }),
    refusals: ['unknown_call'],
  }),
}
