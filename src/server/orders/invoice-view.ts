import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Invoice, InvoiceRequest, Invoices } from '#contract/invoices.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { invoiceNames, totalOfAmounts, type InvoiceBuyer } from '#domain/invoices/invoice.ts'
import { spanOf } from '#domain/ledger/months.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId } from '#shared/ids.ts'
import { decimalFromCents, negate } from '#shared/money.ts'
import { monthOfDay, monthsBetween, type Month } from '#shared/month.ts'
import { dayIn } from '#shared/time-zone.ts'
import { addressFrom } from '#server/checkout/wire.ts'
import type { Reader } from '#server/db/db.ts'
import { csvCell } from '#server/files/csv.ts'
import { zip } from '#server/files/zip.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { companyNumberFrom } from './company-number.ts'
import {
  contentOf,
  findInvoiceFile,
  findInvoiceSpan,
  listInvoices,
  listInvoicesBetween,
  type StoredInvoice,
} from './invoice-store.ts'
import { hasSeller } from './invoices.ts'
import { isSale, orderNumbersOf, type Order } from './orders.ts'

type InvoiceNeeds = Needs<'db' | 'clock' | 'config'>

/** @throws Refusal `invalid` for the fields `address.…` and `company_number` */
export function buyerOf({ name, company, company_number: typed, address: wire }: InvoiceRequest): InvoiceBuyer {
  const address = addressFrom(wire, 'address')
  const taxNumber = typed ? companyNumberFrom(address.country, typed) : null
  if (taxNumber === undefined)
    throw new Refusal(
      'invalid',
      {},
      { company_number: `Please enter a tax number of ${countryName(address.country)}, or leave it empty` },
    )
  return { name, company: company ?? null, taxNumber, address }
}

const toInvoice = (stored: StoredInvoice): Invoice => {
  const { id, kind, number, issuedAt, netCents: net, taxCents: tax, vatProtectionCents: vatProtection } = stored
  const content = contentOf(stored)
  return {
    ...{ id, kind, number, issuedAt: issuedAt.toISOString(), total: totalOfAmounts({ net, tax, vatProtection }) },
    buyer: content && (content.buyer.company ?? content.buyer.name),
    withoutStructure: content && 'objection' in content.vat ? content.vat.objection : null,
  }
}

/** An order's documents. */
export async function showInvoices(db: Reader, order: Order): Promise<Invoices> {
  return {
    isAvailable: isSale(order) && !order.erasedAt && hasSeller(await readSiteSettings(db)),
    invoices: (await listInvoices(db, order.id)).map(toInvoice),
  }
}

/** A month's documents. */
export async function listMonthsInvoices(
  { db, clock, config: { reportTimeZone: timeZone } }: InvoiceNeeds,
  asked?: Month,
) {
  const now = clock.now()
  const today = dayIn(timeZone, now.getTime())
  const month = asked ?? monthOfDay(today)
  const span = await findInvoiceSpan(db)
  const from = span ? dayIn(timeZone, span.first.getTime()) : today
  const documents = await documentsOf(db, timeZone, month)
  const numbers = await orderNumbersOf(
    db,
    documents.map(({ orderId }) => orderId),
  )
  return {
    ...{ month, months: monthsBetween(from, today).toReversed(), timeZone },
    invoices: documents.map((stored) => ({ ...toInvoice(stored), orderNumber: numbers.get(stored.orderId) ?? '' })),
    hasSeller: hasSeller(await readSiteSettings(db)),
  }
}

function documentsOf(db: Reader, timeZone: string, month: Month): Promise<StoredInvoice[]> {
  const span = spanOf(timeZone, month, [])
  assert(span, 'a month that the contract has validated')
  return listInvoicesBetween(db, span.from, span.until)
}

const heading = [
  ...['Number', 'Kind', 'Issued', 'Order', 'Corrects', 'Buyer', 'Company', 'Tax number', 'Country'],
  ...['Without tax', 'Tax', 'Country Consumption Tax', 'Total', 'Currency', 'Structured form', 'SHA-256 of the PDF'],
]

/** The documents of a month for an accountant. Credit notes are negative, so that columns sum. */
export async function invoiceFiles(
  { db, config: { reportTimeZone } }: InvoiceNeeds,
  { month, layout }: { month: Month; layout: 'csv' | 'zip' },
): Promise<FileAnswer> {
  const documents = await documentsOf(db, reportTimeZone, month)
  const rows: string[][] = [heading]
  for (const document of documents) rows.push(await rowOf(db, document))
  const table = rows
    .map((row) => `${row.map((cell) => (AMOUNT.test(cell) ? cell : csvCell(cell))).join(',')}\r\n`)
    .join('')
  const name = `invoices-${month}`
  if (layout === 'csv') return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', bytes: Readable.from([table]) }
  async function* entries() {
    yield { name: `${name}.csv`, bytes: [Buffer.from(table)] }
    for (const { id } of documents) {
      const { name: fileName, bytes } = await readInvoice(db, id)
      if (bytes) yield { name: fileName, bytes: [bytes], isStored: true }
    }
  }
  return { name: `${name}.zip`, type: 'application/zip', bytes: zip(entries()) }
}

const AMOUNT = /^-?\d+\.\d\d$/

async function rowOf(db: Reader, stored: StoredInvoice): Promise<string[]> {
  const { kind, number, issuedAt, netCents: net, taxCents: tax, vatProtectionCents: vatProtection } = stored
  const content = contentOf(stored)
  const signed = (cents: typeof net) => decimalFromCents(kind === 'invoice' ? cents : negate(cents))
  const buyer = content?.buyer
  return [
    ...[number, invoiceNames[kind], content?.issuedOn ?? issuedAt.toISOString(), content?.orderNumber ?? ''],
    ...[content?.corrects?.number ?? '', buyer?.name ?? '', buyer?.company ?? '', buyer?.taxNumber ?? ''],
    ...[buyer?.address.country ?? '', signed(net), signed(tax), signed(vatProtection)],
    ...[signed(totalOfAmounts({ net, tax, vatProtection })), 'USD'],
    ...[content && 'category' in content.vat ? `EN 16931, ${content.vat.category}` : ''],
    (await findInvoiceFile(db, stored.id))?.fileHash ?? '',
  ]
}

/** A document's PDF, proven by its hash; without bytes once it is erased. @throws Refusal `unknown_invoice` */
async function readInvoice(db: Reader, id: number, of?: OrderId): Promise<{ name: string; bytes: Buffer | null }> {
  const found = await findInvoiceFile(db, id)
  if (!found || (of !== undefined && found.orderId !== of)) throw new Refusal('unknown_invoice')
  const { file, fileHash, kind, number } = found
  assert(
    file === null || createHash('sha256').update(file).digest('hex') === fileHash,
    `the file of ${number} is not the one that was issued`,
  )
  return { name: `${kind === 'invoice' ? 'invoice' : 'credit-note'}-${number}.pdf`, bytes: file }
}

/** @param of the order whose document it must be @throws Refusal `unknown_invoice`, also once it is erased */
export async function invoiceFile(db: Reader, id: number, of?: OrderId): Promise<FileAnswer> {
  const { name, bytes } = await readInvoice(db, id, of)
  if (!bytes) throw new Refusal('unknown_invoice')
  return { name, type: 'application/pdf', bytes: Readable.from([bytes]) }
}
