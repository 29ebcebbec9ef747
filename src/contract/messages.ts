import * as z from 'zod/mini'
import { issueStates } from '#domain/messages/issue.ts'
import { MESSAGE_MAX } from '#domain/messages/lengths.ts'
import { call } from './call.ts'
import {
  emailAddress,
  multilineText,
  singleLineText,
  isoMoment,
  optionalEmail,
  optionalLine,
  pathId,
  shortText,
} from './wire.ts'

const NAME_MAX = 120
const SUBJECT_MAX = 200

/** The contact form (specification, section 5); the page validates with the same schema. */
export const ContactMessage = z.object({
  name: shortText(2, NAME_MAX, 'Name must be at least 2 characters'),
  email: emailAddress,
  subject: shortText(3, SUBJECT_MAX, 'Subject must be at least 3 characters'),
  message: multilineText(10, MESSAGE_MAX, 'Message must be at least 10 characters'),
})
export type ContactMessage = z.output<typeof ContactMessage>

/** A newsletter sign-up. */
export const Subscription = z.object({ email: emailAddress, name: optionalLine(NAME_MAX) })
export type Subscription = z.output<typeof Subscription>

export const CHAT_MESSAGE_MAX = 1000

/** A visitor's chat message. */
export const ChatMessage = z.object({
  message: multilineText(1, CHAT_MESSAGE_MAX, 'Required'),
  email: optionalEmail,
})
export type ChatMessage = z.output<typeof ChatMessage>

const ChatEntry = z.object({
  id: z.int(),
  author: z.enum(['visitor', 'shop']),
  message: z.string(),
  timestamp: isoMoment,
})
export type ChatEntry = z.output<typeof ChatEntry>

const Conversation = z.object({
  messages: z.array(ChatEntry),
  /** Replies are also emailed here. */
  hasEmail: z.boolean(),
})
export type Conversation = z.output<typeof Conversation>

const id = z.object({ id: pathId<number>() })

const SubscriberRow = z.object({
  id: z.int(),
  email: z.string(),
  name: z.nullable(z.string()),
  state: z.enum(['asked', 'subscribed', 'left', 'bounced', 'complained']),
  askedAt: isoMoment,
  confirmedAt: z.nullable(isoMoment),
  leftAt: z.nullable(isoMoment),
})
export type SubscriberRow = z.output<typeof SubscriberRow>

const ISSUE_MAX = 10_000
/** A newsletter issue as the owner writes it; an empty line starts a paragraph. */
/** Who gets an issue; without any of them, everybody. */
const IssueSegment = z.object({
  /** Bought something of this collection. */
  collection: z.optional(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/, 'Please choose a collection'))),
  /** Had something sent to this country. */
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, 'Please choose a country'))),
  /** Bought with a discount code. */
  withCode: z.optional(z.boolean()),
})

export const NewsletterIssueDraft = z
  .object({
    subject: shortText(3, 120, 'Subject must be at least 3 characters'),
    body: multilineText(10, ISSUE_MAX, 'Please write at least 10 characters'),
    /** The page its button opens; both or neither. */
    path: z.optional(
      z.nullable(
        z
          .string()
          .check(z.regex(/^\/(?!\/)[\w\-/?=&%.]{0,200}$/, 'Please enter a page of the shop, such as /products')),
      ),
    ),
    button: z.optional(z.nullable(singleLineText(40, 'Please enter the button’s label'))),
    segment: z._default(IssueSegment, {}),
  })
  .check(
    z.refine(({ path, button }) => !path === !button, {
      error: 'A button needs both a label and a page',
      path: ['button'],
    }),
  )
export type NewsletterIssueDraft = z.output<typeof NewsletterIssueDraft>

const NewsletterIssueRow = z.object({
  id: z.int(),
  subject: z.string(),
  body: z.string(),
  path: z.nullable(z.string()),
  button: z.nullable(z.string()),
  state: z.enum(issueStates),
  segment: IssueSegment,
  writtenAt: isoMoment,
  /** When a scheduled one is sent. */
  sendAt: z.nullable(isoMoment),
  begunAt: z.nullable(isoMoment),
  finishedAt: z.nullable(isoMoment),
  /** How many people received it. */
  sentTo: z.int(),
})
export type NewsletterIssueRow = z.output<typeof NewsletterIssueRow>

const done = z.object({ success: z.literal(true) })

export const messageCalls = {
  contact: call({
    method: 'POST',
    path: '/api/contact',
    access: 'anyone',
    summary: 'Sends a message to customer service. Card numbers are masked.',
    body: ContactMessage,
    answer: z.object({ success: z.literal(true) }),
    refusals: ['too_many'],
  }),
  subscribe: call({
    method: 'POST',
    path: '/api/newsletter',
    access: 'anyone',
    summary:
      'Signs up for the newsletter, with a confirmation email. The answer never reveals whether the email is known.',
    body: Subscription,
    answer: done,
    refusals: [],
  }),
  chat: call({
    method: 'GET',
    path: '/api/chat',
    access: 'anyone',
    summary: 'This session’s chat with the shop; `after` is the id of the last known line.',
    query: z.object({ after: z.optional(pathId<number>()) }),
    answer: Conversation,
    refusals: [],
  }),
  say: call({
    method: 'POST',
    path: '/api/chat',
    access: 'anyone',
    summary: 'Sends a chat message. Card numbers are masked.',
    body: ChatMessage,
    answer: Conversation,
    refusals: ['chat_full'],
  }),
  subscribers: call({
    method: 'GET',
    path: '/api/admin/subscribers',
    access: 'owner',
    summary: 'Newsletter sign-ups, confirmed or not, and unsubscribes; newest first.',
    query: z.object({ after: z.optional(pathId<number>()) }),
    answer: z.object({
      subscribers: z.array(SubscriberRow),
      next: z.nullable(z.int()),
      subscribed: z.int(),
    }),
    refusals: [],
  }),
  unsubscribe: call({
    method: 'POST',
    path: '/api/admin/subscribers/:id/leave',
    access: 'owner',
    summary: 'Unsubscribes somebody who asked the shop directly.',
    params: id,
    answer: done,
    refusals: ['unknown_subscriber'],
  }),
  issues: call({
    method: 'GET',
    path: '/api/admin/issues',
    access: 'owner',
    summary: 'Newsletter issues, latest first, and the current number of subscribers.',
    answer: z.object({
      issues: z.array(NewsletterIssueRow),
      subscribed: z.int(),
      /** Where mail providers send complaints, once it is registered with them; null while no mailbox is read. */
      complaintsTo: z.nullable(z.string()),
    }),
    refusals: [],
  }),
  writeIssue: call({
    method: 'POST',
    path: '/api/admin/issues',
    access: 'owner',
    summary: 'Saves a new issue as a draft.',
    body: NewsletterIssueDraft,
    answer: z.object({ id: z.int() }),
    refusals: [],
  }),
  rewriteIssue: call({
    method: 'PUT',
    path: '/api/admin/issues/:id',
    access: 'owner',
    summary: 'Changes a draft.',
    params: id,
    body: NewsletterIssueDraft,
    answer: done,
    refusals: ['unknown_issue', 'issue_sent'],
  }),
  audience: call({
    method: 'POST',
    path: '/api/admin/issues/audience',
    access: 'owner',
    summary: 'How many subscribers a segment has now.',
    body: IssueSegment,
    answer: z.object({ subscribed: z.int() }),
    refusals: [],
  }),
  showIssue: call({
    method: 'POST',
    path: '/api/admin/issues/show',
    access: 'owner',
    summary: 'Both forms of an issue as subscribers would get it. Nothing is stored or sent.',
    body: NewsletterIssueDraft,
    answer: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
    refusals: [],
  }),
  scheduleIssue: call({
    method: 'POST',
    path: '/api/admin/issues/:id/schedule',
    access: 'owner',
    summary: 'Sends a draft at a time, to everybody of its segment who is subscribed then.',
    params: id,
    body: z.object({
      sendAt: z
        .string('Please choose a time')
        .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'Please choose a time')),
    }),
    answer: done,
    refusals: ['unknown_issue', 'issue_sent'],
  }),
  unscheduleIssue: call({
    method: 'POST',
    path: '/api/admin/issues/:id/unschedule',
    access: 'owner',
    summary: 'Makes a scheduled issue a draft again.',
    params: id,
    answer: done,
    refusals: ['unknown_issue', 'issue_sent'],
  }),
  previewIssue: call({
    method: 'POST',
    path: '/api/admin/issues/:id/preview',
    access: 'owner',
    summary: 'Emails a draft to the business address as a test.',
    params: id,
    answer: done,
    refusals: ['unknown_issue', 'issue_sent'],
  }),
  sendIssue: call({
    method: 'POST',
    path: '/api/admin/issues/:id/send',
    access: 'owner',
    summary: 'Sends an issue to every current subscriber of its segment, once.',
    params: id,
    answer: done,
    refusals: ['unknown_issue', 'issue_sent'],
  }),
}
