import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { addressWithoutPerson, evidenceWithoutPerson, needsCustomerData } from '#domain/privacy/anonymize.ts'
import { formatOrderNumber, type OrderId, type PaymentKey } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { type Email, ERASED, type Fates, type PersonalData } from '#server/db/personal-data.ts'
import { countPastOrders, erasePastOrders, erasePastOrdersBefore, exportPastOrders } from './past-orders.ts'
import type * as invoices from './invoice-schema.ts'
import { contentOf, eraseInvoicesBefore, listInvoicesOf } from './invoice-store.ts'
import { listTrackingEvents } from './production.ts'
import type * as schema from './schema.ts'
import {
  orderAccess,
  orderChange,
  orderCorrection,
  orderLine,
  orderNote,
  orderViewer,
  orderVisit,
  refund,
  shipment,
  shopOrder,
  trackingEvent,
} from './schema.ts'

type StoredOrder = typeof shopOrder.$inferSelect

const listOrders = (db: Reader, email: Email): Promise<StoredOrder[]> =>
  db
    .select()
    .from(shopOrder)
    .where(sql`lower(${shopOrder.customerEmail}) = ${email}`)
    .orderBy(asc(shopOrder.id))

const idsOf = (orders: readonly { id: OrderId }[]): OrderId[] => orders.map(({ id }) => id)

/** Corrected when the order had this email. */
const isFormerEmail = (email: Email) => sql`lower(${orderCorrection.before}->>'email') = ${email}`

export const personalData = {
  fates: {
    shopOrder: {
      paidCard: 'erased',
      attentionReason: 'erased',
      termsVersion: 'kept: what was agreed to',
      currency: 'kept: always usd',
      shippingMethod: 'kept: part of the receipt',
      shippingSurcharges: 'kept: part of the receipt',
      discounts: 'kept: part of the receipt',
      customerEmail: 'erased',
      customerName: 'erased',
      customerPhone: 'erased',
      taxNumber: 'erased',
      texts: 'erased',
      shippingAddress: 'erased',
      billingAddress: 'erased',
      collection: 'kept: of the catalog',
      shownRate: 'kept: part of the receipt',
      externalId: 'kept: the order’s number',
      taxEvidence: 'erased',
      taxTransactionId: 'kept: the tax provider’s id',
    },
    orderLine: {
      productName: 'kept: part of the receipt',
      variantName: 'kept: part of the receipt',
      imageUrl: 'kept: of the catalog',
      collection: 'kept: of the catalog',
    },
    shipment: {
      carrier: 'kept: one of the printer’s',
      service: 'kept: one of the printer’s',
      trackingNumber: 'kept: the carrier’s number',
      trackingUrl: 'kept: the carrier’s page of that number',
      items: 'kept: variants and quantities',
    },
    trackingEvent: 'deleted',
    refund: {
      providerRefundId: 'kept: the provider’s id',
      parts: 'kept: amounts',
      pieces: 'kept: lines and quantities',
      reason: 'erased',
      reference: 'kept: as the bank’s statement shows it',
      taxReversalId: 'kept: the tax provider’s id',
    },
    taxBooking: {
      key: 'kept: names a posting',
      country: 'kept: where tax was owed',
      state: 'kept: where tax was owed',
      parts: 'kept: rates and amounts',
    },
    taxTransaction: {
      id: 'kept: the tax provider’s id',
      reference: 'kept: the order’s number',
      reverses: 'kept: the tax provider’s id',
      lines: 'kept: amounts',
    },
    orderStep: {},
    orderChange: {
      plan: 'erased',
      intentId: 'kept: the provider’s id',
      clientSecret: 'erased',
    },
    orderAccess: 'deleted',
    orderViewer: 'deleted',
    orderVisit: 'deleted',
    orderNote: 'deleted',
    orderCorrection: 'deleted',
    pastOrder: {
      orderNumber: 'kept: the former shop’s number',
      customerEmail: 'erased',
      customerName: 'erased',
    },
    pastOrderLine: {
      productName: 'kept: part of the receipt',
      sku: 'kept: of the former shop’s catalog',
    },
    invoiceSeries: {},
    invoiceDocument: {
      number: 'kept: of the series without gaps',
      content: 'kept: tax laws want invoices kept, so nobody is erased from them until then',
      file: 'kept: as its content',
      fileHash: 'kept: proves the file',
    },
    invoicedBooking: {},
  } satisfies Fates<typeof schema & typeof invoices>,

  /** The orders of an email. */
  async find(db: Reader, email: Email) {
    const all = await listOrders(db, email)
    const { active = [], done = [] } = Object.groupBy(all, ({ fulfillmentStatus, paymentStatus }) =>
      needsCustomerData(fulfillmentStatus, paymentStatus) ? 'active' : 'done',
    )
    return { all, active, done }
  },

  /** @param payers hashes that recognize later purchases with the same card or wallet */
  async export(db: Reader, email: Email, orders: readonly StoredOrder[], payers: Map<PaymentKey, string | null>) {
    const ids = idsOf(orders)
    const lines = Map.groupBy(
      await db
        .select()
        .from(orderLine)
        .where(inArray(orderLine.orderId, ids))
        .orderBy(asc(orderLine.orderId), asc(orderLine.position)),
      ({ orderId }) => orderId,
    )
    const parcels = await db.select().from(shipment).where(inArray(shipment.orderId, ids)).orderBy(asc(shipment.id))
    const visits = await db
      .select()
      .from(orderVisit)
      .where(inArray(orderVisit.orderId, ids))
      .orderBy(asc(orderVisit.hour))
    const events = await listTrackingEvents(
      db,
      parcels.map(({ id }) => id),
    )
    const corrections = await db
      .select()
      .from(orderCorrection)
      .where(or(isFormerEmail(email), inArray(orderCorrection.orderId, ids)))
      .orderBy(asc(orderCorrection.id))
    return {
      orders: orders.map((order) => ({
        orderNumber: formatOrderNumber(order.orderNumber),
        paidAt: order.createdAt,
        payment: order.paymentKey,
        card: order.paidCard,
        cardOrWallet: (order.paymentKey && payers.get(order.paymentKey)) ?? null,
        status: { money: order.paymentStatus, making: order.fulfillmentStatus },
        customer: { name: order.customerName, email: order.customerEmail, phone: order.customerPhone },
        taxNumber: order.taxNumber,
        texts: order.texts,
        shippingAddress: order.shippingAddress,
        billingAddress: order.billingAddress,
        lines: (lines.get(order.id) ?? []).map(({ productName, variantName, quantity, unitPrice }) => ({
          ...{ productName, variantName, quantity, unitPriceCents: unitPrice },
        })),
        subtotalCents: order.subtotalCents,
        ...(order.discounts.length > 0 && { codes: order.discounts.map(({ code }) => code) }),
        shippingCents: order.shippingCents,
        taxCents: order.taxCents,
        vatProtectionCents: order.vatProtectionCents,
        totalCents: order.totalCents,
        pageOpenedByLink: visits.filter(({ orderId }) => orderId === order.id).map(({ hour }) => hour),
      })),
      parcels: parcels.map(({ id, carrier, trackingNumber, shippedAt, deliveredAt, returnedAt }) => ({
        ...{ carrier, trackingNumber, shippedAt, deliveredAt, returnedAt },
        reported: events
          .filter(({ shipmentId }) => shipmentId === id)
          .map(({ happenedAt, description }) => ({ happenedAt, description })),
      })),
      invoices: (await listInvoicesOf(db, ids)).map((invoice) => ({
        ...{ kind: invoice.kind, number: invoice.number, issuedAt: invoice.issuedAt },
        content: contentOf(invoice),
      })),
      ordersOfFormerShops: await exportPastOrders(db, email),
      corrections: corrections.map(({ orderId, madeBy, before, after, correctedAt }) => ({
        ...{ madeBy, correctedAt },
        // The order's former email does not get the new one's data.
        ...(ids.includes(orderId) ? { before, after } : { before }),
      })),
    }
  },

  async eraseOrders(tx, orders, now) {
    const ids = idsOf(orders)
    for (const { id, shippingAddress, taxEvidence } of await tx
      .select()
      .from(shopOrder)
      .where(inArray(shopOrder.id, ids))
      .orderBy(asc(shopOrder.id)))
      await tx
        .update(shopOrder)
        .set({
          customerEmail: '',
          customerName: '',
          customerPhone: null,
          taxNumber: null,
          texts: null,
          attentionReason: null,
          paidCard: null,
          shippingAddress: addressWithoutPerson(shippingAddress),
          billingAddress: null,
          taxEvidence: taxEvidence && evidenceWithoutPerson(taxEvidence),
          erasedAt: now,
          updatedAt: now,
        })
        .where(eq(shopOrder.id, id))
    await tx.update(orderChange).set({ plan: null, clientSecret: null }).where(inArray(orderChange.orderId, ids))
    // Free text can contain personal data.
    await tx.update(refund).set({ reason: ERASED }).where(inArray(refund.orderId, ids))
    // Places in it tell where the customer lives.
    const parcels = tx.select({ id: shipment.id }).from(shipment).where(inArray(shipment.orderId, ids))
    await tx.delete(trackingEvent).where(inArray(trackingEvent.shipmentId, parcels))
    for (const table of [orderNote, orderCorrection, orderAccess, orderViewer, orderVisit])
      await tx.delete(table).where(inArray(table.orderId, ids))
  },

  async erasePerson(tx, { email }) {
    await tx.delete(orderCorrection).where(isFormerEmail(email))
    await erasePastOrders(tx, email)
  },

  eraseInvoicesBefore,
  countPast: countPastOrders,
  erasePastBefore: erasePastOrdersBefore,

  listBefore: (db: Reader, before: Date, limit: number): Promise<StoredOrder[]> =>
    db
      .select()
      .from(shopOrder)
      .where(and(lt(shopOrder.createdAt, before), isNull(shopOrder.erasedAt)))
      .orderBy(asc(shopOrder.createdAt))
      .limit(limit),
} satisfies PersonalData
