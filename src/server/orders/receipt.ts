import { label } from '#site/label.ts'
import type { OrderView } from '#contract/orders.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, negate, times, type Cents } from '#shared/money.ts'
import { timeZoneLabel } from '#shared/calendar-day.ts'
import { PAGE, pdfOf, widthOf, wrapText, toPrintable, type Mark } from '#server/files/pdf.ts'

const LEFT = 56
const RIGHT = PAGE.width - LEFT
const BOTTOM = PAGE.height - 84
const NAME_WIDTH = 290
const UNIT_X = 440

const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: label.timeZone })

/** One row per amount with the checkout's labels, without the total. */
function amountRows({ amounts }: Pick<OrderView, 'amounts'>): { name: string; amount: Cents }[] {
  const { subtotal, shipping, surcharges } = amounts
  return [
    { name: 'Subtotal', amount: subtotal },
    { name: 'Shipping', amount: shipping },
    ...surcharges.map(({ productName, amount }) => ({ name: `Shipping surcharge, ${productName}`, amount })),
    ...taxRowsOf(amounts).map(({ label: name, amount }) => ({ name, amount })),
  ]
}

/** The receipt as a PDF. It names no person, because anybody with the link can read it. */
export function receiptOf(order: OrderView): Buffer {
  const pages: Mark[][] = [[]]
  let y = 0
  const draw = (...marks: Mark[]) => pages.at(-1)?.push(...marks)
  const rule = (thickness: number) => draw({ rule: true, x: LEFT, y, width: RIGHT - LEFT, thickness })
  /** Moves down, to a new page if `needed` points do not fit. */
  const down = (by: number, needed = 0) => {
    y += by
    if (y + needed <= BOTTOM) return
    pages.push([])
    y = 72
  }

  y = 78
  draw({ text: label.name, x: LEFT, y, size: 26, font: 'serif' })
  draw({ text: 'Receipt', x: RIGHT, y, size: 18, right: true })
  down(14)
  rule(1.4)
  down(32)
  const facts: [string, string][] = [
    ['Order number', formatOrderNumber(order.orderNumber)],
    ['Paid on', `${date.format(new Date(order.placedAt))} (${timeZoneLabel(label.timeZone)})`],
    ['Payment method', order.paidWith === 'card' ? 'Card' : 'PayPal'],
    ['Ships to', [toPrintable(order.city), order.country].filter(Boolean).join(', ')],
  ]
  for (const [name, value] of facts) {
    draw({ text: name, x: LEFT, y, size: 10, gray: true }, { text: value, x: LEFT + 96, y, size: 10, font: 'bold' })
    down(17)
  }

  down(20)
  draw(
    { text: 'Item', x: LEFT, y, size: 9, gray: true },
    { text: 'Qty × price', x: UNIT_X, y, size: 9, gray: true, right: true },
    { text: 'Amount', x: RIGHT, y, size: 9, gray: true, right: true },
  )
  down(8)
  rule(0.5)
  down(18)
  for (const { productName, variantName, quantity, unitPrice } of order.lines) {
    const name = wrapText(toPrintable(productName) ?? '', 10.5, NAME_WIDTH)
    const variant = variantName ? wrapText(toPrintable(variantName) ?? '', 9, NAME_WIDTH) : []
    down(0, name.length * 14 + variant.length * 12)
    draw(
      { text: `${quantity} × ${formatUsd(unitPrice)}`, x: UNIT_X, y, size: 10.5, right: true },
      { text: formatUsd(times(unitPrice, quantity)), x: RIGHT, y, size: 10.5, right: true },
    )
    for (const text of name) {
      draw({ text, x: LEFT, y, size: 10.5, font: 'bold' })
      y += 13
    }
    for (const text of variant) {
      draw({ text, x: LEFT, y, size: 9, gray: true })
      y += 12
    }
    down(8)
  }

  const rows = amountRows(order)
  down(0, rows.length * 17 + 90)
  y -= 8
  rule(0.5)
  down(20)
  for (const { name, amount } of rows) {
    draw({ text: toPrintable(name) ?? '', x: UNIT_X, y, size: 10, right: true })
    draw({ text: formatUsd(amount), x: RIGHT, y, size: 10, right: true })
    down(17)
  }
  down(4)
  const total = formatUsd(order.amounts.total)
  draw(
    { text: 'Total (USD)', x: UNIT_X, y, size: 12, right: true },
    { text: total, x: RIGHT - widthOf(total, 12) - 1, y, size: 12, font: 'bold' },
  )
  if (order.amounts.refunded > 0) {
    down(19)
    draw({ text: 'Refunded', x: UNIT_X, y, size: 10, right: true })
    draw({ text: formatUsd(negate(order.amounts.refunded)), x: RIGHT, y, size: 10, right: true })
  }

  for (const [index, marks] of pages.entries()) {
    const foot = PAGE.height - 46
    marks.push({ rule: true, x: LEFT, y: foot - 16, width: RIGHT - LEFT, thickness: 0.5 })
    marks.push({ text: `${label.name} · ${label.supportEmail}`, x: LEFT, y: foot, size: 9, gray: true })
    const number = formatOrderNumber(order.orderNumber)
    const text = pages.length > 1 ? `${number}, page ${index + 1} of ${pages.length}` : number
    marks.push({ text, x: RIGHT, y: foot, size: 9, gray: true, right: true })
  }
  return pdfOf({ title: `Receipt ${formatOrderNumber(order.orderNumber)} - ${label.name}`, pages })
}
