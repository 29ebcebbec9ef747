import * as z from 'zod/mini'
import { orderKinds } from '#domain/orders/kind.ts'
import { fulfillmentStatuses, paymentStatuses } from '#domain/orders/status.ts'
import type { OrderId } from '#shared/ids.ts'
import { languages } from '#shared/language.ts'
import type { Cents } from '#shared/money.ts'
import { call } from './call.ts'
import { AuditLogEntry } from './admin.ts'
import { LabeledTexts } from './checkout.ts'
import { CorrectedAddress, CorrectedEmail, OrderVersion, PaidCard } from './orders.ts'
import { branded, centsInput, centsAnswer, multilineText, isoMoment, pathId } from './wire.ts'

/** A date in New York, `2026-11-21`. */
const day = z.string().check(
  z.regex(/^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'Please enter a date, such as 2026-11-21'),
  z.refine(
    (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text),
    'This date doesn’t exist',
  ),
)

const SEARCH_LENGTH_MIN = 3

/** Filters of the order list. Empty means no filter. */
const unset = z.literal('')
export const OrderFilter = z.object({
  q: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(254, 'Please use at most 254 characters'),
      z.refine(
        (text) => text === '' || text.length >= SEARCH_LENGTH_MIN,
        `Please enter at least ${SEARCH_LENGTH_MIN} characters`,
      ),
    ),
  ),
  status: z.optional(z.union([unset, z.enum([...fulfillmentStatuses, ...paymentStatuses])])),
  provider: z.optional(z.union([unset, z.enum(['stripe', 'paypal'])])),
  collection: z.optional(
    z.union([unset, z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'Please choose a collection'))]),
  ),
  /** Dates, both inclusive. */
  from: z.optional(z.union([unset, day])),
  to: z.optional(z.union([unset, day])),
  /** Only those whose customer was told that something is late or lost. */
  late: z.optional(z.union([unset, z.literal('1')])),
  /** The id after which the page starts. */
  older: z.optional(z.union([unset, pathId<OrderId>()])),
})
export type OrderFilter = z.output<typeof OrderFilter>

/** An order in a list. */
export const OrderRow = z.object({
  id: z.int(),
  orderNumber: z.string(),
  placedAt: isoMoment,
  name: z.string(),
  email: z.string(),
  country: z.string(),
  collection: z.string(),
  kind: z.enum(orderKinds),
  provider: z.string(),
  status: z.string(),
  /** Why it needs attention. */
  attention: z.nullable(z.string()),
  /** Whether its customer was told that a parcel is late or lost, and nothing was decided yet. */
  isLate: z.boolean(),
  /** Pieces of all lines. */
  pieces: z.int(),
  /** The first lines, for their pictures. */
  goods: z.array(z.object({ name: z.string(), imageUrl: z.nullable(z.string()) })),
  total: centsAnswer,
})
export type OrderRow = z.output<typeof OrderRow>

/** Orders that are not done, by state, in the order of making. */
export const OpenOrders = z.array(z.object({ status: z.enum(fulfillmentStatuses), orders: z.int(), late: z.int() }))
export type OpenOrders = z.output<typeof OpenOrders>

const Mail = z.object({
  id: z.int(),
  kind: z.string(),
  subject: z.string(),
  recipient: z.string(),
  state: z.string(),
  createdAt: isoMoment,
  sentAt: z.nullable(isoMoment),
  /** Whether it can be resent. */
  canResend: z.boolean(),
})

/** The components of an amount. */
const Parts = z.object({
  merchandise: centsAnswer,
  shipping: centsAnswer,
  surcharge: centsAnswer,
  tax: centsAnswer,
  vatProtection: centsAnswer,
})

/** Available actions; a sentence explains why one is not. */
const allowed = z.nullable(z.string())

/** Everything the shop knows about an order. */
export const AdminOrder = z.object({
  orderNumber: z.string(),
  version: OrderVersion,
  kind: z.enum(orderKinds),
  /** The order whose pieces it replaces. */
  replaces: z.nullable(z.string()),
  replacements: z.array(z.object({ orderNumber: z.string(), status: z.string() })),
  /** Pieces of each line without a replacement. */
  /** Whose sale it is; `by`: a link such as `/r/bullion`, or a code. */
  partner: z.nullable(z.object({ name: z.string(), by: z.string() })),
  replaceable: z.array(z.object({ position: z.int(), quantity: z.int() })),
  status: z.string(),
  payment: z.string(),
  fulfillment: z.string(),
  attention: z.nullable(z.string()),
  placedAt: isoMoment,
  /** Until then the customer can change it, and it does not go to the printer; null once that is over. */
  changeableUntil: z.nullable(isoMoment),
  /** The version of the legal pages that the shopper agreed to, and when; null if they were not asked. An earlier release stored a day. */
  terms: z.nullable(z.object({ version: z.union([z.int(), z.string()]), acceptedAt: isoMoment })),
  /** When the person's data was erased. */
  erasedAt: z.nullable(isoMoment),
  customer: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.nullable(z.string()),
    /** Of pages and emails. */
    language: z.enum(languages),
  }),
  /** On the parcel: of a gift not the customer's. */
  recipientName: z.string(),
  texts: LabeledTexts,
  shippingAddress: z.array(z.string()),
  /** The address in form fields; empty once the data was erased. */
  address: z.object({
    line1: z.string(),
    line2: z.nullable(z.string()),
    city: z.string(),
    state: z.nullable(z.string()),
    postal_code: z.nullable(z.string()),
    country: z.string(),
  }),
  /** Empty if the same. */
  billingAddress: z.array(z.string()),
  paid: z.object({ provider: z.string(), id: z.string(), card: z.nullable(PaidCard) }),
  /** Printful's id of the order, and the external id we gave it. */
  printer: z.object({ id: z.nullable(z.int()), externalId: z.string(), askedAt: z.nullable(isoMoment) }),
  lines: z.array(
    z.object({
      position: z.int(),
      productId: z.int(),
      variantId: z.int(),
      productName: z.string(),
      variantName: z.nullable(z.string()),
      imageUrl: z.nullable(z.string()),
      quantity: z.int(),
      /** Pieces of it that were returned. */
      returned: z.int(),
      unitPrice: centsAnswer,
      /** Before a code took something off; null without one. */
      listPrice: z.nullable(centsAnswer),
    }),
  ),
  amounts: z.object({
    subtotal: centsAnswer,
    /** What codes took off, such as `RUDY10: $5.10 off`. */
    saving: z.optional(z.string()),
    shipping: centsAnswer,
    tax: centsAnswer,
    vatProtection: centsAnswer,
    total: centsAnswer,
    /** The part of the total that a gift card paid. */
    giftCard: centsAnswer,
    /** Still refundable. */
    left: centsAnswer,
    /** What the sale was expected to leave; null where a cost was unknown. */
    estimatedProfit: z.nullable(centsAnswer),
    /** What it left so far; null until the provider's fee and the printer's cost are booked. */
    profit: z.nullable(centsAnswer),
  }),
  parcels: z.array(
    z.object({
      id: z.int(),
      carrier: z.string(),
      service: z.string(),
      trackingNumber: z.nullable(z.string()),
      trackingUrl: z.nullable(z.string()),
      shippedAt: isoMoment,
      deliveredAt: z.nullable(isoMoment),
      returnedAt: z.nullable(isoMoment),
      lostAt: z.nullable(isoMoment),
      /** The latest first. */
      events: z.array(z.object({ text: z.string(), place: z.nullable(z.string()), at: isoMoment })),
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.int(),
      amount: centsAnswer,
      status: z.string(),
      reason: z.string(),
      source: z.string(),
      /** It went to this gift card; null if to the payment. */
      giftCardId: z.nullable(z.int()),
      /** Reference of the payment made another way; null if the provider paid it. */
      reference: z.nullable(z.string()),
      /** It failed and has not been refunded since. */
      isOwed: z.boolean(),
      createdAt: isoMoment,
    }),
  ),
  disputes: z.array(
    z.object({
      ...{ id: z.string(), amount: centsAnswer, fee: centsAnswer, status: z.string(), openedAt: isoMoment },
      /** Deadline for evidence; null without one. */
      respondBy: z.nullable(isoMoment),
    }),
  ),
  mails: z.array(Mail),
  postings: z.array(
    z.object({
      id: z.int(),
      kind: z.string(),
      bookedAt: isoMoment,
      entries: z.array(z.object({ account: z.string(), amount: centsAnswer })),
    }),
  ),
  /** Events, earliest first. */
  timeline: z.array(
    z.object({
      at: isoMoment,
      kind: z.enum(['order', 'provider', 'partner', 'mail', 'money', 'parcel', 'owner', 'note']),
      title: z.string(),
      detail: z.nullable(z.string()),
    }),
  ),
  /** A change that waits until its difference is paid. */
  toPay: z.nullable(z.object({ amount: centsAnswer, until: isoMoment, lines: z.array(z.string()) })),
  notes: z.array(z.object({ id: z.int(), author: z.string(), words: z.string(), at: isoMoment })),
  actions: z.array(AuditLogEntry),
  can: z.object({
    change: allowed,
    correctAddress: allowed,
    correctEmail: allowed,
    refund: allowed,
    replace: allowed,
    resubmit: allowed,
    hold: allowed,
    release: allowed,
    cancel: allowed,
  }),
})
export type AdminOrder = z.output<typeof AdminOrder>

const ofOrder = z.object({ number: z.string().check(z.maxLength(40)) })

const amountIn = branded<Cents>(centsInput)

/** What to refund: everything left, an amount, pieces of lines by position, or the shipping. */
export const RefundRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rest') }),
  z.object({ kind: z.literal('amount'), amount: amountIn }),
  z.object({
    kind: z.literal('pieces'),
    pieces: z
      .array(z.object({ position: z.int().check(z.gte(0)), quantity: z.int().check(z.gte(1), z.lte(99)) }))
      .check(z.minLength(1, 'Please choose what to refund'), z.maxLength(200)),
  }),
  z.object({ kind: z.literal('shipping') }),
])
export type RefundRequest = z.output<typeof RefundRequest>

const NOTE_MAX = 2000

export const Note = z.object({ words: multilineText(1, NOTE_MAX, 'Please write something') })
export const REASON_SENTENCE = 'Please enter a reason'
const reason = multilineText(1, 300, REASON_SENTENCE)
/** As store credit, whose code the customer gets by email, instead of back to where the money came from. */
export const asCredit = z._default(z.boolean(), false)

const unknown = ['unknown_order'] as const
const done = z.object({ done: z.string() })

export const adminOrderCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/orders',
    access: 'read_orders',
    summary:
      'Orders, newest first, and how many are open. `q` searches number, email, name and payment id; status, lateness, provider, collection and days filter.',
    query: OrderFilter,
    answer: z.object({ orders: z.array(OrderRow), hasMore: z.boolean(), open: OpenOrders }),
    refusals: [],
  }),
  file: call({
    method: 'GET',
    path: '/api/admin/orders/file',
    access: 'read_orders',
    summary: 'The orders of these numbers as CSV, with addresses and goods, in their order.',
    query: z.object({
      numbers: z.string().check(z.maxLength(2000, 'Please choose fewer orders')),
    }),
    answer: 'file',
    refusals: ['unknown_order'],
  }),
  show: call({
    method: 'GET',
    path: '/api/admin/orders/:number',
    access: 'read_orders',
    summary: 'Everything the shop knows about an order.',
    params: ofOrder,
    answer: AdminOrder,
    refusals: unknown,
  }),
  note: call({
    method: 'POST',
    path: '/api/admin/orders/:number/notes',
    access: 'edit_orders',
    summary: 'Adds an internal note to an order.',
    params: ofOrder,
    body: Note,
    answer: done,
    refusals: unknown,
  }),
  previewRefund: call({
    method: 'POST',
    path: '/api/admin/orders/:number/refund/preview',
    access: 'refund_orders',
    summary: 'Previews a refund.',
    params: ofOrder,
    body: z.object({ wanted: RefundRequest }),
    answer: z.object({
      ...{ amount: centsAnswer, limit: centsAnswer, parts: Parts },
      /** What happens to the goods, and who pays for them. */
      goods: z.string(),
      /** Whether the printer can still be asked to stop. */
      canCancel: z.boolean(),
    }),
    refusals: ['unknown_order', 'nothing_to_refund'],
  }),
  refund: call({
    method: 'POST',
    path: '/api/admin/orders/:number/refund',
    access: 'refund_orders_fresh',
    summary: 'Refunds as previewed; `amount` and `limit` come from the preview.',
    params: ofOrder,
    body: z.object({ wanted: RefundRequest, amount: amountIn, limit: amountIn, reason, asCredit }),
    answer: done,
    refusals: ['unknown_order', 'nothing_to_refund', 'refund_changed', 'over_refund_limit'],
  }),
  payRefundAnotherWay: call({
    method: 'POST',
    path: '/api/admin/refunds/:id/paid-another-way',
    access: 'owner_fresh',
    summary: 'Records that a failed refund was paid another way. Idempotent.',
    params: z.object({ id: pathId<number>() }),
    body: z.object({ reference: multilineText(3, 140, 'Please enter the payment reference') }),
    answer: done,
    refusals: ['unknown_refund', 'refund_not_failed', 'nothing_to_refund'],
  }),
  hold: call({
    method: 'POST',
    path: '/api/admin/orders/:number/hold',
    access: 'fulfill_orders',
    summary: 'Puts an order on hold until it is released.',
    params: ofOrder,
    body: z.object({ reason }),
    answer: done,
    refusals: ['unknown_order', 'cannot_hold'],
  }),
  release: call({
    method: 'POST',
    path: '/api/admin/orders/:number/release',
    access: 'fulfill_orders',
    summary: 'Releases an order from hold.',
    params: ofOrder,
    answer: done,
    refusals: ['unknown_order', 'cannot_release'],
  }),
  cancel: call({
    method: 'POST',
    path: '/api/admin/orders/:number/cancel',
    access: 'fulfill_orders',
    summary: 'Cancels an order here and at Printful; refunds nothing.',
    params: ofOrder,
    answer: done,
    refusals: ['unknown_order', 'too_late_to_cancel'],
  }),
  resubmit: call({
    method: 'POST',
    path: '/api/admin/orders/:number/resubmit',
    access: 'fulfill_orders',
    summary: 'Submits an order to Printful again.',
    params: ofOrder,
    answer: done,
    refusals: ['unknown_order', 'cannot_resubmit', 'printer_refused'],
  }),
  correctAddress: call({
    method: 'POST',
    path: '/api/admin/orders/:number/address',
    access: 'edit_orders',
    summary:
      'Corrects an order’s shipping address and submits it to Printful. In another country, state or province, its price is computed again. `seen` is the `version` of the order that was looked at.',
    params: ofOrder,
    body: z.extend(CorrectedAddress, { seen: OrderVersion }),
    answer: done,
    refusals: [
      'unknown_order',
      'order_changed',
      'change_refused',
      'correction_under_way',
      'country_blocked',
      'address_refused',
      'provider_unavailable',
      'printer_refused',
    ],
  }),
  correctEmail: call({
    method: 'POST',
    path: '/api/admin/orders/:number/email',
    access: 'edit_orders',
    summary:
      'Corrects an order’s email and resends refused emails. `seen` is the `version` of the order that was looked at.',
    params: ofOrder,
    body: z.extend(CorrectedEmail, { seen: OrderVersion }),
    answer: done,
    refusals: ['unknown_order', 'order_changed', 'correction_too_late'],
  }),
  resendMail: call({
    method: 'POST',
    path: '/api/admin/orders/:number/mails/:mail/resend',
    access: 'edit_orders',
    summary: 'Sends an email about an order again, to the order’s address.',
    params: z.extend(ofOrder, { mail: pathId<number>() }),
    answer: done,
    refusals: ['unknown_order', 'mail_not_resent'],
  }),
}
