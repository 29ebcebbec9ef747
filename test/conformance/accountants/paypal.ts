import type { Fields, Json } from '../json.ts'
import { objectsIn, rowsIn, textIn, valueIn, type Exchange } from '../walks/walk.ts'
import { centsOf, equal, fieldsIn, isText, missing, nearest, total } from './ledger.ts'

// What must be true of everything that PayPal answers, by PayPal's documentation, and of its account as a whole.

/** List price in the United States: 3.49 % and 49 cents (https://www.paypal.com/us/webapps/mpp/merchant-fees). */
const feeOn = (cents: number) => nearest(cents, 349n, 10_000n) + 49

/** Cents of the money in a field; NaN when it is missing. */
const moneyIn = (fields: Fields, name: string): number => centsOf(fieldsIn(fields, name)['value'])

const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** A sentence per broken rule. */
export function auditPaypal(all: readonly Exchange[]): string[] {
  // A list of events shows the past.
  const exchanges = all.filter(({ path }) => !path.startsWith('/v1/notifications/'))
  return [
    ...exchanges.flatMap(({ step, answer }) =>
      objectsIn(answer)
        .flatMap(auditObject)
        .map((mistake) => `${step}: ${mistake}`),
    ),
    ...auditRequestIds(exchanges),
    ...auditCaptures(exchanges),
    ...auditRefunds(exchanges),
    ...auditReports(exchanges),
    ...auditAccount(exchanges),
  ]
}

/** What belongs to an event of each type: where its state is, and what it is then. */
const states: Readonly<Record<string, string>> = {
  'CHECKOUT.ORDER.APPROVED': 'APPROVED',
  'PAYMENT.CAPTURE.COMPLETED': 'COMPLETED',
  'PAYMENT.CAPTURE.PENDING': 'PENDING',
  'PAYMENT.CAPTURE.DENIED': 'DECLINED',
  'PAYMENT.CAPTURE.REFUNDED': 'COMPLETED',
  'PAYMENT.REFUND.PENDING': 'PENDING',
  'PAYMENT.REFUND.FAILED': 'FAILED',
  'CUSTOMER.DISPUTE.RESOLVED': 'RESOLVED',
}

export function auditPaypalEvent(event: Json): string[] {
  const type = textIn(event, 'event_type')
  const state = states[type]
  return [
    ...missing('it', objectsIn(event)[0] ?? {}, 'id create_time resource_type event_type summary resource links'),
    ...(state === undefined ? [] : equal('its status', textIn(event, 'resource', 'status'), state)),
    ...objectsIn(event).flatMap(auditObject),
  ].map((mistake) => `event ${type}: ${mistake}`)
}

function auditObject(one: Fields): string[] {
  const times = Object.entries(one).flatMap(([name, value]) =>
    /_(?:time|date|datetime)$/.test(name) && name !== 'start_time' && !isText(value, SECONDS)
      ? [`${name} is ${JSON.stringify(value)}, not a time as PayPal writes it`]
      : [],
  )
  const money =
    'currency_code' in one
      ? equal(
          `whether ${JSON.stringify(one['value'])} is dollars with cents`,
          one['currency_code'] === 'USD' && typeof one['value'] === 'string' && !Number.isNaN(centsOf(one['value'])),
          true,
        )
      : []
  return [...times, ...money, ...auditShape(one)]
}

/** By the fields that only this kind of object has. */
function auditShape(one: Fields): string[] {
  if ('final_capture' in one) return auditCapture(one)
  if ('seller_payable_breakdown' in one) return auditRefund(one)
  if ('purchase_units' in one && 'intent' in one) return auditOrder(one)
  if ('breakdown' in one) return auditBreakdown(one)
  if ('dispute_id' in one) return auditDispute(one)
  if ('debug_id' in one) return missing('the error', one, 'name message links')
  return []
}

function auditCapture(one: Fields): string[] {
  const amount = moneyIn(one, 'amount')
  const isKnown = !['PENDING', 'DECLINED'].includes(textIn(one, 'status'))
  const parts = fieldsIn(one, 'seller_receivable_breakdown')
  return [
    ...missing(
      'the capture',
      one,
      'id status amount seller_protection create_time update_time links invoice_id custom_id',
    ),
    ...equal('whether its fee is known', 'seller_receivable_breakdown' in one, isKnown),
    ...(one['status'] === 'PENDING' ? equal('whether it has a reason', 'status_details' in one, true) : []),
    ...(isKnown
      ? [
          ...equal('gross amount', moneyIn(parts, 'gross_amount'), amount),
          ...equal('fee', moneyIn(parts, 'paypal_fee'), feeOn(amount)),
          ...equal('net amount', moneyIn(parts, 'net_amount'), amount - moneyIn(parts, 'paypal_fee')),
        ]
      : []),
  ]
}

function auditRefund(one: Fields): string[] {
  const parts = fieldsIn(one, 'seller_payable_breakdown')
  return [
    ...missing('the refund', one, 'id status amount create_time update_time links'),
    ...equal('gross amount of a refund', moneyIn(parts, 'gross_amount'), moneyIn(one, 'amount')),
    ...equal(
      'net amount of a refund',
      moneyIn(parts, 'net_amount'),
      moneyIn(one, 'amount') - moneyIn(parts, 'paypal_fee'),
    ),
    ...(one['status'] === 'PENDING' ? equal('whether it has a reason', 'status_details' in one, true) : []),
  ]
}

function auditOrder(one: Fields): string[] {
  const captures = rowsIn(one, 'purchase_units', 0, 'payments', 'captures')
  return [
    ...missing('the order', one, 'id status intent purchase_units create_time update_time links'),
    ...equal('whether it is completed', one['status'] === 'COMPLETED', captures.length > 0),
    ...(one['status'] === 'APPROVED' || one['status'] === 'COMPLETED'
      ? missing('the order', one, 'payer payment_source')
      : []),
    ...captures.flatMap((capture) =>
      equal(
        'what is captured',
        moneyIn(capture, 'amount'),
        centsOf(valueIn(one, 'purchase_units', 0, 'amount', 'value')),
      ),
    ),
  ]
}

const ADDED = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance']
const TAKEN = ['shipping_discount', 'discount']

function auditBreakdown(one: Fields): string[] {
  const parts = fieldsIn(one, 'breakdown')
  const all = (names: readonly string[]) =>
    total(names.filter((name) => name in parts).map((name) => moneyIn(parts, name)))
  return equal('the sum of the parts', all(ADDED) - all(TAKEN), centsOf(one['value']))
}

function auditDispute(one: Fields): string[] {
  const isResolved = one['status'] === 'RESOLVED'
  return [
    ...missing(
      'the dispute',
      one,
      'create_time update_time reason status dispute_amount dispute_life_cycle_stage links',
    ),
    ...equal('whether it must be answered by a day', 'seller_response_due_date' in one, !isResolved),
  ]
}

/** The same request id has the same answer, with 200 instead of 201. */
function auditRequestIds(exchanges: readonly Exchange[]): string[] {
  const [first, again] = ['order with a request id', 'order again with the request id'].map((name) =>
    exchanges.find(({ step }) => step === name),
  )
  return equal('the answer to a repeated request id', textIn(again?.answer, 'id'), textIn(first?.answer, 'id'))
}

type Found = { capture: string; amount: number; status: string; id: string; at: string; totalSaid: number }

/** Refunds as they were last seen, in order of their making. */
function refundsIn(exchanges: readonly Exchange[]): Found[] {
  const found = new Map<string, Found>()
  for (const { answer } of exchanges)
    for (const one of objectsIn(answer).filter((each) => 'seller_payable_breakdown' in each)) {
      const up = rowsIn(one, 'links').find(({ rel }) => rel === 'up')
      const id = textIn(one, 'id')
      found.set(id, {
        id,
        capture: textIn(up, 'href').split('/').at(-1) ?? '',
        amount: moneyIn(one, 'amount'),
        status: textIn(one, 'status'),
        at: textIn(one, 'create_time'),
        totalSaid: moneyIn(fieldsIn(one, 'seller_payable_breakdown'), 'total_refunded_amount'),
      })
    }
  return [...found.values()]
}

/** A capture's status follows from the refunds that were made until then and have not failed. */
function auditCaptures(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ step, path, answer }, at) => {
    const id = /^\/v2\/payments\/captures\/(\w+)$/.exec(path)?.[1]
    const status = textIn(answer, 'status')
    if (id === undefined || !/^(?:COMPLETED|PARTIALLY_REFUNDED|REFUNDED)$/.test(status)) return []
    const refunds = refundsIn(exchanges.slice(0, at)).filter(
      ({ capture, status }) => capture === id && status !== 'FAILED',
    )
    const refunded = total(refunds.map(({ amount }) => amount))
    const amount = centsOf(valueIn(answer, 'amount', 'value'))
    const should = refunded === 0 ? 'COMPLETED' : refunded < amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
    return equal(`${step}: status with ${refunded} of ${amount} cents refunded`, status, should)
  })
}

/** Each refund says how much was refunded with it, and with those before it that have not failed. */
function auditRefunds(exchanges: readonly Exchange[]): string[] {
  const refunds = refundsIn(exchanges)
  return refunds.flatMap(({ id, capture, totalSaid, status }, at) => {
    const before = refunds
      .slice(0, at + 1)
      .filter((one) => one.capture === capture && (one.status !== 'FAILED' || one.id === id))
    return status === 'FAILED'
      ? []
      : equal(`total refunded with ${id}`, totalSaid, total(before.map(({ amount }) => amount)))
  })
}

/** Pages of a report: every line once, as many pages as needed for all, and no more. */
function auditReports(exchanges: readonly Exchange[]): string[] {
  const reports = exchanges.filter(
    ({ path, status }) => path.startsWith('/v1/reporting/transactions') && status === 200,
  )
  const ids = (report: Exchange) =>
    rowsIn(report.answer, 'transaction_details').map((row) => textIn(row, 'transaction_info', 'transaction_id'))
  const pages = reports.filter(({ step }) => step.startsWith('report by fours'))
  const whole = reports.find(({ step }) => step === 'report')
  return [
    ...reports.flatMap(({ step, path, answer }) => {
      const size = Number(new URLSearchParams(path.split('?')[1]).get('page_size'))
      const items = Number(valueIn(answer, 'total_items'))
      return equal(
        `${step}: pages of ${items} lines by ${size}`,
        valueIn(answer, 'total_pages'),
        Math.max(1, Math.ceil(items / size)),
      )
    }),
    ...(pages.length > 0 && whole ? equal('lines of all pages', pages.flatMap(ids).join(), ids(whole).join()) : []),
  ]
}

/** The report against what was captured, refunded and disputed. Nothing when the walk saw no payments. */
function auditAccount(exchanges: readonly Exchange[]): string[] {
  const report = exchanges.find(({ step }) => step === 'report')
  const lines = rowsIn(report?.answer, 'transaction_details').map((row) => fieldsIn(row, 'transaction_info'))
  const isWhole = exchanges.some(({ step }) => step === 'report on one full page')
  if (!isWhole) return []
  const last = new Map<string, Fields>()
  const disputes = new Map<string, Fields>()
  for (const { answer } of exchanges)
    for (const one of objectsIn(answer)) {
      if ('final_capture' in one) last.set(textIn(one, 'id'), one)
      if ('disputed_transactions' in one) disputes.set(textIn(one, 'dispute_id'), one)
    }
  const linesOf = (code: string, id: string, by: 'transaction_id' | 'paypal_reference_id') =>
    lines.filter((line) => line['transaction_event_code'] === code && line[by] === id)
  const amounts = (found: readonly Fields[]) => found.map((line) => moneyIn(line, 'transaction_amount')).join()
  const refunds = refundsIn(exchanges)
  return [
    ...lines.flatMap((line) =>
      missing(
        'the line',
        line,
        'transaction_id transaction_event_code transaction_initiation_date transaction_amount transaction_status',
      ),
    ),
    ...[...last].flatMap(([id, capture]) => {
      const isBooked = !['PENDING', 'DECLINED'].includes(textIn(capture, 'status'))
      const amount = moneyIn(capture, 'amount')
      const booked = linesOf('T0006', id, 'transaction_id')
      return [
        ...equal(`lines of the capture ${id}`, amounts(booked), isBooked ? String(amount) : ''),
        ...booked.flatMap((line) => equal(`fee in the line of ${id}`, moneyIn(line, 'fee_amount'), -feeOn(amount))),
      ]
    }),
    ...refunds.flatMap(({ id, amount, status, capture }) => [
      ...equal(`lines of the refund ${id}`, amounts(linesOf('T1107', id, 'transaction_id')), String(-amount)),
      ...(status === 'FAILED'
        ? equal(`what came back of ${id}`, amounts(linesOf('T1106', capture, 'paypal_reference_id')), String(amount))
        : []),
    ]),
    ...[...disputes.values()].flatMap((dispute) => {
      const transaction = rowsIn(dispute, 'disputed_transactions')[0] ?? {}
      const capture = textIn(transaction, 'seller_transaction_id')
      const amount = moneyIn(dispute, 'dispute_amount')
      const opened = textIn(dispute, 'create_time')
      const before = refunds.filter((one) => one.capture === capture && one.at <= opened && one.status !== 'FAILED')
      const isWon = textIn(dispute, 'dispute_outcome', 'outcome_code') === 'RESOLVED_SELLER_FAVOUR'
      return [
        ...equal(
          'what is disputed: what is left of the payment',
          amount,
          moneyIn(transaction, 'gross_amount') - total(before.map((one) => one.amount)),
        ),
        ...equal('taken by the dispute', amounts(linesOf('T1201', capture, 'paypal_reference_id')), String(-amount)),
        ...equal(
          'returned by the dispute',
          amounts(linesOf('T1202', capture, 'paypal_reference_id')),
          isWon ? String(amount) : '',
        ),
      ]
    }),
  ]
}
