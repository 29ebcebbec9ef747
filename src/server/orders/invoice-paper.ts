import {
  invoiceNames,
  netOfLine,
  totalOfAmounts,
  type InvoiceContent,
  type InvoiceSeller,
} from '#domain/invoices/invoice.ts'
import { structuredInvoice } from '#domain/invoices/structured-invoice.ts'
import { addressLines } from '#domain/checkout/address.ts'
import { partLabel } from '#domain/tax/layouts.ts'
import { formatUsd, negate, ZERO } from '#shared/money.ts'
import { LEFT, openPaper, RIGHT } from '#server/files/pdf.ts'

const NAME_WIDTH = 290
const UNIT_X = 440
const COLUMN_X = 320
const COLUMN_WIDTH = 230

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const longDay = (iso: string): string => day.format(new Date(iso))

type House = { name: string; email: string; logo: Buffer | undefined; issuedAt: Date }

/** An invoice or credit note as PDF/A-3, with its structured form inside if it has one. The same content makes the same bytes. */
export async function invoicePaper(content: InvoiceContent, { name, email, logo, issuedAt }: House): Promise<Buffer> {
  const { number, kind, lines, amounts, vat, seller, buyer, euroTax } = content
  const isCredit = kind === 'credit_note'
  const title = `${invoiceNames[kind]} ${number}`
  const paper = await openPaper({
    ...{ shopName: name, logo, title, heading: invoiceNames[kind], madeAt: issuedAt },
    archived: { structured: 'category' in vat ? structuredInvoice(content, vat) : null },
  })
  const gray = { size: 9, isGray: true }

  paper.fact('Number', number)
  paper.fact('Date', longDay(content.issuedOn))
  paper.fact('Order', content.orderNumber)
  paper.fact('Paid on', `${longDay(content.paidOn)}, ${content.paidWith === 'card' ? 'by card' : 'with PayPal'}`)
  if (content.corrects)
    paper.fact(isCredit ? 'Corrects' : 'Replaces', `${content.corrects.number} of ${longDay(content.corrects.day)}`)
  if (content.reason) paper.fact('Reason', content.reason)

  paper.down(16)
  const parties = [
    { title: 'Seller', lines: sellerLines(seller) },
    {
      title: isCredit ? 'Credit to' : 'Invoice to',
      lines: [
        ...(buyer.company === null ? [] : [buyer.company]),
        ...addressLines(buyer.name, buyer.address),
        ...(buyer.taxNumber === null ? [] : [`Tax number ${buyer.taxNumber}`]),
      ],
    },
  ].map((party) => ({ ...party, lines: party.lines.flatMap((line) => paper.wrap(line, 10, COLUMN_WIDTH)) }))
  parties.forEach((party, index) => paper.text(party.title, index === 0 ? LEFT : COLUMN_X, gray))
  paper.down(15)
  for (let row = 0; row < Math.max(...parties.map((party) => party.lines.length)); row += 1) {
    parties.forEach((party, index) => paper.text(party.lines[row] ?? '', index === 0 ? LEFT : COLUMN_X))
    paper.down(13.5)
  }

  paper.down(20, 60)
  paper.text(isCredit ? 'Credited' : 'Item', LEFT, gray)
  paper.text('Qty × price', UNIT_X, { ...gray, isRight: true })
  paper.text('Amount without tax', RIGHT, { ...gray, isRight: true })
  paper.down(8)
  paper.rule(0.5)
  paper.down(18)
  for (const line of lines) {
    const product = paper.wrap(line.name, 10.5, NAME_WIDTH, true)
    const detail = line.detail ? paper.wrap(line.detail, 9, NAME_WIDTH) : []
    paper.down(0, product.length * 14 + detail.length * 12)
    paper.text(`${line.quantity} × ${formatUsd(line.unitPrice)}`, UNIT_X, { size: 10.5, isRight: true })
    paper.text(formatUsd(netOfLine(line)), RIGHT, { size: 10.5, isRight: true })
    for (const text of product) {
      paper.text(text, LEFT, { size: 10.5, isBold: true })
      paper.move(13)
    }
    for (const text of detail) {
      paper.text(text, LEFT, gray)
      paper.move(12)
    }
    paper.down(8)
  }

  const { net, vatProtection } = amounts
  const total = totalOfAmounts(amounts)
  const taxes = amounts.parts.map((part) => ({
    name: `${partLabel(part)} on ${formatUsd(part.taxable)}`,
    amount: part.tax,
  }))
  const rows = [
    { name: 'Without tax', amount: net },
    ...(vatProtection === ZERO ? [] : [{ name: 'Country Consumption Tax', amount: vatProtection }]),
    ...taxes,
  ]
  paper.down(0, rows.length * 17 + 120)
  paper.move(-8)
  paper.rule(0.5)
  paper.down(20)
  for (const row of rows) {
    paper.text(row.name, UNIT_X, { isRight: true })
    paper.text(formatUsd(row.amount), RIGHT, { isRight: true })
    paper.down(17)
  }
  paper.down(4)
  paper.text(isCredit ? 'Credited (USD)' : 'Total (USD)', UNIT_X, { size: 12, isRight: true })
  paper.text(formatUsd(total), RIGHT, { size: 12, isBold: true, isRight: true })
  paper.down(19)
  // By a refund, or by the invoice that replaces another.
  paper.text(isCredit ? 'Settled' : 'Paid', UNIT_X, { isRight: true })
  paper.text(formatUsd(negate(total)), RIGHT, { isRight: true })
  paper.down(17)
  paper.text('Due', UNIT_X, { isRight: true })
  paper.text(formatUsd(ZERO), RIGHT, { isRight: true })
  const notes = [
    ...('category' in vat && vat.reason !== null && amounts.tax === ZERO ? [`${vat.reason}.`] : []),
    ...(euroTax === null
      ? []
      : [
          `VAT in euros: ${euroTax.amount} EUR, at ${euroTax.perEuro} US dollars for a euro, the European Central Bank’s rate of ${longDay(euroTax.day)}.`,
        ]),
  ]
  paper.down(14)
  for (const line of notes.flatMap((note) => paper.wrap(note, 9, RIGHT - LEFT))) {
    paper.down(13)
    paper.text(line, LEFT, gray)
  }
  return paper.finish(email, (page, pages) => (pages > 1 ? `${number}, page ${page} of ${pages}` : number))
}

const sellerLines = (seller: InvoiceSeller): string[] =>
  [
    ...addressLines(seller.name, { ...seller, line1: seller.street, line2: null }),
    seller.vatId && `VAT number ${seller.vatId}`,
    seller.taxNumber && `Tax number ${seller.taxNumber}`,
    seller.register && `Register ${seller.register}`,
  ].filter(Boolean)
