import * as z from 'zod/mini'
import { call } from './call.ts'
import { queuePage, queueQuery } from './queue-page.ts'
import { multilineText, isoMoment, optionalEmail, optionalLine, pathId, shortText } from './wire.ts'

/** The program's offer (specification, section 3, Partnership details). */
const PartnershipDetails = z.object({
  title: z.string(),
  description: z.string(),
  wholesaleDiscount: z.string(),
  marketingSupport: z.string(),
  exclusiveProducts: z.string(),
  revenueShare: z.string(),
})

const Proposal = z.object({
  version: z.int(),
  shareBasisPoints: z.int(),
  validFrom: isoMoment,
  offeredAt: isoMoment,
  acceptedAt: z.nullable(isoMoment),
  /** The proposal's full text as offered. */
  paragraphs: z.array(z.string()),
})
export type Proposal = z.output<typeof Proposal>

const applicationStates = ['waiting', 'accepted', 'declined'] as const
const callStates = ['waiting', 'agreed', 'declined'] as const

const ApplicationOutcome = z.object({
  state: z.enum(applicationStates),
  sentAt: isoMoment,
  reply: z.nullable(z.string()),
})

const RequestedCall = z.object({
  id: z.int(),
  state: z.enum(callStates),
  times: z.array(isoMoment),
  agreedTime: z.nullable(isoMoment),
  reply: z.nullable(z.string()),
  /** A calendar file with every proposed time, or the agreed one. */
  calendar: z.string(),
})
export type RequestedCall = z.output<typeof RequestedCall>

export const Partnership = z.object({
  partnershipDetails: PartnershipDetails,
  /** How the portal addresses the signed-in user. */
  name: z.string(),
  /** Null for users who are not partners. */
  partner: z.nullable(
    z.object({
      code: z.string(),
      /** The full URL of the partner's own link. */
      link: z.string(),
      /** The current rate in basis points. */
      shareBasisPoints: z.int(),
      joinedAt: isoMoment,
      /** The newest; null if none was ever offered. */
      proposal: z.nullable(Proposal),
      /** The last accepted version, if a newer one is open. */
      agreement: z.nullable(Proposal),
    }),
  ),
  /** The last application's outcome; null before the first. */
  application: z.nullable(ApplicationOutcome),
  /** The last requested call. */
  call: z.nullable(RequestedCall),
})
export type Partnership = z.output<typeof Partnership>

export const APPLICATION_MESSAGE_MAX = 2000

export const Application = z.object({
  name: shortText(2, 120, 'Name must be at least 2 characters'),
  channel: shortText(3, 200, 'Please tell us where your audience is'),
  audience: shortText(3, 200, 'Please tell us who your audience is'),
  message: multilineText(10, APPLICATION_MESSAGE_MAX, 'Message must be at least 10 characters'),
  email: optionalEmail,
})
export type Application = z.output<typeof Application>

/** One to three times. */
export const CALL_TIMES_MAX = 3

export const NewCallRequest = z.object({
  topic: shortText(3, 200, 'Please tell us what it is about'),
  times: z
    .array(z.iso.datetime('Please choose a time'))
    .check(z.minLength(1, 'Please choose a time'), z.maxLength(CALL_TIMES_MAX, 'Please choose at most three times')),
  timeZone: z.string('Required').check(z.regex(/^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+){0,2}$/, 'Invalid input')),
  email: optionalEmail,
})
export type NewCallRequest = z.output<typeof NewCallRequest>

/** One of our pages, as a path or full URL. */
export const NewPartnerLink = z.object({
  page: z.string('Required').check(z.trim(), z.minLength(1, 'Required'), z.maxLength(500, 'Invalid input')),
  campaign: optionalLine(60),
})
export type NewPartnerLink = z.output<typeof NewPartnerLink>

const PartnerLink = z.object({
  code: z.string(),
  address: z.string(),
  path: z.string(),
  campaign: z.string(),
  createdAt: isoMoment,
  /** The picture with the live price for embedding this link; null if the page has none. */
  card: z.nullable(z.object({ address: z.string(), alt: z.string(), width: z.int(), height: z.int() })),
})
export type PartnerLink = z.output<typeof PartnerLink>

const id = z.object({ id: pathId<number>() })
const olderQuery = z.object({ older: z.optional(pathId<number>()) })
const reply = z.pipe(
  z.optional(z.nullable(z.union([z.literal(''), multilineText(1, 2000, 'Required')]))),
  z.transform((given) => given || null),
)

const ReceivedApplication = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  channel: z.string(),
  audience: z.string(),
  message: z.string(),
  email: z.nullable(z.string()),
  state: z.enum(applicationStates),
  reply: z.nullable(z.string()),
  sentAt: isoMoment,
  decidedAt: z.nullable(isoMoment),
})
export type ReceivedApplication = z.output<typeof ReceivedApplication>

const ReceivedCall = z.object({
  id: z.int(),
  username: z.string(),
  email: z.nullable(z.string()),
  topic: z.string(),
  times: z.array(isoMoment),
  timeZone: z.string(),
  state: z.enum(callStates),
  agreedTime: z.nullable(isoMoment),
  reply: z.nullable(z.string()),
  sentAt: isoMoment,
})
export type ReceivedCall = z.output<typeof ReceivedCall>

export const partnerCalls = {
  partnership: call({
    method: 'GET',
    path: '/api/partnership',
    access: 'signed_in',
    summary: 'The partner program’s offer, and a partner’s agreement.',
    answer: Partnership,
    refusals: [],
  }),
  apply: call({
    method: 'POST',
    path: '/api/partnership/application',
    access: 'signed_in',
    summary: 'Applies to become a partner; the owner decides.',
    body: Application,
    answer: Partnership,
    refusals: ['application_waiting', 'already_partner'],
  }),
  acceptProposal: call({
    method: 'POST',
    path: '/api/partnership/proposal',
    access: 'partner',
    summary: 'Accepts the version of the proposal that was read.',
    body: z.object({ version: z.int('Invalid input') }),
    answer: Partnership,
    refusals: ['proposal_changed'],
  }),
  askForCall: call({
    method: 'POST',
    path: '/api/partnership/calls',
    access: 'signed_in',
    summary: 'Requests a call at one of up to three times.',
    body: NewCallRequest,
    answer: Partnership,
    refusals: ['call_waiting'],
  }),
  links: call({
    method: 'GET',
    path: '/api/partnership/links',
    access: 'partner',
    summary: 'The partner’s links, newest first; `older` continues after this id.',
    query: olderQuery,
    answer: z.object({ links: z.array(PartnerLink), olderThan: z.nullable(z.int()) }),
    refusals: [],
  }),
  texts: call({
    method: 'GET',
    path: '/api/partnership/texts/:collection',
    access: 'partner',
    summary: 'Ready-made texts about a collection; `{link}` stands for the partner’s link.',
    params: z.object({ collection: z.string().check(z.maxLength(100)) }),
    answer: z.object({ video: z.string(), comment: z.string(), post: z.string(), mail: z.string() }),
    refusals: ['unknown_collection'],
  }),
  makeLink: call({
    method: 'POST',
    path: '/api/partnership/links',
    access: 'partner',
    summary: 'Creates a short link to a page of the shop. Idempotent.',
    body: NewPartnerLink,
    answer: PartnerLink,
    refusals: ['page_not_ours', 'too_many_links'],
  }),
  applications: call({
    method: 'GET',
    path: '/api/admin/applications',
    access: 'read_partners',
    summary: 'Partner applications: open ones first, oldest on top.',
    query: queueQuery,
    answer: z.object({ applications: z.array(ReceivedApplication), ...queuePage }),
    refusals: [],
  }),
  acceptApplication: call({
    method: 'POST',
    path: '/api/admin/applications/:id/accept',
    access: 'owner',
    summary: 'Accepts an application and offers a share.',
    params: id,
    body: z.object({
      shareBasisPoints: z.int('Invalid input').check(z.gte(0, 'Invalid input'), z.lte(1500, 'At most 15%')),
      reply,
    }),
    answer: ReceivedApplication,
    refusals: ['unknown_application', 'already_decided'],
  }),
  declineApplication: call({
    method: 'POST',
    path: '/api/admin/applications/:id/decline',
    access: 'owner',
    summary: 'Declines an application and emails the reply to the applicant.',
    params: id,
    body: z.object({ reply }),
    answer: ReceivedApplication,
    refusals: ['unknown_application', 'already_decided'],
  }),
  receivedCalls: call({
    method: 'GET',
    path: '/api/admin/calls',
    access: 'read_partners',
    summary: 'Requested calls: open ones first, oldest on top.',
    query: queueQuery,
    answer: z.object({ calls: z.array(ReceivedCall), ...queuePage }),
    refusals: [],
  }),
  answerCall: call({
    method: 'POST',
    path: '/api/admin/calls/:id/answer',
    access: 'owner',
    summary: 'Accepts one of the proposed times, or none.',
    params: id,
    body: z.object({ time: z.nullable(z.iso.datetime('Please choose a time')), reply }),
    answer: ReceivedCall,
    refusals: ['unknown_call_request', 'already_decided'],
  }),
}
