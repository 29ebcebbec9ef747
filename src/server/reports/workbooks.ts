import { label } from '#site/label.ts'
import type { ReportQuery, ReportsSummary } from '#contract/reports.ts'
import type { WorkbookType } from '#contract/report-figures.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { statusOf } from '#domain/orders/status.ts'
import { addResults, resultOf, resultOfLines, type OrderResult } from '#domain/reports/margin.ts'
import { formatOrderNumber, readPaymentKey, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import { cents, formatUsd, minus, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { isoOfDay, wallClockMs } from '#shared/time-zone.ts'
import type { Db } from '#server/db/db.ts'
import {
  WORKBOOK_TYPE,
  writeWorkbook,
  type Column,
  type CoverLine,
  type Row,
  type Sheet,
  type SheetTotals,
} from '#server/files/workbook.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { collectionName, readRange, summarizeRange, untilNow, type ReportRange, type ReportNeeds } from './reports.ts'
import {
  amountsThatDiffer,
  bookedOf,
  listLinesOf,
  movementPages,
  orderPages,
  orderWithoutPayment,
  paidWithoutOrder,
  refundedOf,
  type ReportedLine,
  type ReportedMovement,
  type ReportedOrder,
  type RecoveryCase,
} from './workbook-store.ts'

/** A sum of a sheet beside the same figure of the report. */
type Check = { what: string; here: Cents; reported: Cents }

/** What one of the four workbooks holds besides its cover. */
type Book = {
  title: string
  /** One sentence on what is in it. */
  about: string
  sheets: readonly Sheet[]
  checks: (totals: readonly SheetTotals[], report: ReportsSummary) => readonly Check[]
  remarks: readonly string[]
}

/**
 * One of the four workbooks, as a stream of bytes that reads orders page by page while it is taken. The cover is written
 * last: it has the sums of the other sheets beside those of the report.
 */
export function workbookOf(shop: ReportNeeds, type: WorkbookType, query: ReportQuery): FileAnswer {
  const asked = untilNow(readRange(shop, query))
  const book = books[type](shop.db, asked)
  const cover = async (totals: readonly SheetTotals[]) => {
    // Of the same moment as the sheets, whatever was sold while they were written.
    const report = await summarizeRange(shop, asked)
    return coverOf(book, asked, totals, report)
  }
  return {
    name: `${type}-report-${isoOfDay(asked.today)}.xlsx`,
    type: WORKBOOK_TYPE,
    bytes: writeWorkbook({ title: book.title, timeZone: asked.zone, cover, sheets: book.sheets }),
  }
}

function coverOf(book: Book, asked: ReportRange, totals: readonly SheetTotals[], report: ReportsSummary): CoverLine[] {
  const { from, to, timeZone } = report.range
  const checks = book.checks(totals, report)
  return [
    { label: 'What it holds', value: book.about },
    { label: 'Shop', value: label.name },
    { label: 'From', value: from ?? 'the first order' },
    { label: 'To', value: to ?? `now (${report.range.today})` },
    { label: 'Filter', value: from || to ? 'These days, both included' : 'None: everything until now' },
    { label: 'Time zone', value: `${timeZone}; a day begins at its midnight` },
    { label: 'Currency', value: 'US dollars (USD)' },
    { label: 'Made at', value: `${clockOf(asked)}, by the same clocks` },
    { label: 'Rows' },
    ...totals.map(({ name, rows }) => ({ label: name, count: rows })),
    { label: 'Check sums' },
    ...checks.flatMap(({ what, here, reported }) => [
      { label: `${what}, added up here`, money: here },
      { label: `${what}, in the report`, money: reported },
      { label: '', value: here === reported ? 'They agree.' : `They differ by ${formatUsd(minus(here, reported))}.` },
    ]),
    { label: 'Remarks' },
    ...book.remarks.map((value) => ({ label: '', value })),
  ]
}

/** `2026-11-21 14:05`. */
const clockOf = ({ asOf, zone }: ReportRange): string =>
  new Date(wallClockMs(asOf.getTime(), zone)).toISOString().slice(0, 16).replace('T', ' ')

const sumOf = (totals: readonly SheetTotals[], name: string, title: string): Cents =>
  cents(totals.find((sheet) => sheet.name === name)?.sums.get(title) ?? 0)

const text = (title: string, width?: number): Column => ({ title, kind: 'text', ...(width && { width }) })
const money = (title: string): Column => ({ title, kind: 'money', isSummed: true })
const count = (title: string): Column => ({ title, kind: 'count', isSummed: true })
const moment = (title: string): Column => ({ title, kind: 'moment' })

const books: Record<WorkbookType, (db: Db, asked: ReportRange) => Book> = {
  orders: orderBook,
  'stripe-complete': providerBook,
  profit: profitBook,
  recovery: recoveryBook,
}

async function* rowsOf<Item>(
  pages: AsyncGenerator<Item[]>,
  row: (items: Item[]) => Promise<readonly Row[]> | readonly Row[],
): AsyncGenerator<Row> {
  for await (const items of pages) yield* await row(items)
}

const paidWith: Record<PaymentProvider, string> = { stripe: 'card', paypal: 'PayPal' }
const wayOf = (key: PaymentKey): string => {
  const provider = readPaymentKey(key)?.provider
  return provider ? paidWith[provider] : ''
}

// ---- Order Details

function orderBook(db: Db, { range }: ReportRange): Book {
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
      count('Pieces'),
      money('Subtotal'),
      money('Shipping'),
      money('Tax'),
      money('VAT protection'),
      money('Total'),
      money('Refunded'),
      text('Paid with', 11),
      text('Payment', 36),
      text('Printer’s order', 20),
    ],
    rows: rowsOf(orderPages(db, range), async (page) => {
      const pieces = new Map<number, number>()
      for (const { orderId, quantity } of await listLinesOf(db, page))
        pieces.set(orderId, (pieces.get(orderId) ?? 0) + quantity)
      const refunded = await refundedOf(db, page)
      return page.map((order) => orderRow(order, pieces.get(order.id) ?? 0, refunded.get(order.paymentKey) ?? ZERO))
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
      text('Product number', 15),
      text('Variant number', 16),
      count('Pieces'),
      { title: 'Unit price', kind: 'money' },
      money('Amount'),
    ],
    rows: rowsOf(orderPages(db, range), async (page) => {
      const orders = new Map(page.map((order) => [order.id, order]))
      return (await listLinesOf(db, page)).flatMap((line) => {
        const order = orders.get(line.orderId)
        return order ? [lineRow(order, line)] : []
      })
    }),
  }
  return {
    title: 'Order Details',
    about: 'Every paid order of the range, and its lines.',
    sheets: [orders, lines],
    checks: (totals, report) => [
      { what: 'Total revenue', here: sumOf(totals, 'Orders', 'Total'), reported: report.totalRevenue },
      { what: 'Tax collected', here: sumOf(totals, 'Orders', 'Tax'), reported: report.totalTax },
      {
        what: 'Lines of all collections',
        here: sumOf(totals, 'Lines', 'Amount'),
        reported: sum(report.collections.map(({ revenue }) => revenue)),
      },
    ],
    remarks: [
      'Total is what was captured: subtotal, shipping with surcharges, tax and VAT protection.',
      'Refunded is what has gone back of these orders until now; it is not taken off the total.',
    ],
  }
}

const orderRow = (order: ReportedOrder, pieces: number, refunded: Cents): Row => [
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
  pieces,
  order.subtotal,
  order.shipping,
  order.tax,
  order.vatProtection,
  order.total,
  refunded,
  wayOf(order.paymentKey),
  order.paymentKey,
  order.printfulOrderId === null ? null : String(order.printfulOrderId),
]

const lineRow = (order: ReportedOrder, line: ReportedLine): Row => [
  formatOrderNumber(order.orderNumber),
  order.createdAt,
  line.productName,
  line.variantName,
  collectionName(line.collection),
  String(line.productId),
  String(line.variantId),
  line.quantity,
  line.unitPrice,
  times(line.unitPrice, line.quantity),
]

// ---- Complete Stripe

function providerBook(db: Db, { range }: ReportRange): Book {
  const charged: Record<PaymentProvider, Cents> = { stripe: ZERO, paypal: ZERO }
  const sheetOf = (name: string, provider: PaymentProvider): Sheet => ({
    name,
    columns: [
      text(`${name} number`, 34),
      moment('Counted'),
      moment(`At ${name}`),
      text('Kind', 12),
      money('Amount'),
      money('Fee'),
      money('Net'),
      text('In another currency', 20),
      text('Charge, refund or payout', 34),
      text('Payment', 36),
      text('Order', 13),
      { title: 'Order total', kind: 'money' },
      money('Difference'),
      text('Remark', 74),
    ],
    rows: rowsOf(movementPages(db, provider, range), (page) =>
      page.map((movement) => {
        if (isOurCharge(movement)) charged[provider] = plus(charged[provider], movement.amount)
        return movementRow(movement)
      }),
    ),
  })
  return {
    title: 'Complete Stripe',
    about:
      'Everything that Stripe lists, and PayPal on a sheet of its own: each charge, refund, dispute, fee and payout, with our order beside it.',
    sheets: [sheetOf('Stripe', 'stripe'), sheetOf('PayPal', 'paypal')],
    checks: (_, { stripeReconciliation, paypalReconciliation }) => [
      { what: 'Stripe total (charges)', here: charged.stripe, reported: stripeReconciliation.stripeTotal },
      { what: 'PayPal total (charges)', here: charged.paypal, reported: paypalReconciliation.paypalTotal },
    ],
    remarks: [
      'A charge counts on the day on which the shop booked it; one that the shop does not know, and everything else, on the provider’s own.',
      'The lists are as they were last read. What is younger is not in them yet.',
      'Difference is what a charge has more than our payment.',
    ],
  }
}

/** What the summary counts: a charge of this shop, in its currency. */
const isOurCharge = ({ kind, currency, known, checkoutId }: ReportedMovement) =>
  kind === 'charge' && currency === 'usd' && (known !== null || checkoutId !== null)

function movementRow(movement: ReportedMovement): Row {
  const { id, countedAt, occurredAt, kind, amount, fee, currency, sourceId, paymentKey, orderNumber } = movement
  const isUsd = currency === 'usd'
  const isKnown = kind === 'charge' && movement.known !== null && isUsd
  return [
    id,
    countedAt,
    occurredAt,
    kind,
    isUsd ? amount : null,
    isUsd ? fee : null,
    isUsd ? minus(amount, fee) : null,
    isUsd ? null : `${amount} hundredths of ${currency.toUpperCase()}`,
    sourceId,
    paymentKey,
    orderNumber && formatOrderNumber(orderNumber),
    kind === 'charge' ? movement.orderTotal : null,
    isKnown ? minus(amount, movement.known ?? ZERO) : null,
    remarkOn(movement),
  ]
}

function remarkOn({ kind, known, checkoutId, exception, amount, currency }: ReportedMovement): string | null {
  if (kind !== 'charge') return null
  if (currency !== 'usd') return 'In another currency: in no sum.'
  if (known === null)
    return checkoutId === null
      ? 'Of another program with this account: in no sum of the report.'
      : 'Missing from the database: a payment for a checkout of this shop that it does not have.'
  if (exception !== null) return `No order: ${exception.replaceAll('_', ' ')}.`
  return amount === known ? null : 'The amount is not the one that the shop booked.'
}

// ---- Profit Analysis

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

/** What the lines of a product, or of a collection, came to. */
type ProfitTotals = { name: string; collection: string; pieces: number; result: OrderResult }

function profitBook(db: Db, { range }: ReportRange): Book {
  // Filled while the orders are written, and written after them; as many as there are products.
  const products = new Map<number, ProfitTotals>()
  const gather = (lines: readonly ReportedLine[], result: OrderResult) => {
    const results = resultOfLines(
      result,
      lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)),
    )
    for (const [index, { productId, productName, collection, quantity }] of lines.entries()) {
      const line = results[index]
      if (!line) continue
      const held = products.get(productId)
      const pieces = (held?.pieces ?? 0) + quantity
      products.set(productId, { name: productName, collection, pieces, result: addResults(held?.result, line) })
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
      text('Still to come', 30),
    ],
    rows: rowsOf(orderPages(db, range), async (page) => {
      const booked = await bookedOf(db, page)
      const lines = Map.groupBy(await listLinesOf(db, page), ({ orderId }) => orderId)
      return page.map((order) => {
        const result = resultOf(booked.get(order.id) ?? [])
        gather(lines.get(order.id) ?? [], result)
        const { orderNumber, createdAt, address, paymentKey } = order
        const head = [formatOrderNumber(orderNumber), createdAt, countryName(address.country), wayOf(paymentKey)]
        return [...head, ...resultCells(result), stillToCome(order)]
      })
    }),
  }
  const byProduct: Sheet = {
    name: 'By product',
    columns: [
      text('Product', 34),
      text('Product number', 15),
      text('Collection', 14),
      count('Pieces'),
      ...resultColumns,
    ],
    rows: lazyRows(() =>
      [...products].map(([id, { name, collection, pieces, result }]) => [
        ...[name, String(id), collectionName(collection), pieces],
        ...resultCells(result),
      ]),
    ),
  }
  const byCollection: Sheet = {
    name: 'By collection',
    columns: [text('Collection', 20), count('Pieces'), ...resultColumns],
    rows: lazyRows(() =>
      [...Map.groupBy(products.values(), ({ collection }) => collection)].map(([collection, held]) => {
        const result = held.reduce<OrderResult | undefined>((total, one) => addResults(total, one.result), undefined)
        const pieces = held.reduce((total, one) => total + one.pieces, 0)
        return [collectionName(collection), pieces, ...(result ? resultCells(result) : [])]
      }),
    ),
  }
  return {
    title: 'Profit Analysis',
    about: 'What each order of the range brought and cost until now, and the same by product and by collection.',
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
    remarks: [
      'Every amount is a sum of the ledger’s entries for these orders, until now: a refund or a fee that was booked after the range is in it.',
      'Margin is what was paid, less tax, refunds without tax, lost disputes, fees, the printer’s cost and commission. VAT protection is within the printer’s cost and pays for it.',
      'Fees and costs are those that the providers and the printer have told; the last column says what they have not told yet.',
      'By product, an order’s shipping, fees and costs are shared among its lines in the proportion of their prices, to the cent.',
    ],
  }
}

const stillToCome = ({ isFeeKnown, isCostKnown }: ReportedOrder): string | null =>
  [isFeeKnown ? '' : 'provider’s fee', isCostKnown ? '' : 'printer’s cost'].filter(Boolean).join(', ') || null

/** Rows that are known when their turn comes. */
function* lazyRows(rows: () => readonly Row[]): Generator<Row> {
  yield* rows()
}

// ---- Payment Recovery

const recoveryColumns: readonly Column[] = [
  moment('When'),
  text('Provider', 10),
  text('Payment', 36),
  text('Order', 13),
  text('Customer', 24),
  { title: 'In the shop', kind: 'money' },
  { title: 'At the provider', kind: 'money' },
  money('At stake'),
  text('In another currency', 20),
  text('Why', 30),
  text('Open', 8),
  text('What to do', 70),
]

/** What is known, and the one thing to do. */
const advice: Readonly<Record<string, readonly [why: string, what: string]>> = {
  unknown_here: [
    'paid for a checkout of this shop, unknown to it',
    'Open Reconciliation in the admin and press “Compare now”: the repair that it offers settles the payment, and makes the order or says why it cannot.',
  ],
  of_another_program: [
    'names no checkout of this shop',
    'Another program took it with the same account. If nobody knows it, look it up at the provider and give it back there.',
  ],
  second_payment: [
    'second payment of a checkout',
    'Nothing: it goes back to the payer by itself. Look again when it stays open.',
  ],
  unknown_checkout: [
    'its checkout is not known',
    'Look it up at the provider; give it back, or make the order by hand.',
  ],
  unknown_version: [
    'what it was paid for is not known',
    'Look it up at the provider; give it back, or make the order by hand.',
  ],
  amount_differs: [
    'not the amount of its checkout',
    'Give it back at the provider, and ask the customer to order again.',
  ],
  currency_differs: ['not in US dollars', 'Give it back at the provider, and ask the customer to order again.'],
  mode_differs: [
    'test money in a live shop, or the reverse',
    'Nothing is owed for test money. Check the keys of the shop.',
  ],
  money_returned: [
    'went back, or was disputed, before the order was made',
    'Nothing to make. Close it when the provider shows that all went back.',
  ],
  not_listed: [
    'the provider does not list its payment',
    'Hold the order in the admin, and look the payment up at the provider before anything is printed.',
  ],
  charge: [
    'the provider lists another amount',
    'Look it up at the provider: the difference is owed by one side to the other.',
  ],
  refund: [
    'the provider lists another sum of refunds',
    'Open Reconciliation in the admin and press “Compare now”: the repair that it offers reads the refunds from the provider and books what is missing.',
  ],
}

function recoveryRow(trouble: RecoveryCase): Row {
  const { at, provider, paymentKey, orderNumber, customer, here, there, currency, kind, isClosed } = trouble
  const [why, what] = advice[kind] ?? [kind.replaceAll('_', ' '), 'Look it up at the provider.']
  const isUsd = currency === 'usd'
  const inUsd = (amount: Cents | null) => (isUsd ? amount : null)
  const stake = here !== null && there !== null ? cents(Math.abs(minus(here, there))) : (here ?? there ?? ZERO)
  const foreign = isUsd ? null : `${stake} hundredths of ${currency.toUpperCase()}`
  return [
    ...[
      at,
      provider === 'paypal' ? 'PayPal' : 'Stripe',
      paymentKey,
      orderNumber && formatOrderNumber(orderNumber),
      customer,
    ],
    ...[inUsd(here), inUsd(there), inUsd(stake), foreign],
    ...[why, isClosed ? 'closed' : 'open', isClosed ? 'Nothing: it is closed.' : what],
  ]
}

function recoveryBook(db: Db, { range }: ReportRange): Book {
  const sheetOf = (name: string, pages: AsyncGenerator<RecoveryCase[]>): Sheet => ({
    name,
    columns: recoveryColumns,
    rows: rowsOf(pages, (page) => page.map(recoveryRow)),
  })
  let missing = ZERO
  async function* counting(pages: AsyncGenerator<RecoveryCase[]>): AsyncGenerator<RecoveryCase[]> {
    for await (const page of pages) {
      for (const { kind, there, currency } of page)
        if (kind === 'unknown_here' && currency === 'usd') missing = plus(missing, there ?? ZERO)
      yield page
    }
  }
  return {
    title: 'Payment Recovery',
    about: 'Money without an order, orders without money, amounts that differ, and what to do about each.',
    sheets: [
      sheetOf('Paid without order', counting(paidWithoutOrder(db, range))),
      sheetOf('Order without payment', orderWithoutPayment(db, range)),
      sheetOf('Amounts that differ', amountsThatDiffer(db, range)),
    ],
    checks: (_, { stripeReconciliation, paypalReconciliation }) => [
      {
        what: 'Missing from the database',
        here: missing,
        reported: plus(stripeReconciliation.missingFromDatabase, paypalReconciliation.missingFromDatabase),
      },
    ],
    remarks: [
      'An empty sheet is a good sign: nothing of the kind is known.',
      'What is younger than a provider’s list is not judged by it.',
    ],
  }
}
