import * as z from 'zod/mini'
import { invoiceKinds } from '#domain/invoices/invoice.ts'
import { daysOfMonth } from '#shared/month.ts'
import { call } from './call.ts'
import { buyersName, WireAddress } from './checkout.ts'
import { OrderKey } from './orders.ts'
import { centsAnswer, isoMoment, optionalLine, pathId } from './wire.ts'

/** An issued invoice or credit note. */
const Invoice = z.object({
  id: z.int(),
  kind: z.enum(invoiceKinds),
  number: z.string(),
  issuedAt: isoMoment,
  /** With tax; positive in a credit note too. */
  total: centsAnswer,
  /** Of the buyer; null once erased. */
  buyer: z.nullable(z.string()),
  /** Why its PDF has no structured form of the European standard inside; null if it has one. */
  withoutStructure: z.nullable(z.string()),
})
export type Invoice = z.output<typeof Invoice>

export const InvoiceRequest = z.object({
  name: buyersName,
  company: optionalLine(120),
  /** Checked by the format of the address's country. */
  company_number: optionalLine(40),
  address: WireAddress,
})
export type InvoiceRequest = z.output<typeof InvoiceRequest>

const Invoices = z.object({
  /** Whether one can be issued: the settings name a seller, and the order was paid. */
  isAvailable: z.boolean(),
  invoices: z.array(Invoice),
})
export type Invoices = z.output<typeof Invoices>

const issueRefusals = [
  ...(['invoice_unavailable', 'invoice_nothing_left', 'invoice_corrected_often', 'country_unsupported'] as const),
] as const
const ofOrder = z.object({ number: z.string().check(z.maxLength(40)) })
const ofInvoice = z.object({ id: pathId<number>() })

const MONTH_SENTENCE = 'Please enter a month, such as 2026-11'
const month = z.string(MONTH_SENTENCE).check(z.refine((text) => daysOfMonth(text) !== undefined, MONTH_SENTENCE))

/** Of the customer, through an emailed link or in the browser that paid. */
export const invoiceCalls = {
  list: call({
    method: 'GET',
    path: '/api/order/invoices',
    access: 'anyone',
    summary: 'Invoices and credit notes of an order, oldest first.',
    query: OrderKey,
    answer: Invoices,
    refusals: ['order_not_shown', 'link_expired'],
  }),
  issue: call({
    method: 'POST',
    path: '/api/order/invoices',
    access: 'anyone',
    summary: 'Issues the invoice of an order; to another buyer than before, a credit note takes the former one back.',
    body: z.extend(InvoiceRequest, OrderKey.shape),
    answer: Invoices,
    refusals: ['order_not_shown', 'link_expired', ...issueRefusals],
  }),
  file: call({
    method: 'GET',
    path: '/api/order/invoices/:id/file',
    access: 'anyone',
    summary: 'An invoice or credit note of an order as PDF.',
    params: ofInvoice,
    query: OrderKey,
    answer: 'file',
    refusals: ['order_not_shown', 'link_expired', 'unknown_invoice'],
  }),
}

export const adminInvoiceCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/invoices',
    access: 'read_figures',
    summary: 'Invoices and credit notes issued in a month, in the order of their numbers; without one, in this month.',
    query: z.object({ month: z.optional(month) }),
    answer: z.object({
      month: z.string(),
      /** With documents, latest first, and this month. */
      months: z.array(z.string()),
      timeZone: z.string(),
      invoices: z.array(z.extend(Invoice, { orderNumber: z.string() })),
      /** Whether the settings name a seller. */
      hasSeller: z.boolean(),
    }),
    refusals: [],
  }),
  files: call({
    method: 'GET',
    path: '/api/admin/invoices/file',
    access: 'read_figures_fresh',
    summary: 'The documents of a month: a list as CSV, or all PDFs with it in an archive.',
    query: z.object({ month, layout: z.enum(['csv', 'zip']) }),
    answer: 'file',
    refusals: [],
  }),
  ofOrder: call({
    method: 'GET',
    path: '/api/admin/orders/:number/invoices',
    access: 'read_orders',
    summary: 'Invoices and credit notes of an order, oldest first.',
    params: ofOrder,
    answer: Invoices,
    refusals: ['unknown_order'],
  }),
  issue: call({
    method: 'POST',
    path: '/api/admin/orders/:number/invoices',
    access: 'edit_orders',
    summary: 'Issues the invoice of an order; to another buyer than before, a credit note takes the former one back.',
    params: ofOrder,
    body: InvoiceRequest,
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_order', ...issueRefusals],
  }),
  file: call({
    method: 'GET',
    path: '/api/admin/invoices/:id/file',
    access: 'read_orders',
    summary: 'An invoice or credit note as PDF.',
    params: ofInvoice,
    answer: 'file',
    refusals: ['unknown_invoice'],
  }),
}
