import type { Address } from '#domain/checkout/address.ts'
import { addTax, negateTax, type TaxAmounts } from '#domain/tax/bookings.ts'
import { decimalIn, minus, negate, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { isoOfDay, dayFromIso } from '#shared/calendar-day.ts'
import type { VatTreatment } from './vat.ts'

export const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

export const invoiceNames: Readonly<Record<InvoiceKind, string>> = { invoice: 'Invoice', credit_note: 'Credit note' }

/** Amounts without tax. What an earlier credit note took from an invoice has a negative quantity. */
export type InvoiceLine = { name: string; detail: string | null; quantity: number; unitPrice: Cents }

export type InvoiceBuyer = { name: string; company: string | null; taxNumber: string | null; address: Address }

/** What an invoice says about the shop; empty texts are left out. */
export type InvoiceSeller = {
  name: string
  street: string
  postalCode: string
  city: string
  state: string
  /** ISO 3166-1 alpha-2. */
  country: string
  email: string
  vatId: string
  taxNumber: string
  register: string
}

/** Tax in euros, at the rate of a day. */
export type EuroTax = { day: string; perEuro: number; amount: string }

/**
 * An issued document as it is frozen. Amounts are positive in a credit note too; its kind says that they go back.
 * Days are ISO dates in the shop's time zone.
 */
export type InvoiceContent = {
  number: string
  kind: InvoiceKind
  issuedOn: string
  orderNumber: string
  paidOn: string
  paidWith: 'card' | 'paypal'
  /** The invoice that it corrects, with its day. */
  corrects: { number: string; day: string } | null
  /** Why it was issued, for its reader; null for the first invoice. */
  reason: string | null
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  /** Where the goods were to go, without the street. */
  deliveredTo: { city: string; country: string }
  lines: InvoiceLine[]
  amounts: TaxAmounts
  /** How the structured form states its tax; otherwise why there is no structured form. */
  vat: VatTreatment | { objection: string }
  euroTax: EuroTax | null
}

export const netOfLine = ({ quantity, unitPrice }: Pick<InvoiceLine, 'quantity' | 'unitPrice'>): Cents =>
  times(unitPrice, quantity)
export const netOfLines = (lines: readonly InvoiceLine[]): Cents => sum(lines.map(netOfLine))

export const totalOfAmounts = ({ net, tax, vatProtection }: Omit<TaxAmounts, 'parts'>): Cents =>
  sum([net, tax, vatProtection])

/** `2026-000001`, or `R-2026-000001` with a prefix. */
export const invoiceNumber = (prefix: string, year: number, position: number): string =>
  `${prefix}${prefix && '-'}${year}-${String(position).padStart(6, '0')}`

type OrderedGoods = { productName: string; variantName: string | null; quantity: number; unitPrice: Cents }
type Sending = {
  /** With surcharges. */
  shipping: Cents
  shippingMethod: string
  surcharges: readonly { productName: string; amount: Cents }[]
}

const single = (name: string, amount: Cents, detail: string | null = null): InvoiceLine[] =>
  amount === ZERO
    ? []
    : [{ name, detail, quantity: amount < ZERO ? -1 : 1, unitPrice: amount < ZERO ? negate(amount) : amount }]

/** The lines of an order. They sum to its amount without tax. */
export const linesOfOrder = (
  goods: readonly OrderedGoods[],
  { shipping, shippingMethod, surcharges }: Sending,
): InvoiceLine[] => [
  ...goods.map(({ productName: name, variantName: detail, quantity, unitPrice }) => ({
    ...{ name, detail, quantity, unitPrice },
  })),
  ...single('Shipping', minus(shipping, sum(surcharges.map(({ amount }) => amount))), shippingMethod || null),
  ...surcharges.flatMap(({ productName, amount }) => single('Shipping surcharge', amount, productName)),
]

/** The lines of a refund. Pieces are named where it is for exactly these. */
export function linesOfRefund(
  pieces: readonly OrderedGoods[],
  { merchandise, shipping, surcharge }: { merchandise: Cents; shipping: Cents; surcharge: Cents },
): InvoiceLine[] {
  const goods = linesOfOrder(pieces, { shipping: ZERO, shippingMethod: '', surcharges: [] })
  return [
    ...(netOfLines(goods) === merchandise ? goods : single('Refund for goods', merchandise)),
    ...single('Refund for shipping', shipping),
    ...single('Refund for shipping surcharges', surcharge),
  ]
}

/** Lines that sum to what was booked: these, with one for what they lack. */
export const linesFor = (net: Cents, lines: readonly InvoiceLine[], rest: string): InvoiceLine[] => [
  ...lines,
  ...single(rest, minus(net, netOfLines(lines))),
]

const takenBack = (lines: readonly InvoiceLine[]): InvoiceLine[] =>
  lines.map((line) => ({ ...line, quantity: -line.quantity }))

/** What is left of an order by its documents, since the last that stated all of it. @param documents oldest first, beginning with that one */
export function restOfDocuments(documents: readonly Pick<InvoiceContent, 'kind' | 'lines' | 'amounts'>[]): {
  lines: InvoiceLine[]
  amounts: TaxAmounts
} {
  const [first, ...later] = documents.map(({ kind, lines, amounts }) =>
    kind === 'invoice' ? { lines, amounts } : { lines: takenBack(lines), amounts: negateTax(amounts) },
  )
  return later.reduce(
    (rest, { lines, amounts }) => ({ lines: [...rest.lines, ...lines], amounts: addTax(rest.amounts, amounts) }),
    first ?? { lines: [], amounts: { net: ZERO, tax: ZERO, vatProtection: ZERO, parts: [] } },
  )
}

/** A booking as a document: negative amounts become a credit note with positive ones. */
export const asDocument = (amounts: TaxAmounts): { kind: InvoiceKind; amounts: TaxAmounts } =>
  totalOfAmounts(amounts) < ZERO ? { kind: 'credit_note', amounts: negateTax(amounts) } : { kind: 'invoice', amounts }

const RATE_AGE_MAX_DAYS = 31

/**
 * The tax in euros at the newest known rate until the day of payment. EU law wants VAT in the national currency, at the European Central
 * Bank's rate if need be (Directive 2006/112/EC, Articles 91 and 230).
 * @returns null without a rate of the month before
 */
export function euroTaxOf(tax: Cents, day: string, rates: readonly { day: string; perEuro: number }[]): EuroTax | null {
  const oldest = isoOfDay((dayFromIso(day) ?? 0) - RATE_AGE_MAX_DAYS)
  const rate = rates
    .filter((one) => one.day <= day && one.day >= oldest)
    .toSorted((a, b) => (a.day < b.day ? 1 : -1))[0]
  if (!rate) return null
  return { ...rate, amount: decimalIn(tax, rate.perEuro) }
}
