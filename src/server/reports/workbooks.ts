import { label } from '#site/label.ts'
import type { ReportQuery, ReportsSummary } from '#contract/reports.ts'
import type { WorkbookType } from '#contract/report-figures.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { statusOf } from '#domain/orders/status.ts'
import { addResults, resultOf, resultOfLines, type OrderResult } from '#domain/reports/margin.ts'
import { formatOrderNumber, readPaymentKey, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import { cents, formatUsd, minus, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { wallClockMs } from '#shared/time-zone.ts'
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
import {
  collectionName,
  readRange,
  summarizeRange,
  endRangeNow,
  type ReportRange,
  type ReportNeeds,
} from './reports.ts'
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

/** A sheet's total next to the same figure in the report. */
type Check = { what: string; here: Cents; reported: Cents }

/** One of the four workbooks, without its cover. */
type Book = {
  title: string
  /** What it contains, in one sentence. */
  about: string
  sheets: readonly Sheet[]
  checks: (totals: readonly SheetTotals[], report: ReportsSummary) => readonly Check[]
  notes: readonly string[]
}

/**
 * Streams one of the four workbooks, reading orders page by page. The cover is written last, because it compares the other sheets' sums
 * with the report.
 */
export function workbookOf(shop: ReportNeeds, type: WorkbookType, query: ReportQuery): FileAnswer {
  const requested = endRangeNow(readRange(shop, query))
  const book = books[type](shop.db, requested)
  const cover = async (totals: readonly SheetTotals[]) => {
    // As of the same time as the sheets.
    const report = await summarizeRange(shop, requested)
    return coverOf(book, requested, totals, report)
  }
  return {
    name: `${type}-report-${isoOfDay(requested.today)}.xlsx`,
    type: WORKBOOK_TYPE,
    bytes: writeWorkbook({ title: book.title, timeZone: requested.zone, cover, sheets: book.sheets }),
  }
}

function coverOf(
  book: Book,
  requested: ReportRange,
  totals: readonly SheetTotals[],
  report: ReportsSummary,
): CoverLine[] {
  const { from, to, timeZone } = report.range
  const checks = book.checks(totals, report)
  return [
    { label: 'Contents', value: book.about },
    { label: 'Shop', value: label.name },
    { label: 'From', value: from ?? 'the first order' },
    { label: 'To', value: to ?? `now (${report.range.today})` },
    { label: 'Filter', value: from || to ? 'These days, both included' : 'None: all orders so far' },
    { label: 'Time zone', value: `${timeZone}; days start at midnight` },
    { label: 'Currency', value: 'US dollars (USD)' },
    { label: 'Created', value: `${clockOf(requested)}, same time zone` },
    { label: 'Rows' },
    ...totals.map(({ name, rows }) => ({ label: name, count: rows })),
    { label: 'Checks' },
    ...checks.flatMap(({ what, here, reported }) => [
      { label: `${what}, sum of this workbook`, money: here },
      { label: `${what}, in the report`, money: reported },
      { label: '', value: here === reported ? 'They match.' : `They differ by ${formatUsd(minus(here, reported))}.` },
    ]),
    { label: 'Notes' },
    ...book.notes.map((value) => ({ label: '', value })),
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

const books: Record<WorkbookType, (db: Db, requested: ReportRange) => Book> = {
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
      count('Qty'),
      money('Subtotal'),
      money('Shipping'),
      money('Tax'),
      money('VAT protection'),
      money('Total'),
      money('Refunded'),
      text('Paid with', 11),
      text('Payment', 36),
      text('Printful order', 20),
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
      text('Product ID', 15),
      text('Variant ID', 16),
      count('Qty'),
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
    about: 'Every paid order in the range, and its items.',
    sheets: [orders, lines],
    checks: (totals, report) => [
      { what: 'Total revenue', here: sumOf(totals, 'Orders', 'Total'), reported: report.totalRevenue },
      { what: 'Tax collected', here: sumOf(totals, 'Orders', 'Tax'), reported: report.totalTax },
      {
        what: 'Items of all collections',
        here: sumOf(totals, 'Lines', 'Amount'),
        reported: sum(report.collections.map(({ revenue }) => revenue)),
      },
    ],
    notes: [
      'Total is the amount captured: subtotal, shipping with surcharges, tax and VAT protection.',
      'Refunded is the amount refunded so far; it is not subtracted from Total.',
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
      text(`${name} ID`, 34),
      moment('Counted on'),
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
      text('Note', 74),
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
      'Every charge, refund, dispute, fee and payout that Stripe lists, with our order next to it. PayPal has its own sheet.',
    sheets: [sheetOf('Stripe', 'stripe'), sheetOf('PayPal', 'paypal')],
    checks: (_, { stripeReconciliation, paypalReconciliation }) => [
      { what: 'Stripe total (charges)', here: charged.stripe, reported: stripeReconciliation.stripeTotal },
      { what: 'PayPal total (charges)', here: charged.paypal, reported: paypalReconciliation.paypalTotal },
    ],
    notes: [
      'A charge counts on the day the shop booked it. Charges unknown to the shop, and everything else, count on the provider’s date.',
      'The lists are as of their last reading; later lines are not included yet.',
      'Difference is the charge minus the payment that the shop booked.',
    ],
  }
}

/** What the summary counts: this shop's charges in US dollars. */
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
  if (currency !== 'usd') return 'In another currency: not in any sum.'
  if (known === null)
    return checkoutId === null
      ? 'From another program with this account: not in any sum of the report.'
      : 'Missing from the database: a payment for one of this shop’s checkouts that the shop does not have.'
  if (exception !== null) return `No order: ${exception.replaceAll('_', ' ')}.`
  return amount === known ? null : 'The shop booked a different amount.'
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

/** Totals of a product or collection. */
type ProfitTotals = { name: string; collection: string; pieces: number; result: OrderResult }

function profitBook(db: Db, { range }: ReportRange): Book {
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
      text('Not known yet', 30),
    ],
    rows: rowsOf(orderPages(db, range), async (page) => {
      const booked = await bookedOf(db, page)
      const lines = Map.groupBy(await listLinesOf(db, page), ({ orderId }) => orderId)
      return page.map((order) => {
        const result = resultOf(booked.get(order.id) ?? [])
        addToProducts(lines.get(order.id) ?? [], result)
        const { orderNumber, createdAt, address, paymentKey } = order
        const head = [formatOrderNumber(orderNumber), createdAt, countryName(address.country), wayOf(paymentKey)]
        return [...head, ...resultCells(result), unknownCosts(order)]
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
      'By product, an order’s shipping, fees and costs are split among its items in proportion to their prices, to the cent.',
    ],
  }
}

const unknownCosts = ({ isFeeKnown, isCostKnown }: ReportedOrder): string | null =>
  [isFeeKnown ? '' : 'provider’s fee', isCostKnown ? '' : 'printer’s cost'].filter(Boolean).join(', ') || null

/** Rows that are computed only when they are written. */
function* lazyRows(rows: () => readonly Row[]): Generator<Row> {
  yield* rows()
}

// ---- Payment Recovery

const recoveryColumns: readonly Column[] = [
  moment('Date'),
  text('Provider', 10),
  text('Payment', 36),
  text('Order', 13),
  text('Customer', 24),
  { title: 'In the shop', kind: 'money' },
  { title: 'At the provider', kind: 'money' },
  money('At stake'),
  text('In another currency', 20),
  text('Why', 30),
  text('Status', 8),
  text('What to do', 70),
]

/** The reason, and what to do. */
const advice: Readonly<Record<string, readonly [why: string, step: string]>> = {
  unknown_here: [
    'paid for one of this shop’s checkouts, but unknown to the shop',
    'Open Reconciliation in the admin and click “Compare now”. Its repair settles the payment and creates the order, or tells you why it cannot.',
  ],
  of_another_program: [
    'not for a checkout of this shop',
    'Another program charged it with the same account. If nobody recognizes it, look it up at the provider and refund it there.',
  ],
  second_payment: [
    'second payment of a checkout',
    'Nothing. The shop refunds it automatically. Check again if it stays open.',
  ],
  unknown_checkout: ['its checkout is unknown', 'Look it up at the provider. Refund it, or place the order by hand.'],
  unknown_version: [
    'what it paid for is unknown',
    'Look it up at the provider. Refund it, or place the order by hand.',
  ],
  amount_differs: [
    'different amount than its checkout',
    'Refund it at the provider, and ask the customer to order again.',
  ],
  currency_differs: ['not in US dollars', 'Refund it at the provider, and ask the customer to order again.'],
  mode_differs: [
    'test payment in a live shop, or the reverse',
    'A test payment needs no refund. Check the shop’s keys.',
  ],
  money_returned: [
    'refunded or disputed before the order was created',
    'Do not fulfill it. It is done when the provider shows a full refund.',
  ],
  not_listed: [
    'the provider does not list its payment',
    'Hold the order in the admin, and look up the payment at the provider before anything is printed.',
  ],
  charge: ['the provider lists a different amount', 'Look it up at the provider and settle the difference.'],
  refund: [
    'the provider lists different refunds',
    'Open Reconciliation in the admin and click “Compare now”. Its repair reads the refunds from the provider and books what is missing.',
  ],
}

function recoveryRow(recoveryCase: RecoveryCase): Row {
  const { at, provider, paymentKey, orderNumber, customer, here, there, currency, kind, isClosed } = recoveryCase
  const [why, step] = advice[kind] ?? [kind.replaceAll('_', ' '), 'Look it up at the provider.']
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
    ...[why, isClosed ? 'closed' : 'open', isClosed ? 'Nothing, it is closed.' : step],
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
    about: 'Payments without an order, orders without a payment, amounts that differ, and what to do about each.',
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
    notes: [
      'An empty sheet means that there is no known problem of its kind.',
      'Payments later than a provider’s last reading are not checked against its list.',
    ],
  }
}
