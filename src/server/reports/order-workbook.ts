import { countryName } from '#domain/checkout/countries.ts'
import { offLines } from '#domain/codes/discount.ts'
import { statusOf } from '#domain/orders/status.ts'
import type { Db } from '#server/db/db.ts'
import type { Row, Sheet } from '#server/files/workbook.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { type Cents, ZERO, sum, times } from '#shared/money.ts'
import type { ReportRange } from './reports.ts'
import { type Book, count, moment, money, rowsOf, sumOf, text, wayOf } from './workbook-parts.ts'
import { type ReportedLine, type ReportedOrder, listLinesOf, orderPages, refundedOf } from './workbook-store.ts'

export function orderBook(db: Db, { range }: ReportRange, collectionName: (id: string) => string): Book {
  const orders: Sheet = {
    name: 'Orders',
    columns: [
      text('Order', 13),
      moment('Placed'),
      text('Status', 18),
      text('Payment status', 18),
      text('Fulfillment status', 18),
      text('Customer', 24),
      text('Email', 30),
      text('City', 18),
      text('State', 10),
      text('Postal code', 12),
      text('Country', 18),
      count('Qty'),
      text('Codes', 18),
      money('Discount'),
      money('Subtotal'),
      money('Shipping'),
      money('Tax'),
      money('VAT protection'),
      money('Total'),
      money('Gift card'),
      money('Refunded'),
      text('Paid with', 11),
      text('Payment', 36),
      text('Printful order', 20),
    ],
    rows: rowsOf(orderPages(db, range), async (page) => {
      const linesOf = Map.groupBy(await listLinesOf(db, page), ({ orderId }) => orderId)
      const refunded = await refundedOf(db, page)
      return page.map((order) => orderRow(order, linesOf.get(order.id) ?? [], refunded.get(order.id) ?? ZERO))
    }),
  }
  const lines: Sheet = {
    name: 'Lines',
    columns: [
      text('Order', 13),
      moment('Placed'),
      text('Product', 34),
      text('Variant', 20),
      text('Collection', 14),
      text('Product ID', 15),
      text('Variant ID', 16),
      count('Qty'),
      { title: 'Unit price', kind: 'money' },
      money('Amount'),
      money('Discount'),
    ],
    rows: rowsOf(orderPages(db, range), async (page) => {
      const orders = new Map(page.map((order) => [order.id, order]))
      return (await listLinesOf(db, page)).flatMap((line) => {
        const order = orders.get(line.orderId)
        return order ? [lineRow(order, line, collectionName(line.collection))] : []
      })
    }),
  }
  return {
    title: 'Order Details',
    about: 'Every paid order in the range, and its items.',
    sheets: [orders, lines],
    checks: (totals, report) => [
      { what: 'Total revenue', here: sumOf(totals, 'Orders', 'Total'), reported: report.totalRevenue },
      { what: 'Tax collected', here: sumOf(totals, 'Orders', 'Tax'), reported: report.totalTax },
      {
        what: 'Discounts of all items',
        here: sumOf(totals, 'Orders', 'Discount'),
        reported: sumOf(totals, 'Lines', 'Discount'),
      },
      {
        what: 'Items of all collections',
        here: sumOf(totals, 'Lines', 'Amount'),
        reported: sum(report.collections.map(({ revenue }) => revenue)),
      },
    ],
    notes: [
      'Total is the amount paid, less what changes of the order gave back: subtotal, shipping with surcharges, tax and VAT protection.',
      'Subtotal, unit prices and amounts are after discounts.',
      'Gift card is the part of the total that a gift card or store credit paid; the rest was charged.',
      'Refunded is the amount refunded so far; it is not subtracted from Total.',
    ],
  }
}

const orderRow = (order: ReportedOrder, lines: readonly ReportedLine[], refunded: Cents): Row => [
  formatOrderNumber(order.orderNumber),
  order.createdAt,
  statusOf(order.paymentStatus, order.fulfillmentStatus),
  order.paymentStatus,
  order.fulfillmentStatus,
  order.customerName,
  order.customerEmail,
  order.address.city,
  order.address.state,
  order.address.postalCode,
  countryName(order.address.country),
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0),
  order.discounts.map(({ code }) => code).join(', ') || null,
  offLines(lines),
  order.subtotal,
  order.shipping,
  order.tax,
  order.vatProtection,
  order.total,
  order.giftCard,
  refunded,
  wayOf(order.paymentKey),
  order.paymentKey,
  order.printfulOrderId === null ? null : String(order.printfulOrderId),
]

const lineRow = (order: ReportedOrder, line: ReportedLine, collection: string): Row => [
  formatOrderNumber(order.orderNumber),
  order.createdAt,
  line.productName,
  line.variantName,
  collection,
  String(line.productId),
  String(line.variantId),
  line.quantity,
  line.unitPrice,
  times(line.unitPrice, line.quantity),
  offLines([line]),
]
