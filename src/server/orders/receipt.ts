import { label } from '#site/label.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { OrderView } from '#contract/orders.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { taxLineOf, taxRowsOf } from '#domain/checkout/quote.ts'
import { paymentMethodText } from '#domain/payments/card.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, negate, times, type Cents } from '#shared/money.ts'
import { timeZoneLabel } from '#shared/calendar-day.ts'
import { LEFT, openPaper, RIGHT } from '#server/files/pdf.ts'

const NAME_WIDTH = 290
const UNIT_X = 440

const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: label.timeZone })

/** One row per amount with the checkout's labels, without the total. */
function amountRows({ amounts }: Pick<OrderView, 'amounts'>): { name: string; amount: Cents }[] {
  const { subtotal, saving, shipping, surcharges } = amounts
  return [
    { name: saving === undefined ? 'Subtotal' : `Subtotal (${saving})`, amount: subtotal },
    { name: 'Shipping', amount: shipping },
    ...surcharges.map(({ productName, amount }) => ({
      name: `Shipping surcharge, ${spokenName(productName)}`,
      amount,
    })),
    ...taxRowsOf(amounts).map((row) => ({ name: taxLineOf(row), amount: row.amount })),
  ]
}

/**
 * The receipt as a PDF.
 * @param name the customer's, only for the payer: anybody with the link can read the receipt
 * @param logo a PNG
 */
export async function receiptOf(
  order: OrderView,
  site: Pick<SiteSettings, 'name' | 'supportEmail'>,
  name?: string,
  logo?: Buffer,
): Promise<Buffer> {
  const number = formatOrderNumber(order.orderNumber)
  const placedAt = new Date(order.placedAt)
  const paper = await openPaper({
    shopName: site.name,
    logo,
    title: `Receipt ${number} - ${site.name}`,
    heading: 'Receipt',
    madeAt: placedAt,
  })

  paper.fact('Order number', number)
  paper.fact('Paid on', `${date.format(placedAt)} (${timeZoneLabel(label.timeZone)})`)
  paper.fact('Payment method', paymentMethodText(order.paidWith, order.card))
  if (name) paper.fact('Name', name)
  paper.fact('Ships to', [order.city, order.country].filter(Boolean).join(', '))

  paper.down(20)
  paper.text('Item', LEFT, { size: 9, isGray: true })
  paper.text('Qty × price', UNIT_X, { size: 9, isGray: true, isRight: true })
  paper.text('Amount', RIGHT, { size: 9, isGray: true, isRight: true })
  paper.down(8)
  paper.rule(0.5)
  paper.down(18)
  for (const { productName, variantName, quantity, unitPrice, numbers = [] } of order.lines) {
    const product = paper.wrap(spokenName(productName), 10.5, NAME_WIDTH, true)
    const details = [variantName, numbers.map(({ label: number }) => number).join(', ')].filter(Boolean).join(' · ')
    const variant = details ? paper.wrap(details, 9, NAME_WIDTH) : []
    paper.down(0, product.length * 14 + variant.length * 12)
    paper.text(`${quantity} × ${formatUsd(unitPrice)}`, UNIT_X, { size: 10.5, isRight: true })
    paper.text(formatUsd(times(unitPrice, quantity)), RIGHT, { size: 10.5, isRight: true })
    for (const text of product) {
      paper.text(text, LEFT, { size: 10.5, isBold: true })
      paper.move(13)
    }
    for (const text of variant) {
      paper.text(text, LEFT, { size: 9, isGray: true })
      paper.move(12)
    }
    paper.down(8)
  }

  const rows = amountRows(order)
  paper.down(0, rows.length * 17 + 109)
  paper.move(-8)
  paper.rule(0.5)
  paper.down(20)
  for (const { name, amount } of rows) {
    paper.text(name, UNIT_X, { isRight: true })
    paper.text(formatUsd(amount), RIGHT, { isRight: true })
    paper.down(17)
  }
  paper.down(4)
  paper.text('Total (USD)', UNIT_X, { size: 12, isRight: true })
  paper.text(formatUsd(order.amounts.total), RIGHT, { size: 12, isBold: true, isRight: true })
  if (order.amounts.giftCard !== undefined) {
    paper.down(19)
    paper.text('Paid by gift card', UNIT_X, { isRight: true })
    paper.text(formatUsd(order.amounts.giftCard), RIGHT, { isRight: true })
  }
  if (order.amounts.refunded > 0) {
    paper.down(19)
    paper.text('Refunded', UNIT_X, { isRight: true })
    paper.text(formatUsd(negate(order.amounts.refunded)), RIGHT, { isRight: true })
  }
  return paper.finish(site.supportEmail, (page, pages) => (pages > 1 ? `${number}, page ${page} of ${pages}` : number))
}
