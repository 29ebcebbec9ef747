import type pg from 'pg'
import { mainCountries } from '#domain/checkout/countries.ts'
import type { Quote } from '#domain/checkout/quote.ts'
import { taxEvidenceOf } from '#domain/checkout/tax-evidence.ts'
import { entriesOfRefund, entriesOfSale, type Entry } from '#domain/ledger/ledger.ts'
import {
  NO_PARTS,
  partsOfAmount,
  partsOfLines,
  remainingParts,
  totalOf,
  type RefundParts,
} from '#domain/payments/returns.ts'
import {
  addTax,
  linesToReverse,
  negateTax,
  restOfLines,
  taxOfRefund,
  taxPartsOf,
  taxPlaceOf,
  type RecordedLine,
  type TaxAmounts,
} from '#domain/tax/bookings.ts'
import { SHIPPING_LINE, taxAnswerOf, taxTransactionOf } from '#server/providers/stripe/tax.ts'
import { cents, minus, negate, plus, sum, times, ZERO } from '#shared/money.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { openBooks } from '#sandbox/stripe/books.ts'
import type { Needs } from '#sandbox/stripe/needs.ts'
import { calculateTax, recordTax, reverseTax } from '#sandbox/stripe/tax.ts'

const places: Readonly<Record<string, readonly (readonly [state: string | null, postalCode: string])[]>> = {
  US: [
    ['NY', '10118'],
    ['CA', '90001'],
    ['TX', '73301'],
    ['OR', '97201'],
    ['WA', '98101'],
  ],
  CA: [
    ['QC', 'H2X 1Y4'],
    ['ON', 'M5V 2T6'],
    ['AB', 'T5J 0N3'],
  ],
}

type Row = Record<string, unknown>

/**
 * Orders from all countries that the shop delivers to, with refunds of pieces, amounts and the rest up to months later. Their quotes,
 * postings and tax bookings come from the shop's rules; what the tax source has of them is made and kept by its simulator.
 * @param seed the same one makes the same orders
 */
export function makeTaxOrders({
  count,
  from,
  hours,
  seed,
}: {
  count: number
  from: Date
  hours: number
  seed: number
}) {
  let state = seed
  // The same numbers in every run.
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  const books = openBooks()
  let now = from
  // The simulator's tax needs its books and the time alone.
  const simulator = { books, kit: { clock: { now: () => now } } } as unknown as Needs
  const rows = {
    shop_order: new Array<Row>(),
    ledger_posting: new Array<Row>(),
    ledger_entry: new Array<Row>(),
    tax_booking: new Array<Row>(),
    tax_transaction: new Array<Row>(),
  }

  function book(orderId: number, kind: 'sale' | 'refund', entries: Entry[], place: object, amounts: TaxAmounts): void {
    const id = rows.ledger_posting.length + 1
    const key = `${kind}:made:${id}`
    const { net, tax, vatProtection, parts } = amounts
    rows.ledger_posting.push({ id, kind, key, order_id: orderId, booked_at: now })
    for (const { account, amount } of entries) rows.ledger_entry.push({ posting_id: id, account, amount_cents: amount })
    const sums = { net_cents: net, tax_cents: tax, vat_protection_cents: vatProtection, parts }
    rows.tax_booking.push({ key, kind, order_id: orderId, ...place, ...sums, booked_at: now })
  }

  function keep(orderId: number, made: ReturnType<typeof recordTax>): { id: string; lines: RecordedLine[] } {
    const { id, reference, reverses, net, tax, lines, postedAt } = taxTransactionOf(made, made.line_items?.data ?? [])
    const sums = { net_cents: net, tax_cents: tax, lines }
    rows.tax_transaction.push({ id, reference, order_id: orderId, reverses, ...sums, posted_at: postedAt })
    return { id, lines }
  }

  for (let orderId = 1; orderId <= count; orderId += 1) {
    now = new Date(from.getTime() + below(hours) * HOUR_MS)
    const country = mainCountries[orderId % mainCountries.length] ?? 'DE'
    const known = places[country] ?? [[null, '10117']]
    const [region, postalCode] = known[below(known.length)] ?? [null, '10117']
    const address = { line1: 'Main Street 1', line2: null, city: 'Town', state: region, postalCode, country }
    const lines = Array.from({ length: 1 + below(3) }, () => ({
      ...{ unitPrice: cents(500 + below(9000)), quantity: 1 + below(4) },
    }))
    const merchandise = sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))
    const surcharge = cents(below(5) === 0 ? 3499 : 0)
    const shipping = plus(cents(below(4) === 0 ? 599 : 0), surcharge)
    const calculation = calculateTax(simulator, {
      currency: 'usd',
      line_items: lines.map(({ unitPrice, quantity }, index) => ({
        ...{ amount: times(unitPrice, quantity), quantity, reference: `L${index}`, tax_behavior: 'exclusive' as const },
      })),
      ...(shipping > 0 && { shipping_cost: { amount: shipping, tax_behavior: 'exclusive' as const } }),
      customer_details: {
        address: { country, line1: address.line1, city: 'Town', state: region ?? undefined, postal_code: postalCode },
        address_source: 'shipping',
      },
    })
    const answer = taxAnswerOf(calculation, plus(merchandise, shipping))
    const whole = { ...NO_PARTS, merchandise, surcharge, shipping: minus(shipping, surcharge), tax: answer.amount }
    // Of a quote, evidence has only these.
    const quote = { tax: answer.amount, taxBreakdown: answer.breakdown, vatProtection: ZERO } as unknown as Quote
    const evidence = taxEvidenceOf({ quote, shippingAddress: address, taxCalculationId: answer.calculationId }, now)
    const place = taxPlaceOf(address)
    const withoutRates = ({ tax, ...parts }: RefundParts) => ({
      ...{ net: sum([parts.merchandise, parts.shipping, parts.surcharge]), tax, vatProtection: ZERO },
    })
    const sold = { ...withoutRates(whole), parts: taxPartsOf(evidence, withoutRates(whole)) }
    const total = totalOf(whole)
    rows.shop_order.push({
      ...{
        id: orderId,
        order_number: `TAX${orderId}`,
        external_id: `TAX${orderId}`,
        payment_key: `stripe:pi_${orderId}`,
      },
      ...{ checkout_id: `00000000-0000-4000-8000-${String(orderId).padStart(12, '0')}`, session_id: '' },
      ...{ payment_status: 'paid', fulfilment_status: 'delivered', tax_report: 'reported', collection: 'rudy' },
      ...{ subtotal_cents: merchandise, shipping_cents: shipping, tax_cents: answer.amount, vat_protection_cents: 0 },
      ...{ total_cents: total, customer_email: 'fan@mail.example', customer_name: 'Fan', shipping_address: address },
      ...{ tax_evidence: evidence, created_at: now, updated_at: now },
    })
    const amounts = { ...whole, subtotal: merchandise, shipping, total }
    book(orderId, 'sale', entriesOfSale('stripe', amounts), place, sold)
    const recorded = keep(orderId, recordTax(simulator, { calculation: calculation.id, reference: `TAX${orderId}` }))

    const given: RefundParts[] = []
    let rest: TaxAmounts = sold
    let reversed: RecordedLine[] = []
    for (let more = below(10) < 4 ? 1 + below(3) : 0; more > 0; more -= 1) {
      const left = remainingParts(whole, given)
      if (totalOf(left) === ZERO) break
      const isOfPieces = given.length === 0 && below(2) === 0
      const parts = isOfPieces
        ? partsOfLines(whole, left, [{ unitPrice: lines[0]?.unitPrice ?? ZERO, quantity: 1 }])
        : partsOfAmount(left, more === 1 && below(2) === 0 ? totalOf(left) : cents(1 + below(totalOf(left))))
      given.push(parts)
      now = new Date(now.getTime() + below(50) * DAY_MS)
      const taken = taxOfRefund(rest, withoutRates(parts))
      rest = addTax(rest, negateTax(taken))
      book(orderId, 'refund', entriesOfRefund('stripe', parts), place, negateTax(taken))
      // As in the shop, what had no tax is not reversed.
      const ofLines = parts.tax > 0 ? (linesToReverse(restOfLines(recorded.lines, reversed), taken) ?? []) : []
      if (ofLines.length === 0) continue
      const ofShipping = ofLines.find(({ id }) => id === SHIPPING_LINE)
      const made = reverseTax(simulator, {
        ...{ mode: 'partial', original_transaction: recorded.id, reference: `TAX${orderId}-r${given.length}` },
        line_items: ofLines
          .filter((line) => line !== ofShipping)
          .map(({ id, amount, tax }) => ({
            ...{ original_line_item: id, reference: id, amount: negate(amount), amount_tax: negate(tax) },
          })),
        ...(ofShipping && { shipping_cost: { amount: negate(ofShipping.amount), amount_tax: negate(ofShipping.tax) } }),
      })
      reversed = [...reversed, ...keep(orderId, made).lines]
    }
  }
  return { rows, transactions: [...books.taxTransactions.values()] }
}

/** Stores them. Their checkouts and payments are left out, so the database user must be a superuser. */
export async function insertTaxOrders(pool: pg.Pool, { rows }: Pick<ReturnType<typeof makeTaxOrders>, 'rows'>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const [table, all] of Object.entries(rows)) {
      const columns = Object.keys(all[0] ?? {}).join(', ')
      await client.query(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [JSON.stringify(all)],
      )
    }
    await client.query('commit')
  } finally {
    client.release()
  }
}
