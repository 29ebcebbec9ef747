import { type Cents, times, ZERO } from '#shared/money.ts'
import { amountIn, CellProblem, emailIn, lineIn, momentIn, quantityIn, requiredLine, type Row } from './cells.ts'
import type { FormerOrder, FormerOrderLine, FormerOrderStatus } from './former-shop.ts'
import type { Reader, Sink } from './reader.ts'

export type OrderField =
  | 'number'
  | 'email'
  | 'name'
  | 'lastName'
  | 'placedAt'
  | 'canceledAt'
  | 'status'
  | 'currency'
  | 'shipping'
  | 'tax'
  | 'discount'
  | 'total'
  | 'refunded'
  | 'lineName'
  | 'lineSku'
  | 'lineQuantity'
  | 'linePrice'
  | 'lineTotal'
  | 'lines'

type OrderRow = Row<OrderField>

/** The former shops' statuses, with blanks and dashes as underscores and without WooCommerce's `wc-`. */
const statuses: Readonly<Record<string, FormerOrderStatus | 'unpaid'>> = {
  ...{ paid: 'paid', completed: 'paid', complete: 'paid', processing: 'paid', confirmed: 'paid', fulfilled: 'paid' },
  ...{ in_production: 'paid', partially_shipped: 'paid', shipped: 'paid', delivered: 'paid' },
  ...{ partially_refunded: 'partially_refunded', refunded: 'refunded', canceled: 'canceled', cancelled: 'canceled' },
  ...{ pending: 'unpaid', pending_payment: 'unpaid', authorized: 'unpaid', partially_paid: 'unpaid', voided: 'unpaid' },
  ...{ on_hold: 'unpaid', failed: 'unpaid', expired: 'unpaid', unpaid: 'unpaid', checkout_draft: 'unpaid' },
}

const LINES_MAX = 500

/** Rows of one order follow each other; only the first has what belongs to the whole order. */
export function createOrderReader(rowOf: (row: number, cells: readonly string[]) => OrderRow, sink: Sink): Reader {
  const seen = new Set<string>()
  let rows: OrderRow[] = []
  const finish = () => {
    const [first] = rows
    if (!first) return
    sink.attempt(first.number, () => {
      const number = orderNumberIn(first)
      if (seen.has(number))
        throw new CellProblem(first.title('number'), 'This order appears more than once in the file.')
      seen.add(number)
      sink.item({ kind: 'orders', value: orderOf(number, first, rows) })
    })
    rows = []
  }
  return {
    add(number, cells) {
      const row = rowOf(number, cells)
      const [first] = rows
      const name = row.text('number')
      if (first && name !== '' && name !== first.text('number')) finish()
      rows.push(row)
    },
    end: finish,
  }
}

/** Without the sign that shops print before it. */
const orderNumberIn = (row: OrderRow): string => {
  const number = requiredLine(row, 'number', 60).replace(/^#/, '')
  return number || requiredLine(row, 'number', 0)
}

function orderOf(number: string, first: OrderRow, rows: readonly OrderRow[]): FormerOrder {
  const currency = first.text('currency')
  if (currency !== '' && currency.toUpperCase() !== 'USD')
    throw new CellProblem(
      first.title('currency'),
      `This order was paid in ${currency.slice(0, 10)}. We keep books in US dollars only.`,
    )
  if (rows.length > LINES_MAX) throw new CellProblem(null, `This order has more than ${LINES_MAX} rows.`)
  const lines = rows.flatMap(linesIn)
  if (lines.length === 0) throw new CellProblem(null, 'This order has no items.')
  const total = amountIn(first, 'total')
  if (total === undefined) throw new CellProblem(first.title('total'), 'This order has no total.')
  const refunded = amountIn(first, 'refunded') ?? ZERO
  const name = [lineIn(first, 'name', 200), lineIn(first, 'lastName', 200)].filter(Boolean).join(' ')
  return {
    row: first.number,
    number,
    email: emailIn(first, 'email'),
    name: name || null,
    placedAt: momentIn(first, 'placedAt'),
    status: statusOf(first, total, refunded),
    lines,
    shipping: amountIn(first, 'shipping') ?? ZERO,
    tax: amountIn(first, 'tax') ?? ZERO,
    discount: amountIn(first, 'discount') ?? ZERO,
    total,
    refunded,
  }
}

function statusOf(row: OrderRow, total: Cents, refunded: Cents): FormerOrderStatus {
  const text = row.text('status')
  const status =
    statuses[
      text
        .toLowerCase()
        .replace(/^wc-/, '')
        .replace(/[\s-]+/g, '_')
    ]
  if (status === undefined)
    throw new CellProblem(row.title('status'), `We don’t know the status “${text.slice(0, 40)}”.`)
  if (status === 'unpaid') throw new CellProblem(row.title('status'), 'This order was never paid in full.')
  if (status !== 'paid') return status
  if (row.text('canceledAt') !== '') return 'canceled'
  if (refunded === 0) return 'paid'
  return refunded < total ? 'partially_refunded' : 'refunded'
}

function linesIn(row: OrderRow): FormerOrderLine[] {
  const packed = row.text('lines')
  if (packed !== '') return packedLinesIn(row, packed)
  if (row.text('lineName') === '') return []
  const quantity = quantityIn(row, 'lineQuantity')
  const price = amountIn(row, 'linePrice')
  const total = amountIn(row, 'lineTotal') ?? (price === undefined ? ZERO : times(price, quantity))
  return [{ name: requiredLine(row, 'lineName', 300), sku: lineIn(row, 'lineSku', 100) || null, quantity, total }]
}

/** `id:1|name:Cap|sku:CAP|quantity:2|total:40.00|meta:…`, separated by semicolons: WooCommerce's export with one row per order. */
const packedLinesIn = (row: OrderRow, packed: string): FormerOrderLine[] =>
  packed.split(/;(?=(?:id|name):)/).map((line) => {
    const parts = new Map(
      line
        .split('|')
        .map((part): [string, string] => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]),
    )
    const of = (field: OrderField, name: string): OrderRow => ({
      ...row,
      text: (asked) => (asked === field ? (parts.get(name)?.trim() ?? '') : ''),
      title: () => row.title('lines'),
    })
    return {
      name: requiredLine(of('lineName', 'name'), 'lineName', 300),
      sku: lineIn(of('lineSku', 'sku'), 'lineSku', 100) || null,
      quantity: quantityIn(of('lineQuantity', 'quantity'), 'lineQuantity'),
      total: amountIn(of('lineTotal', 'total'), 'lineTotal') ?? ZERO,
    }
  })
