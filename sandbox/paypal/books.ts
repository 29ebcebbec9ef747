import { randomBytes } from 'node:crypto'
import type { Cents } from '#shared/money.ts'
import type { Kit } from '#sandbox/kit/types.ts'
import type { ExperienceContext, PurchaseUnit } from './order-body.ts'

/** What happens when an approved order is captured: money, money on hold, or an issue. */
export type Course = 'complete' | 'hold' | (string & {})

type OrderStatus = 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'

export type StoredOrder = {
  id: string
  status: OrderStatus
  unit: PurchaseUnit
  /** Whether the order named its payment source: the payer then gets another link. */
  hasSource: boolean
  experience: ExperienceContext
  createdAt: Date
  updatedAt: Date
  approvedAt: Date | undefined
  /** Whose account pays; unset: the sandbox's one payer. */
  payerId?: string | undefined
  course: Course
  captureId: string | undefined
}

type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'

export type StoredCapture = {
  id: string
  orderId: string
  status: CaptureStatus
  /** Why the money is not available; only while it is pending or was reversed. */
  reason: 'PENDING_REVIEW' | 'CHARGEBACK' | undefined
  amount: Cents
  invoiceId: string | undefined
  customId: string | undefined
  createdAt: Date
  updatedAt: Date
}

export type StoredRefund = {
  id: string
  captureId: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
  amount: Cents
  /** Total refunds of the capture, this one included. */
  totalRefunded: Cents
  invoiceId: string | undefined
  customId: string | undefined
  note: string | undefined
  createdAt: Date
  updatedAt: Date
}

export type StoredDispute = {
  id: string
  captureId: string
  reason: string
  amount: Cents
  status: 'OPEN' | 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED'
  stage: 'INQUIRY' | 'CHARGEBACK'
  outcome: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR' | undefined
  /** What the seller sent. */
  evidences: {
    evidence_type: string
    notes?: string
    evidence_info?: object
    documents?: { name: string }[]
    date: string
  }[]
  createdAt: Date
  updatedAt: Date
}

/** One line of the account's history; fees and money that left are negative. */
export type Booking = {
  id: string
  code: 'T0006' | 'T0400' | 'T1107' | 'T1106' | 'T1201' | 'T1202'
  at: Date
  amount: Cents
  fee: Cents
  /** Empty for entries that belong to no payment. */
  captureId: string
}

export type SentEvent = {
  id: string
  create_time: string
  resource_type: string
  event_version: '1.0'
  event_type: string
  summary: string
  resource_version: string
  resource: object
  links: Link[]
}

export type Link = { href: string; rel: string; method: string }

export type Webhook = { id: string; url: string; types: string[] }

/** The simulated provider's database. */
export type Books = {
  /** When each token expires, in milliseconds. */
  tokens: Map<string, number>
  clientTokens: Map<string, number>
  orders: Map<string, StoredOrder>
  captures: Map<string, StoredCapture>
  refunds: Map<string, StoredRefund>
  disputes: Map<string, StoredDispute>
  bookings: Booking[]
  events: Map<string, SentEvent>
  webhooks: Map<string, Webhook>
  /** First responses by path and PayPal-Request-Id, with a digest of the body that each was for. */
  repeats: Map<string, { until: number; body: string; whole: object; short: object }>
  /** Paths and request ids in progress. */
  underWay: Set<string>
  /** Calls of features that the shop's app lacks: how their path begins, or their method and path. */
  forbidden: string[]
  /** How long captures take, in milliseconds of real time. */
  captureMs: number
  /** How many of the next refunds are paid by e-check and stay pending. */
  slowRefunds: number
}

/** What outlives the process: the account's history, without what belongs to a shop's start or to the next minutes. */
export const lastingBooks = ({ orders, captures, refunds, disputes, bookings }: Books): Partial<Books> => ({
  ...{ orders, captures, refunds, disputes, bookings },
})

export const openBooks = (): Books => ({
  tokens: new Map(),
  clientTokens: new Map(),
  orders: new Map(),
  captures: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  bookings: [],
  events: new Map(),
  webhooks: new Map(),
  repeats: new Map(),
  underWay: new Set(),
  forbidden: [],
  captureMs: 0,
  slowRefunds: 0,
})

/** Dependencies of the work behind a call. */
export type Needs = {
  kit: Kit
  books: Books
  /** Where the simulator listens, for links. */
  base: () => string
  /** Records an event and sends it to the shop. */
  sendEvent: (type: string, resource: { type: string; version: string; body: object }) => void
}

// No letter or digit that looks like another, as in PayPal's own payer ids.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Ids of orders, captures and refunds have 17 characters, payer ids 13. */
export const newId = (length = 17): string =>
  [...randomBytes(length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')

/** PayPal's times are whole seconds. */
export const timeText = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`
