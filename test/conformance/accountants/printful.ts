import { isFields, type Fields, type Json } from '../json.ts'
import { objectsIn, rowsIn, textIn, valueIn, type Exchange } from '../walks/walk.ts'
import { centsOf, equal, fieldsIn, isText, missing, nearest, numberIn, total } from './ledger.ts'

// What must be true of everything that Printful answers, by Printful's documentation.

const PARTS = 'subtotal shipping digitization additional_fee fulfillment_fee retail_delivery_fee tax vat'.split(' ')
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const AMOUNT = /^-?\d+\.\d\d$/

/** @param now Unix seconds of the provider */
export function auditPrintful(exchanges: readonly Exchange[], now: number): string[] {
  const rate = BigInt(Math.round(Number(valueIn(answerOf(exchanges, 'tax'), 'result', 'rate') ?? 0) * 1_000_000))
  return [
    ...exchanges.flatMap(({ step, path, answer, status }) =>
      [
        ...(path.startsWith('/v2/') || status !== 200 ? [] : equal('code', valueIn(answer, 'code'), 200)),
        ...(status === 200 ? [] : auditRefusal(answer, status)),
        ...objectsIn(answer).flatMap((one) => auditObject(one, { rate, now })),
        ...auditPage(path, answer),
      ].map((mistake) => `${step}: ${mistake}`),
    ),
    ...auditParcels(exchanges),
    ...auditEstimate(exchanges),
    ...exchanges.flatMap(({ step, request, answer, status }) =>
      (status === 200 ? auditWish(request, valueIn(answer, 'result') ?? null) : []).map((one) => `${step}: ${one}`),
    ),
  ]
}

/** An order has what was asked for: who gets it, and how many of what for how much. */
function auditWish(request: Json, answer: Json): string[] {
  if (!isFields(request) || !isFields(answer) || !('pricing_breakdown' in answer)) return []
  const [wanted, given] = [fieldsIn(request, 'recipient'), fieldsIn(answer, 'recipient')]
  const items = (order: Fields) =>
    rowsIn(order, 'items')
      .map(
        (item) =>
          `${textIn(item, 'quantity')} of ${textIn(item, 'sync_variant_id')} for ${textIn(item, 'retail_price')}`,
      )
      .join()
  return [
    ...equal('external_id', answer['external_id'], request['external_id']),
    ...Object.entries(wanted).flatMap(([name, value]) => equal(`${name} of the recipient`, given[name], value)),
    ...equal('what is ordered', items(answer), items(request)),
  ]
}

/** An order's event has the order; a parcel's event has the parcel, too; what went wrong has a reason. */
export function auditPrintfulEvent(event: Json, now: number): string[] {
  const type = textIn(event, 'type')
  const data = objectsIn(valueIn(event, 'data') ?? null)[0] ?? {}
  const needed = [
    ...(/^(?:order|package)_/.test(type) ? ['order'] : []),
    ...(type.startsWith('package_') ? ['shipment'] : []),
    ...(/^(?:order_failed|order_canceled|order_put_hold|order_remove_hold|package_returned)/.test(type)
      ? ['reason']
      : []),
    ...(type.startsWith('product_') ? ['sync_product'] : []),
  ]
  return [
    ...(needed.length > 0 ? missing('it', data, needed.join(' ')) : []),
    ...objectsIn(event).flatMap((one) => auditObject(one, { rate: undefined, now })),
  ].map((mistake) => `event ${type}: ${mistake}`)
}

const answerOf = (exchanges: readonly Exchange[], name: string): Json | undefined =>
  exchanges.find(({ step }) => step === name)?.answer

const auditRefusal = (answer: Json, status: number): string[] => [
  ...equal('code', valueIn(answer, 'code'), status),
  ...equal('the message, in both places', valueIn(answer, 'error', 'message'), valueIn(answer, 'result')),
]

type Known = { rate: bigint | undefined; now: number }

function auditObject(one: Fields, known: Known): string[] {
  const times = Object.entries(one).flatMap(([name, value]) =>
    name.endsWith('_at') && value !== null && !isText(value, TIME)
      ? [`${name} is ${JSON.stringify(value)}, not an ISO time`]
      : [],
  )
  return [...times, ...auditShape(one, known)]
}

function auditShape(one: Fields, known: Known): string[] {
  if ('pricing_breakdown' in one) return auditOrder(one, known)
  if ('shipment_status' in one) return auditShipment(one)
  return []
}

/** Of the same kind everywhere, and the sum of its parts. @param kind of money: an order has text, an estimate numbers */
function auditCosts(costs: Fields, kind: 'string' | 'number'): string[] {
  const given = [...PARTS, 'discount', 'total'].filter((name) => name in costs && costs[name] !== null)
  const kinds = given.filter(
    (name) => typeof costs[name] !== kind || (kind === 'string' && !isText(costs[name], AMOUNT)),
  )
  const cents = (name: string) => (name in costs && costs[name] !== null ? centsOf(costs[name]) : 0)
  return [
    ...kinds.map((name) => `${name} of the costs is ${JSON.stringify(costs[name])}`),
    ...(costs['total'] === null
      ? []
      : equal('total of the costs', cents('total'), total(PARTS.map(cents)) - cents('discount'))),
  ]
}

function auditOrder(one: Fields, { rate, now }: Known): string[] {
  const [costs, retail] = [fieldsIn(one, 'costs'), fieldsIn(one, 'retail_costs')]
  const items = rowsIn(one, 'items')
  const sumOf = (name: string) => total(items.map((item) => centsOf(item[name]) * numberIn(item, 'quantity')))
  const price = rowsIn(one, 'pricing_breakdown')[0] ?? {}
  const credited = sumOf('price') - centsOf(costs['subtotal'])
  const isSent = rowsIn(one, 'shipments').length > 0
  return [
    ...missing(
      'the order',
      one,
      'id external_id status shipping created updated recipient items costs retail_costs shipments',
    ),
    ...auditCosts(costs, 'string'),
    ...auditCosts(retail, 'string'),
    // What Printful gives back for a parcel lowers the subtotal.
    ...equal('whether the subtotal is that of the items', isSent ? credited >= 0 : credited === 0, true),
    ...equal('retail subtotal', centsOf(retail['subtotal']), sumOf('retail_price')),
    ...(rate === undefined || credited !== 0
      ? []
      : equal(
          'tax',
          centsOf(costs['tax']) + centsOf(costs['vat']),
          nearest(centsOf(costs['subtotal']) + centsOf(costs['shipping']), rate, 1_000_000n),
        )),
    ...equal('what the customer pays', price['customer_pays'], retail['total']),
    ...equal('what Printful takes', price['printful_price'], costs['total']),
    ...equal('profit', centsOf(price['profit']), centsOf(retail['total']) - centsOf(costs['total'])),
    ...['created', 'updated'].flatMap((name) =>
      equal(`whether ${name} is in seconds`, Math.abs(numberIn(one, name) - now) < 366 * 86_400, true),
    ),
    ...auditSent(one, items),
  ]
}

/** An order is sent when all its pieces are, in part when some are; no piece is sent twice, unless again. */
function auditSent(one: Fields, items: readonly Fields[]): string[] {
  const parcels = rowsIn(one, 'shipments')
  const first = parcels.filter((parcel) => parcel['reshipment'] === false).flatMap((parcel) => rowsIn(parcel, 'items'))
  const pieces = total(items.map((item) => numberIn(item, 'quantity')))
  const sent = total(first.map((item) => numberIn(item, 'quantity')))
  const status = sent === 0 ? undefined : sent < pieces ? 'partial' : 'fulfilled'
  return [
    ...equal('whether no more is sent than ordered', sent <= pieces, true),
    ...(status === undefined
      ? equal('whether it is sent', ['partial', 'fulfilled'].includes(textIn(one, 'status')), false)
      : equal('status', one['status'], status)),
    ...parcels.flatMap((parcel) =>
      missing(
        'the parcel',
        parcel,
        'id carrier service tracking_number tracking_url created ship_date shipped_at items',
      ),
    ),
  ]
}

function auditShipment(one: Fields): string[] {
  return [
    ...missing(
      'the parcel',
      one,
      'id order_id order_external_id carrier service shipment_status shipped_at delivery_status delivered_at',
    ),
    ...missing(
      'the parcel',
      one,
      'departure_address is_reshipment tracking_url tracking_events estimated_delivery shipment_items _links',
    ),
    ...equal('whether it is delivered', one['delivered_at'] !== null, one['delivery_status'] === 'delivered'),
    ...equal('whether it holds something', rowsIn(one, 'shipment_items').length > 0, true),
  ]
}

/** `total` counts everything there is, and a page has as many rows as fit. */
function auditPage(path: string, answer: Json): string[] {
  const paging = valueIn(answer, 'paging')
  const rows = valueIn(answer, 'result') ?? valueIn(answer, 'data')
  if (!isFields(paging) || !Array.isArray(rows)) return []
  const wanted = new URLSearchParams(path.split('?')[1])
  const [all, offset, limit] = [numberIn(paging, 'total'), numberIn(paging, 'offset'), numberIn(paging, 'limit')]
  return [
    ...equal('offset', offset, Number(wanted.get('offset') ?? 0)),
    ...equal('limit', limit, Number(wanted.get('limit') ?? 20)),
    ...equal('rows of the page', rows.length, Math.max(0, Math.min(limit, all - offset))),
  ]
}

/** Both versions have the same parcels with the same pieces, and the pages of a list have every row once. */
function auditParcels(exchanges: readonly Exchange[]): string[] {
  const lines = (parcels: readonly Fields[], items: string, id: string) =>
    parcels.map(
      (one) =>
        `${textIn(one, 'id')}: ${rowsIn(one, items)
          .map((item) => `${textIn(item, 'quantity')} of ${textIn(item, id)}`)
          .join()}`,
    )
  const compared = exchanges.flatMap(({ step, answer }) => {
    const other = answerOf(exchanges, `${step}, its parcels`)
    if (other === undefined) return []
    return equal(
      `${step}: parcels of version 2`,
      lines(rowsIn(other, 'data'), 'shipment_items', 'order_item_id').join(' · '),
      lines(rowsIn(answer, 'result', 'shipments'), 'items', 'item_id').join(' · '),
    )
  })
  const idsOf = (start: string, rows: string) =>
    exchanges
      .filter(({ step }) => step.startsWith(start))
      .flatMap(({ answer }) => rowsIn(answer, rows).map((one) => textIn(one, 'id')))
  const whole = (name: string, rows: string) => rowsIn(answerOf(exchanges, name), rows).map((one) => textIn(one, 'id'))
  return [
    ...compared,
    ...equal(
      'orders by twos',
      idsOf('orders by twos', 'result').join(),
      whole('orders on one full page', 'result').join(),
    ),
    ...equal(
      'parcels one by one',
      idsOf('parcels one by one', 'data').join(),
      whole('sent again, its parcels', 'data').join(),
    ),
  ]
}

/** An estimate has the amounts of the order, as numbers. */
function auditEstimate(exchanges: readonly Exchange[]): string[] {
  const [estimate, draft] = ['estimate', 'draft'].map((name) => valueIn(answerOf(exchanges, name), 'result'))
  if (!isFields(estimate) || !isFields(draft)) return []
  const amounts = (one: Fields, name: string) =>
    Object.entries(fieldsIn(one, name))
      .map(([key, value]) => `${key} ${key === 'currency' || value === null ? JSON.stringify(value) : centsOf(value)}`)
      .join()
  return [
    ...auditCosts(fieldsIn(estimate, 'costs'), 'number'),
    ...auditCosts(fieldsIn(estimate, 'retail_costs'), 'number'),
    ...['costs', 'retail_costs'].flatMap((name) =>
      equal(`${name} of an estimate`, amounts(estimate, name), amounts(draft, name)),
    ),
  ]
}
