import { countryName } from '#domain/checkout/countries.ts'
import { type OrderResult, addResults, resultOf, resultOfLines } from '#domain/reports/margin.ts'
import type { Db } from '#server/db/db.ts'
import type { Column, Row, Sheet } from '#server/files/workbook.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { minus, times } from '#shared/money.ts'
import type { ReportRange } from './reports.ts'
import { type Book, count, moment, money, rowsOf, sumOf, text, wayOf } from './workbook-parts.ts'
import { type ReportedLine, type ReportedOrder, bookedOf, listLinesOf, orderPages } from './workbook-store.ts'

const resultColumns: readonly Column[] = [
  money('Merchandise'),
  money('Shipping'),
  money('Surcharges'),
  money('VAT protection'),
  money('Tax'),
  money('Paid'),
  money('Refunded'),
  money('Refunded tax'),
  money('Lost disputes'),
  money('Provider fees'),
  money('Printer cost'),
  money('Commission'),
  money('Margin'),
]

const resultCells = (result: OrderResult): Row => [
  result.merchandise,
  result.shipping,
  result.surcharges,
  result.vatProtection,
  result.tax,
  result.paid,
  result.refunded,
  result.refundedTax,
  result.disputed,
  result.providerFees,
  result.partnerCost,
  result.commission,
  result.margin,
]

/** Totals of a product or collection. */
type ProfitTotals = { name: string; collection: string; pieces: number; result: OrderResult }

export function profitBook(db: Db, { range }: ReportRange, collectionName: (id: string) => string): Book {
  // Collected while the orders sheet is written; one entry per product.
  const products = new Map<number, ProfitTotals>()
  const addToProducts = (lines: readonly ReportedLine[], result: OrderResult) => {
    const results = resultOfLines(
      result,
      lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)),
    )
    for (const [index, { productId, productName, collection, quantity }] of lines.entries()) {
      const line = results[index]
      if (!line) continue
      const previous = products.get(productId)
      const pieces = (previous?.pieces ?? 0) + quantity
      products.set(productId, { name: productName, collection, pieces, result: addResults(previous?.result, line) })
    }
  }
  const byOrder: Sheet = {
    name: 'By order',
    columns: [
      text('Order', 13),
      moment('Placed'),
      text('Country', 18),
      text('Paid with', 11),
      ...resultColumns,
      money('Estimated margin'),
      money('Difference'),
      text('Not known yet', 30),
    ],
    rows: rowsOf(orderPages(db, range, 'all'), async (page) => {
      const booked = await bookedOf(db, page)
      const lines = Map.groupBy(await listLinesOf(db, page), ({ orderId }) => orderId)
      return page.map((order) => {
        const result = resultOf(booked.get(order.id) ?? [])
        addToProducts(lines.get(order.id) ?? [], result)
        const { orderNumber, createdAt, address, paymentKey } = order
        const head = [formatOrderNumber(orderNumber), createdAt, countryName(address.country), wayOf(paymentKey)]
        return [...head, ...resultCells(result), ...estimateCells(order, result), unknownCosts(order)]
      })
    }),
  }
  const byProduct: Sheet = {
    name: 'By product',
    columns: [text('Product', 34), text('Product ID', 15), text('Collection', 14), count('Qty'), ...resultColumns],
    rows: lazyRows(() =>
      [...products].map(([id, { name, collection, pieces, result }]) => [
        ...[name, String(id), collectionName(collection), pieces],
        ...resultCells(result),
      ]),
    ),
  }
  const byCollection: Sheet = {
    name: 'By collection',
    columns: [text('Collection', 20), count('Qty'), ...resultColumns],
    rows: lazyRows(() =>
      [...Map.groupBy(products.values(), ({ collection }) => collection)].map(([collection, totals]) => {
        const result = totals.reduce<OrderResult | undefined>((sum, { result: own }) => addResults(sum, own), undefined)
        const pieces = totals.reduce((sum, { pieces: own }) => sum + own, 0)
        return [collectionName(collection), pieces, ...(result ? resultCells(result) : [])]
      }),
    ),
  }
  return {
    title: 'Profit Analysis',
    about: 'What each order in the range earned and cost so far, and the same by product and by collection.',
    sheets: [byOrder, byProduct, byCollection],
    checks: (totals, report) => [
      {
        what: 'Total revenue (Paid, by order)',
        here: sumOf(totals, 'By order', 'Paid'),
        reported: report.totalRevenue,
      },
      {
        what: 'Total revenue (Paid, by product)',
        here: sumOf(totals, 'By product', 'Paid'),
        reported: report.totalRevenue,
      },
      {
        what: 'Total revenue (Paid, by collection)',
        here: sumOf(totals, 'By collection', 'Paid'),
        reported: report.totalRevenue,
      },
      { what: 'Tax collected', here: sumOf(totals, 'By order', 'Tax'), reported: report.totalTax },
    ],
    notes: [
      'Every amount is a sum of ledger entries for these orders so far, including refunds and fees booked after the range.',
      'Margin is Paid minus tax, refunds without tax, lost disputes, fees, the printer’s cost and commission. VAT protection covers the tax that is part of the printer’s cost.',
      'Fees and costs are those reported so far; the last column lists what is missing.',
      'Estimated margin is what an order was expected to leave when it was paid. Difference is the margin less that, once all costs are known; refunds count in it.',
      'By product, an order’s shipping, fees and costs are split among its items in proportion to their prices, to the cent.',
    ],
  }
}

/** What was expected when it was paid, and how much more or less is left, once all costs are known. */
function estimateCells({ estimatedProfit, isFeeKnown, isCostKnown }: ReportedOrder, { margin }: OrderResult): Row {
  const isComparable = estimatedProfit !== null && isFeeKnown && isCostKnown
  return [estimatedProfit, isComparable ? minus(margin, estimatedProfit) : null]
}

const unknownCosts = ({ isFeeKnown, isCostKnown }: ReportedOrder): string | null =>
  [isFeeKnown ? '' : 'provider’s fee', isCostKnown ? '' : 'printer’s cost'].filter(Boolean).join(', ') || null

/** Rows that are computed only when they are written. */
function* lazyRows(rows: () => readonly Row[]): Generator<Row> {
  yield* rows()
}
