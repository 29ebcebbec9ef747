import { createHash } from 'node:crypto'
import type { SiteSettings } from '#site/shop-rules.ts'
import {
  asDocument,
  euroTaxOf,
  invoiceNumber,
  linesFor,
  linesOfOrder,
  linesOfRefund,
  netOfLines,
  restOfDocuments,
  totalOfAmounts,
  type InvoiceBuyer,
  type InvoiceContent,
  type InvoiceLine,
} from '#domain/invoices/invoice.ts'
import { vatTreatmentOf } from '#domain/invoices/vat.ts'
import { addTax, NO_TAX } from '#domain/tax/bookings.ts'
import { assert } from '#shared/assert.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { formatOrderNumber, readPaymentKey, type OrderId } from '#shared/ids.ts'
import { ZERO } from '#shared/money.ts'
import { dayIn } from '#shared/time-zone.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readPaperLogo } from '#server/pictures/pictures.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { invoicePaper } from './invoice-paper.ts'
import {
  contentOf,
  insertInvoice,
  listInvoicedBookings,
  listInvoices,
  listUndocumented,
  takeNumber,
  type StoredInvoice,
} from './invoice-store.ts'
import { isSale, listLinesEver, listOrderLines, lockOrder, type Order } from './orders.ts'
import { findRefund } from './refunds.ts'
import { amountsOfBooking, listBookings, type TaxBooking } from './tax-bookings.ts'

type InvoiceNeeds = Needs<'db' | 'clock' | 'config'>

/** So that a leaked link cannot use up numbers. */
const INVOICES_MAX = 5

/** Whether the settings name a seller; without one there are no invoices. */
export const hasSeller = ({ seller }: Pick<SiteSettings, 'seller'>): boolean => seller.name !== ''

/**
 * Issues the invoice of an order to this buyer, with a credit note for each refund so far. If there is one for another buyer, a credit
 * note takes it back and a new one is issued: documents never change. The same buyer again gets what there is.
 * @throws Refusal `invoice_unavailable` without a seller, a payment, or once the customer is erased; `invoice_nothing_left` to correct
 *   when all was refunded; `invoice_corrected_often`
 */
export const issueInvoice = (shop: InvoiceNeeds, orderId: OrderId, buyer: InvoiceBuyer): Promise<StoredInvoice[]> =>
  shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const site = await readSiteSettings(tx)
    if (!isSale(order) || order.erasedAt || !hasSeller(site)) throw new Refusal('invoice_unavailable')
    const issued = await listInvoices(tx, orderId)
    const of = { shop, order, site }
    if (issued.length === 0) await issueFirst(tx, of, buyer)
    await issueFollowing(tx, of)
    const last = issued.findLast(({ isWhole }) => isWhole)
    if (last && !isSame(contentOf(last)?.buyer, buyer)) await reissue(tx, of, buyer)
    return listInvoices(tx, orderId)
  })

/** Issues what was booked since for orders with an invoice: credit notes of refunds, and of changes with the invoices after them. Safe to repeat. */
export async function issueMissing(shop: InvoiceNeeds, since: Date, limit: number): Promise<void> {
  for (const orderId of await listUndocumented(shop.db, since, limit))
    await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      await issueFollowing(tx, { shop, order, site: await readSiteSettings(tx) })
    })
}

type Of = { shop: InvoiceNeeds; order: Order; site: SiteSettings }

const isSame = (one: InvoiceBuyer | undefined, other: InvoiceBuyer): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const isPlainRefund = async (tx: Tx, { refundId }: TaxBooking): Promise<boolean> =>
  refundId !== null && (await findRefund(tx, refundId))?.changeId === null

/** The whole order as it is now: what changed before somebody asked for an invoice needs no documents. */
async function issueFirst(tx: Tx, of: Of, buyer: InvoiceBuyer): Promise<void> {
  const stated: TaxBooking[] = []
  for (const booking of await listBookings(tx, of.order.id))
    if (!(await isPlainRefund(tx, booking))) stated.push(booking)
  const amounts = stated.map(amountsOfBooking).reduce(addTax, NO_TAX)
  const lines = linesFor(amounts.net, await linesNow(tx, of.order), 'To be refunded after a change')
  const bookings = stated.map(({ id }) => id)
  await issue(tx, of, { kind: 'invoice', reason: null, buyer, lines, amounts, bookings, isWhole: true, corrects: null })
}

const linesNow = async (tx: Tx, order: Order): Promise<InvoiceLine[]> =>
  linesOfOrder(await listOrderLines(tx, order.id), {
    shipping: order.shippingCents,
    shippingMethod: order.shippingMethod,
    surcharges: order.shippingSurcharges,
  })

/** A document for each booking that has none. @param of its order, locked, with an invoice */
async function issueFollowing(tx: Tx, of: Of): Promise<void> {
  const stated = await listInvoicedBookings(tx, of.order.id)
  for (const booking of await listBookings(tx, of.order.id)) {
    if (stated.has(booking.id)) continue
    const corrects = (await listInvoices(tx, of.order.id)).findLast(({ isWhole }) => isWhole)
    const buyer = corrects && contentOf(corrects)?.buyer
    if (!corrects || !buyer) return
    const { kind, amounts } = asDocument(amountsOfBooking(booking))
    const { reason, lines } = await wordsOf(tx, of.order, booking)
    const exact = netOfLines(lines) === amounts.net ? lines : linesFor(amounts.net, [], reason)
    await issue(tx, of, {
      ...{ kind, reason, buyer, lines: exact, amounts },
      ...{ bookings: [booking.id], isWhole: false, corrects },
    })
  }
}

/** Why a booking has a document, and lines that it may consist of. */
async function wordsOf(tx: Tx, order: Order, booking: TaxBooking): Promise<{ reason: string; lines: InvoiceLine[] }> {
  const number = formatOrderNumber(order.orderNumber)
  if (booking.kind !== 'refund')
    return booking.key.endsWith(':before')
      ? { reason: `Order ${number} before it was changed`, lines: [] }
      : { reason: `Order ${number} after it was changed`, lines: await linesNow(tx, order) }
  const refund = booking.refundId === null ? undefined : await findRefund(tx, booking.refundId)
  const goods = (refund?.pieces ?? []).flatMap(({ position, quantity }) => [{ position, quantity }])
  const lines = await listLinesEver(tx, order.id)
  const pieces = goods.flatMap(({ position, quantity }) =>
    lines.filter((line) => line.position === position).map((line) => ({ ...line, quantity })),
  )
  const isBack = booking.taxCents >= ZERO && booking.netCents >= ZERO
  return {
    reason: isBack ? `A refund of order ${number} did not arrive` : `Refund of order ${number}`,
    lines: refund?.parts ? linesOfRefund(pieces, refund.parts) : [],
  }
}

/** Takes back what is left for the former buyer and states it for the new one. */
async function reissue(tx: Tx, of: Of, buyer: InvoiceBuyer): Promise<void> {
  const issued = await listInvoices(tx, of.order.id)
  if (issued.filter(({ isWhole }) => isWhole).length >= INVOICES_MAX) throw new Refusal('invoice_corrected_often')
  const from = issued.findLastIndex(({ isWhole }) => isWhole)
  const corrects = issued[from]
  const former = corrects && contentOf(corrects)
  assert(former, 'an invoice of a customer who is not erased')
  const { lines, amounts } = restOfDocuments(issued.slice(from).flatMap((document) => contentOf(document) ?? []))
  if (totalOfAmounts(amounts) <= ZERO) throw new Refusal('invoice_nothing_left')
  const reason = `Correction of the buyer’s details on ${former.number}`
  const alike = { lines, amounts, reason, bookings: [], corrects }
  await issue(tx, of, { ...alike, kind: 'credit_note', buyer: former.buyer, isWhole: false })
  await issue(tx, of, { ...alike, kind: 'invoice', buyer, isWhole: true })
}

type Draft = Pick<InvoiceContent, 'kind' | 'reason' | 'buyer' | 'lines' | 'amounts'> & {
  bookings: readonly number[]
  isWhole: boolean
  corrects: StoredInvoice | null
}

async function issue(
  tx: Tx,
  { shop: { clock, config }, order, site }: Of,
  { bookings, isWhole, corrects, ...draft }: Draft,
): Promise<StoredInvoice> {
  const now = clock.now()
  const dayOf = (at: Date): string => isoOfDay(dayIn(config.reportTimeZone, at.getTime()))
  const issuedOn = dayOf(now)
  const paidOn = dayOf(order.createdAt)
  const year = Number(issuedOn.slice(0, 4))
  const seller = { ...site.seller, ...site.sellerNumbers, email: site.supportEmail }
  const { city, country } = order.shippingAddress
  const untaxed = { isExport: site.untaxedAbroad === 'export', exemption: site.vatExemption }
  const vat = vatTreatmentOf(draft.amounts, seller, untaxed, country)
  const position = await takeNumber(tx, year)
  const content: InvoiceContent = {
    ...draft,
    number: invoiceNumber(site.invoicePrefix, year, position),
    ...{ issuedOn, paidOn, seller, vat },
    orderNumber: formatOrderNumber(order.orderNumber),
    paidWith: readPaymentKey(order.paymentKey)?.provider === 'paypal' ? 'paypal' : 'card',
    corrects: corrects && { number: corrects.number, day: dayOf(corrects.issuedAt) },
    deliveredTo: { city, country },
    euroTax: 'category' in vat && vat.category === 'S' ? euroTaxOf(draft.amounts.tax, paidOn, site.ecbRates) : null,
  }
  const logo = await readPaperLogo(tx, site.logo)
  const file = await invoicePaper(content, { name: site.name, email: site.supportEmail, logo, issuedAt: now })
  const { net: netCents, tax: taxCents, vatProtection: vatProtectionCents } = draft.amounts
  return insertInvoice(
    tx,
    {
      ...{ orderId: order.id, kind: draft.kind, year, position, number: content.number, isWhole },
      ...{ correctsId: corrects?.id ?? null, content: JSON.stringify(content), file, netCents, taxCents },
      ...{ fileHash: createHash('sha256').update(file).digest('hex'), vatProtectionCents, issuedAt: now },
    },
    bookings,
  )
}
