import * as z from 'zod/mini'
import { call } from './call.ts'
import { queuePage, queueQuery } from './queue-page.ts'
import { multilineText, isoMoment, optionalEmail, optionalLine, pathId, shortText } from './wire.ts'

/** What the program offers (specification, section 3, Partnership details). */
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
  /** The letter, word for word as it was offered. */
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
  /** The calendar file, with every time that was proposed, or the one that was agreed. */
  calendar: z.string(),
})
export type RequestedCall = z.output<typeof RequestedCall>

export const Partnership = z.object({
  partnershipDetails: PartnershipDetails,
  /** How the portal addresses whoever is signed in. */
  name: z.string(),
  /** Null for whoever is not a partner. */
  partner: z.nullable(
    z.object({
      code: z.string(),
      /** The whole address of the partner's own link. */
      link: z.string(),
      /** Hundredths of a percent: what counts now. */
      shareBasisPoints: z.int(),
      joinedAt: isoMoment,
      /** The newest; null for a partner who was never offered one. */
      proposal: z.nullable(Proposal),
      /** The version that was accepted last, where a newer one is open. */
      agreement: z.nullable(Proposal),
    }),
  ),
  /** What became of the last application; null when there was none. */
  application: z.nullable(ApplicationOutcome),
  /** The last call that was asked for. */
  call: z.nullable(RequestedCall),
})
export type Partnership = z.output<typeof Partnership>

export const APPLICATION_MESSAGE_MAX = 2000

export const Application = z.object({
  name: shortText(2, 120, 'Name must be at least 2 characters'),
  channel: shortText(3, 200, 'Please tell us where your audience is'),
  audience: shortText(3, 200, 'Please tell us who watches or reads'),
  message: multilineText(10, APPLICATION_MESSAGE_MAX, 'Message must be at least 10 characters'),
  email: optionalEmail,
})
export type Application = z.output<typeof Application>

/** At least one time, and no more than somebody can hold free. */
export const CALL_TIMES_MAX = 3

export const NewCallRequest = z.object({
  topic: shortText(3, 200, 'Please say what it is about'),
  times: z
    .array(z.iso.datetime('Please choose a time'))
    .check(z.minLength(1, 'Please choose a time'), z.maxLength(CALL_TIMES_MAX, 'Please choose at most three times')),
  timeZone: z.string('Required').check(z.regex(/^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+){0,2}$/, 'Invalid input')),
  email: optionalEmail,
})
export type NewCallRequest = z.output<typeof NewCallRequest>

/** A page of ours, as its path or its whole address. */
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
  /** The picture with the live price that links of this code are embedded with; null where the page has none. */
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
    summary: 'What the program offers, and to a partner what was agreed.',
    answer: Partnership,
    refusals: [],
  }),
  apply: call({
    method: 'POST',
    path: '/api/partnership/application',
    access: 'signed_in',
    summary: 'Asks to become a partner; the owner decides.',
    body: Application,
    answer: Partnership,
    refusals: ['application_waiting', 'already_partner'],
  }),
  acceptProposal: call({
    method: 'POST',
    path: '/api/partnership/proposal',
    access: 'partner',
    summary: 'Says yes to the version of the proposal that was read.',
    body: z.object({ version: z.int('Invalid input') }),
    answer: Partnership,
    refusals: ['proposal_changed'],
  }),
  askForCall: call({
    method: 'POST',
    path: '/api/partnership/calls',
    access: 'signed_in',
    summary: 'Asks the owner for a call at one of up to three times.',
    body: NewCallRequest,
    answer: Partnership,
    refusals: ['call_waiting'],
  }),
  links: call({
    method: 'GET',
    path: '/api/partnership/links',
    access: 'partner',
    summary: 'The partner’s own links, the newest first; `older` is the id after which a page goes on.',
    query: olderQuery,
    answer: z.object({ links: z.array(PartnerLink), olderThan: z.nullable(z.int()) }),
    refusals: [],
  }),
  makeLink: call({
    method: 'POST',
    path: '/api/partnership/links',
    access: 'partner',
    summary: 'Makes a short link to a page of the shop; the same wish gives the same link.',
    body: NewPartnerLink,
    answer: PartnerLink,
    refusals: ['page_not_ours', 'too_many_links'],
  }),
  applications: call({
    method: 'GET',
    path: '/api/admin/applications',
    access: 'owner',
    summary: 'Who asked to become a partner: who waits first, the longest waiting on top.',
    query: queueQuery,
    answer: z.object({ applications: z.array(ReceivedApplication), ...queuePage }),
    refusals: [],
  }),
  acceptApplication: call({
    method: 'POST',
    path: '/api/admin/applications/:id/accept',
    access: 'owner',
    summary: 'Makes a partner of whoever applied, and offers a share.',
    params: id,
    body: z.object({
      shareBasisPoints: z.int('Invalid input').check(z.gte(0, 'Invalid input'), z.lte(1500, 'At most 15 %')),
      reply,
    }),
    answer: ReceivedApplication,
    refusals: ['unknown_application', 'already_decided'],
  }),
  declineApplication: call({
    method: 'POST',
    path: '/api/admin/applications/:id/decline',
    access: 'owner',
    summary: 'Says no to an application; what is written goes to whoever applied.',
    params: id,
    body: z.object({ reply }),
    answer: ReceivedApplication,
    refusals: ['unknown_application', 'already_decided'],
  }),
  receivedCalls: call({
    method: 'GET',
    path: '/api/admin/calls',
    access: 'owner',
    summary: 'Calls that were asked for: what waits first, the longest waiting on top.',
    query: queueQuery,
    answer: z.object({ calls: z.array(ReceivedCall), ...queuePage }),
    refusals: [],
  }),
  answerCall: call({
    method: 'POST',
    path: '/api/admin/calls/:id/answer',
    access: 'owner',
    summary: 'Agrees to one of the times that were proposed, or to none.',
    params: id,
    body: z.object({ time: z.nullable(z.iso.datetime('Please choose a time')), reply }),
    answer: ReceivedCall,
    refusals: ['unknown_call_request', 'already_decided'],
  }),
}
