import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { EpochDay } from '#domain/catalog/arrival.ts'
import type { Rate } from '#domain/checkout/indicative.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import type { Discount } from '#domain/codes/discount.ts'
import { changeKinds, changeStates, type ChangeKind, type ChangeState } from '#domain/orders/changes.ts'
import type { ChangePlan, OrderedLine } from '#domain/orders/change.ts'
import type { Corrector } from '#domain/orders/correction.ts'
import { formerOrderStatuses, type FormerOrderStatus, type FormerShop } from '#domain/imports/former-shop.ts'
import { orderKinds, type OrderKind } from '#domain/orders/kind.ts'
import type { OrderTexts } from '#domain/orders/order-texts.ts'
import type { FulfillmentStatus, PaymentStatus } from '#domain/orders/status.ts'
import type { PaidCard } from '#domain/payments/card.ts'
import type { Pieces, RefundParts, RefundStatus } from '#domain/payments/returns.ts'
import { taxBookingKinds, type RecordedLine, type TaxBookingKind, type TaxPart } from '#domain/tax/bookings.ts'
import { session } from '#server/accounts/schema.ts'
import { product, variant } from '#server/catalog/schema.ts'
import { checkout } from '#server/checkout/schema.ts'
import { knownLanguage, language, bigId, moment, namedMoment, money, notNegative, oneOf } from '#server/db/columns.ts'
import { giftCard } from '#server/gift-cards/schema.ts'
import { payment } from '#server/payments/schema.ts'
import type { CheckoutId, OrderId, OrderNumber, PaymentKey, ProductId, SessionId, VariantId } from '#shared/ids.ts'
import { ZERO, type Cents } from '#shared/money.ts'

export const shopOrder = pgTable(
  'shop_order',
  {
    id: serial().primaryKey().$type<OrderId>(),
    orderNumber: text().notNull().unique().$type<OrderNumber>(),
    kind: text().notNull().default('sale').$type<OrderKind>(),
    /** Null without a payment. */
    checkoutId: uuid()
      .unique()
      .$type<CheckoutId>()
      .references(() => checkout.id),
    /** Only a sale has one. */
    paymentKey: text()
      .unique()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    /** Null where it was not paid by card, and on orders from before it was stored. */
    paidCard: jsonb().$type<PaidCard>(),
    /** The order whose pieces a replacement replaces. */
    replacesId: integer()
      .$type<OrderId>()
      .references((): AnyPgColumn => shopOrder.id),
    /** Identifies the request that made an order without a payment, so that repeating it makes no second one. */
    requestKey: uuid().unique(),
    /** Empty when no browser made it. */
    sessionId: text().notNull().$type<SessionId>(),
    /** Of its emails. */
    language: language(),
    paymentStatus: text().notNull().$type<PaymentStatus>(),
    fulfillmentStatus: text('fulfilment_status').notNull().$type<FulfillmentStatus>(),
    /** Why it needs attention, for the owner. */
    attentionReason: text(),
    termsVersion: text(),
    termsAcceptedAt: moment(),
    currency: text().notNull().default('usd'),
    subtotalCents: money().notNull(),
    shippingCents: money().notNull(),
    taxCents: money().notNull(),
    vatProtectionCents: money().notNull(),
    totalCents: money().notNull(),
    /** As shown at checkout; empty on orders from before it was stored. */
    shippingMethod: text().notNull().default(''),
    /** Part of shipping, by product. */
    shippingSurcharges: jsonb().notNull().default([]).$type<{ productName: string; amount: Cents }[]>(),
    /** What codes took off when it was paid. */
    discounts: jsonb().notNull().default([]).$type<Discount[]>(),
    /** The gift card that paid a part of the total, and that part. */
    giftCardId: integer().references(() => giftCard.id),
    giftCardCents: money().notNull().default(ZERO),
    customerEmail: text().notNull(),
    customerName: text().notNull(),
    customerPhone: text(),
    /** CPF or CNPJ of a recipient in Brazil; never shown or logged. */
    taxNumber: text(),
    /** Optional texts from the checkout, by name. */
    texts: jsonb().$type<NonNullable<OrderTexts>>(),
    shippingAddress: jsonb().notNull().$type<Address>(),
    billingAddress: jsonb().$type<Address>(),
    /** The first line's collection, whose theme the emails have. */
    collection: text().notNull(),
    /** Until then the shopper can change it, and it does not go to the printer; earlier when it was wanted at once. */
    changeableUntil: namedMoment(),
    /** The external id at the printer: the order number, with `-2` … after a resubmission. */
    externalId: text().notNull().unique(),
    printfulOrderId: bigint({ mode: 'number' }).unique(),
    /** When it was first submitted to the printer under this external id; before that there is nothing to look up. */
    partnerTriedAt: moment(),
    /** Since when the owner holds it back from the printer. The printer's own holds are not stored here. */
    heldAt: moment(),
    /** When the printer was last queried about it. */
    partnerAskedAt: moment(),
    /** The printer's cost as booked, less its credits; null until confirmed. */
    partnerCostCents: money(),
    /** When it was said to arrive before it was paid; null on orders from before it was stored, and after their country changed. */
    promisedFrom: integer().$type<EpochDay>(),
    promisedTo: integer().$type<EpochDay>(),
    /** The rate at which its total was shown in the shopper's currency; null without one. */
    shownRate: jsonb().$type<Rate>(),
    /** What the sale was expected to leave when it was made; null where a cost was unknown, and on orders from before it was stored. */
    estimatedProfitCents: money(),
    /** The basis of its tax; null on orders from before it was stored. It contains the address, so erasure must clear it too. */
    taxEvidence: jsonb().$type<TaxEvidence>(),
    /** Whether the tax provider has recorded it; `not_reported` when it has no calculation, or an expired one. */
    taxReport: text().notNull().default('waiting').$type<'waiting' | 'reported' | 'not_reported'>(),
    taxTransactionId: text().unique(),
    trackingNotificationSent: boolean().notNull().default(false),
    deliveryNotificationSent: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    /** When the customer was erased: names, addresses and email are empty since then. */
    erasedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt, t.id),
    index().on(t.fulfillmentStatus, t.createdAt, t.id),
    // For the owner's search by parts of names and addresses.
    index('order_not_just_paid')
      .on(t.paymentStatus, t.createdAt, t.id)
      .where(sql`${t.paymentStatus} <> 'paid'`),
    // Orders paid by card are so common that a scan finds them quickly.
    index('order_by_wallet')
      .on(t.createdAt, t.id)
      .where(sql`${t.paymentKey} like 'paypal:%'`),
    index('order_email_alike').using('gin', t.customerEmail.op('gin_trgm_ops')),
    index('order_name_alike').using('gin', t.customerName.op('gin_trgm_ops')),
    index().on(t.sessionId),
    index()
      .on(t.replacesId)
      .where(sql`${t.replacesId} is not null`),
    // A user sees the orders of their proven email; data requests use it too.
    index('order_of_email').on(sql`lower(${t.customerEmail})`, t.id),
    // Reports sum a range of orders from the index alone, because rows are wide.
    index('order_sums').on(t.createdAt, t.totalCents, t.taxCents),
    index()
      .on(t.giftCardId)
      .where(sql`${t.giftCardId} is not null`),
    index('order_with_code')
      .on(t.id)
      .where(sql`${t.discounts} <> '[]'`),
    index('order_not_submitted')
      .on(t.createdAt)
      .where(sql`${t.fulfillmentStatus} = 'waiting'`),
    index('order_with_partner')
      .on(t.partnerAskedAt)
      .where(
        sql`${t.fulfillmentStatus} in ('submitted', 'in_production', 'partially_shipped', 'shipped', 'on_hold', 'needs_attention', 'delivered', 'returned')`,
      ),
    index('order_tax_not_reported')
      .on(t.createdAt)
      .where(sql`${t.taxReport} = 'waiting'`),
    knownLanguage('shop_order_language_known', t.language),
    check('order_tax_report_known', sql`${t.taxReport} in ('waiting', 'reported', 'not_reported')`),
    check(
      'order_total_adds_up',
      sql`${t.totalCents} = ${t.subtotalCents} + ${t.shippingCents} + ${t.taxCents} + ${t.vatProtectionCents}`,
    ),
    notNegative('order_amounts_not_negative', t.subtotalCents, t.shippingCents, t.taxCents, t.vatProtectionCents),
    check('order_kind_known', oneOf(t.kind, orderKinds)),
    check(
      'order_paid_unless_free',
      sql`(${t.kind} = 'sale') = (${t.paymentKey} is not null) and (${t.kind} = 'sale') = (${t.checkoutId} is not null)
        and (${t.kind} = 'sale') = (${t.paymentStatus} <> 'no_charge') and (${t.kind} = 'sale' or ${t.totalCents} = 0)`,
    ),
    check('order_replaces_as_replacement', sql`(${t.kind} = 'replacement') = (${t.replacesId} is not null)`),
    check('order_currency_usd', sql`${t.currency} = 'usd'`),
    check(
      'order_payment_status_known',
      sql`${t.paymentStatus} in ('paid', 'partially_refunded', 'refunded', 'disputed', 'no_charge')`,
    ),
    check(
      'order_fulfilment_status_known',
      sql`${t.fulfillmentStatus} in ('waiting', 'submitted', 'in_production', 'partially_shipped', 'shipped', 'delivered', 'on_hold', 'needs_attention', 'cancelled', 'returned')`,
    ),
  ],
)

export const orderLine = pgTable(
  'order_line',
  {
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    position: smallint().notNull(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    variantId: bigId<VariantId>()
      .notNull()
      .references(() => variant.id),
    productName: text().notNull(),
    variantName: text(),
    imageUrl: text(),
    collection: text().notNull(),
    /** 0 when a change removed it: commission and books still refer to it. */
    quantity: smallint().notNull(),
    unitPrice: money('unit_price_cents').notNull(),
    /** The catalog's price, if a code took something off; otherwise null. */
    listPrice: money('list_price_cents'),
    /** In a replacement: the position of the replaced line. */
    replacesPosition: smallint(),
    /** The printer's cost of the line when it confirmed the order; null if unknown. */
    partnerCostCents: money(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.position] }),
    index().on(t.variantId),
    index().on(t.productId),
    check('order_line_quantity_in_range', sql`${t.quantity} between 0 and 99`),
    // Zero in an order without a payment.
    check('order_line_price_not_negative', sql`${t.unitPrice} >= 0`),
    check('order_line_list_price_is_higher', sql`${t.listPrice} >= ${t.unitPrice}`),
  ],
)

/** A parcel of the printer. */
export const shipment = pgTable(
  'shipment',
  {
    /** The printer's shipment id; rows are added, never replaced. */
    id: bigint({ mode: 'number' }).primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    carrier: text().notNull(),
    service: text().notNull(),
    trackingNumber: text(),
    trackingUrl: text(),
    reshipment: boolean().notNull().default(false),
    items: jsonb().notNull().$type<{ variantId: VariantId; quantity: number }[]>(),
    shippedAt: moment().notNull(),
    deliveredAt: moment(),
    /** When the return to the sender was reported. */
    returnedAt: moment(),
    /** When it was given up as lost; it may still arrive. */
    lostAt: moment(),
    /** The days between which the carrier expects to deliver it; null if it names none. */
    estimatedFrom: integer().$type<EpochDay>(),
    estimatedTo: integer().$type<EpochDay>(),
    /** When the printer last reported where it is; null if it never did. */
    reportedAt: moment(),
  },
  (t) => [
    index().on(t.orderId),
    index('shipment_in_trouble')
      .on(t.orderId)
      .where(sql`${t.returnedAt} is not null or ${t.lostAt} is not null`),
  ],
)

/** What a carrier reported about a parcel. The printer gives these no id, so they are told apart by what they say. */
export const trackingEvent = pgTable(
  'tracking_event',
  {
    shipmentId: bigint({ mode: 'number' })
      .notNull()
      .references(() => shipment.id),
    happenedAt: moment().notNull(),
    /** In the carrier's words, up to 300 characters. */
    description: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.shipmentId, t.happenedAt, t.description] })],
)

/** Money returned to the shopper, also for a payment without an order. */
export const refund = pgTable(
  'refund',
  {
    id: serial().primaryKey(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    /** Null when the payment has no order. */
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** The gift card that it went to instead of the payment. */
    giftCardId: integer().references(() => giftCard.id),
    providerRefundId: text().unique(),
    amountCents: money().notNull(),
    /** The parts of the amount; null without an order. */
    parts: jsonb().$type<RefundParts>(),
    /** The refunded pieces, if it is for pieces. */
    pieces: jsonb().$type<Pieces>(),
    status: text().notNull().$type<RefundStatus>(),
    /** For the owner. */
    reason: text().notNull(),
    /** `provider`: made in the provider's dashboard and found there. */
    source: text().notNull().default('shop').$type<'shop' | 'provider'>(),
    /** The change that this refund settles: the order's amounts are already without it. */
    changeId: bigint({ mode: 'number' }).references((): AnyPgColumn => orderChange.id),
    /** The failed refund whose money this one returned another way, at most once. */
    paysRefundId: integer()
      .unique()
      .references((): AnyPgColumn => refund.id),
    /** The payment's reference at the bank. */
    reference: text(),
    /** The tax provider's id of the reversed tax. */
    taxReversalId: text(),
    createdAt: moment().notNull(),
    /** When it was booked, and when that was reversed because it failed late. */
    bookedAt: moment(),
    reversedAt: moment(),
  },
  (t) => [
    index().on(t.paymentKey),
    index().on(t.orderId),
    index()
      .on(t.giftCardId)
      .where(sql`${t.giftCardId} is not null`),
    check('refund_positive', sql`${t.amountCents} > 0`),
    check('refund_source_known', sql`${t.source} in ('shop', 'provider')`),
  ],
)

/** An order's status history, shown on its page; never goes back. */
export const orderStep = pgTable(
  'order_step',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    fulfillmentStatus: text('fulfilment_status').notNull().$type<FulfillmentStatus>(),
    takenAt: moment().notNull(),
  },
  (t) => [
    index().on(t.orderId),
    index('order_step_delivered')
      .on(t.takenAt)
      .where(sql`${t.fulfillmentStatus} = 'delivered'`),
  ],
)

/** An emailed link to an order's page. The row outlives the link: with an expired one, a new link can be requested. */
export const orderAccess = pgTable(
  'order_access',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId)],
)

/** An hour in which the order's page was opened by an emailed link. Nothing about who opened it. */
export const orderVisit = pgTable(
  'order_visit',
  {
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    hour: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.hour] })],
)

/** A session that found an order by number and email, and may see it for a while. */
export const orderViewer = pgTable(
  'order_viewer',
  {
    sessionId: text()
      .notNull()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'cascade' }),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    until: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.orderId] }), index().on(t.orderId)],
)

/** What the owner wrote about an order; the customer never sees it. */
export const orderNote = pgTable(
  'order_note',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    author: text().notNull(),
    words: text().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId)],
)

/** An order's recipient before and after a correction. The audit log has no personal data of it. */
export const orderCorrection = pgTable(
  'order_correction',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    madeBy: text().notNull().$type<Corrector>(),
    before: jsonb().notNull().$type<CorrectedFacts>(),
    after: jsonb().notNull().$type<CorrectedFacts>(),
    correctedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.orderId),
    check('corrected_by_one_of_them', sql`${t.madeBy} in ('shopper', 'owner')`),
    // For data requests.
    index('correction_of_email').on(sql`lower(${t.before}->>'email')`),
  ],
)

/** The corrected fields. The tax number is stored only with its order. */
export type CorrectedFacts = {
  name?: string
  email?: string
  phone?: string | null
  address?: Address
  lines?: Pick<OrderedLine, 'productName' | 'variantName' | 'quantity' | 'unitPrice'>[]
}

/** An order of a former shop, as its export has it: read-only, and in none of our books. */
export const pastOrder = pgTable(
  'past_order',
  {
    id: serial().primaryKey(),
    shop: text().notNull().$type<FormerShop>(),
    /** Theirs, without `#`. */
    orderNumber: text().notNull(),
    /** In lower case; empty once erased. */
    customerEmail: text().notNull(),
    customerName: text(),
    placedAt: moment().notNull(),
    status: text().notNull().$type<FormerOrderStatus>(),
    shippingCents: money().notNull(),
    taxCents: money().notNull(),
    discountCents: money().notNull(),
    totalCents: money().notNull(),
    refundedCents: money().notNull(),
    importedAt: moment().notNull(),
  },
  (t) => [
    unique().on(t.shop, t.orderNumber),
    index().on(t.customerEmail),
    index().on(t.placedAt),
    check('past_order_status_known', oneOf(t.status, formerOrderStatuses)),
    notNegative(
      'past_order_not_negative',
      ...[t.shippingCents, t.taxCents, t.discountCents, t.totalCents, t.refundedCents],
    ),
  ],
)

export const pastOrderLine = pgTable(
  'past_order_line',
  {
    pastOrderId: integer()
      .notNull()
      .references(() => pastOrder.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    productName: text().notNull(),
    sku: text(),
    quantity: integer().notNull(),
    totalCents: money().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.pastOrderId, t.position] }),
    check('past_order_line_sane', sql`${t.quantity} > 0 and ${t.totalCents} >= 0`),
  ],
)

/** Changes of paid orders and their difference in money. What was corrected is in `orderCorrection`. */
export const orderChange = pgTable(
  'order_change',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    madeBy: text().notNull().$type<Corrector>(),
    kind: text().notNull().$type<ChangeKind>(),
    /** Negative: refunded; positive: to be paid. */
    amountCents: money().notNull(),
    state: text().notNull().$type<ChangeState>(),
    /** The order after the change; null for one without an effect on money. */
    plan: jsonb().$type<ChangePlan>(),
    /** Until when its difference can be paid. */
    expiresAt: moment(),
    /** The order's own time for changes, which continues once the change is paid or has lapsed. */
    resumesAt: moment(),
    /** The card payment of the difference; stored once somebody begins to pay. */
    intentId: text().unique(),
    clientSecret: text(),
    /** The settled payment of the difference. */
    paymentKey: text()
      .unique()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.orderId, t.id),
    uniqueIndex('order_change_awaiting')
      .on(t.orderId)
      .where(sql`${t.state} = 'awaiting_payment'`),
    check('order_change_made_by_known', sql`${t.madeBy} in ('shopper', 'owner')`),
    check('order_change_kind_known', oneOf(t.kind, changeKinds)),
    check('order_change_state_known', oneOf(t.state, changeStates)),
  ],
)

/** What a sale, a change or a refund added to the tax report: docs/decisions on the tax report. Never changed. */
export const taxBooking = pgTable(
  'tax_booking',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** Of the posting, such as `sale:stripe:pi_1`; `change:5:before` for what a change took back. */
    key: text().notNull().unique(),
    kind: text().notNull().$type<TaxBookingKind>(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    refundId: integer().references(() => refund.id),
    country: text().notNull(),
    /** Empty where states have no taxes of their own. */
    state: text().notNull(),
    /** Signed, as are the parts: what a refund takes is negative. */
    netCents: money().notNull(),
    taxCents: money().notNull(),
    vatProtectionCents: money().notNull(),
    /** By rate; they sum to the tax. */
    parts: jsonb().notNull().$type<TaxPart[]>(),
    bookedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.orderId),
    index().on(t.refundId),
    index().on(t.bookedAt),
    check('tax_booking_kind_known', oneOf(t.kind, taxBookingKinds)),
  ],
)

/** A transaction of the tax source, as it answered: a recorded sale, or a reversal with negative amounts. Never changed. */
export const taxTransaction = pgTable(
  'tax_transaction',
  {
    /** The tax source's. */
    id: text().primaryKey(),
    reference: text().notNull(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** The sale that it reverses. */
    reverses: text(),
    netCents: money().notNull(),
    taxCents: money().notNull(),
    lines: jsonb().notNull().$type<RecordedLine[]>(),
    postedAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId), index().on(t.postedAt)],
)
