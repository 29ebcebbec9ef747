import { expect, test } from 'vitest'
import { check, type Evidence } from './checker.ts'
import type { Diary } from './shopper.ts'

// A card purchase as all books record it, and what the checker reports when one of them is wrong.

type Line = { kind: string; provider: string; data: Record<string, unknown> }
type Scenario = Omit<Evidence, 'witness'> & { lines: Line[]; mails: { subject: string; text: string; to: string }[] }

const address = { name: 'Ada Fan', city: 'New York', postal: '10118', street: '350 5th Avenue', country: 'US' }
const key = 'stripe:pi_1'

const diary = (): Diary => ({
  shopper: 1,
  habit: 'pays and comes back',
  email: 'ada@mail.example',
  offers: [
    {
      ...{ paymentId: 'pi_1', subtotal: 2000, shipping: 0, tax: 178, vatProtection: 0, total: 2178, isUntaxed: false },
      to: {
        line1: address.street,
        city: address.city,
        state: 'NY',
        postal_code: address.postal,
        country: address.country,
      },
      pieces: [{ productId: 1, variantId: 7, quantity: 2 }],
      press: 1,
    },
  ],
  taken: ['pi_1'],
  held: [],
  outcomes: [{ paymentId: 'pi_1', success: true, orderNumber: 'AAAA-0001', afterPaying: true }],
  left: new Map(),
  failuresInARow: [],
  violations: [],
})

function purchase(): Scenario {
  const line = (provider: string, kind: string, data: Record<string, unknown>): Line => ({ provider, kind, data })
  return {
    lines: [
      line('stripe', 'call', {
        method: 'POST',
        path: '/v1/tax/calculations',
        request: {
          'customer_details[address][line1]': address.street,
          'line_items[0][reference]': '7',
          'line_items[0][quantity]': '2',
          'line_items[0][amount]': '2000',
        },
        answer: { object: 'tax.calculation', tax_amount_exclusive: 178 },
      }),
      line('stripe', 'call', {
        method: 'POST',
        path: '/v1/payment_intents',
        request: {},
        answer: {
          object: 'payment_intent',
          id: 'pi_1',
          currency: 'usd',
          status: 'requires_payment_method',
          metadata: { checkout_id: 'c1' },
          shipping: {
            name: address.name,
            address: {
              line1: address.street,
              city: address.city,
              postal_code: address.postal,
              country: address.country,
            },
          },
        },
      }),
      line('stripe', 'paid', { payment_intent: 'pi_1', charge: 'ch_1', amount: 2178 }),
      line('stripe', 'webhook', { event: 'evt_1', answer: 200 }),
      line('printful', 'call', {
        method: 'POST',
        path: '/orders',
        request: {
          external_id: 'AAAA-0001',
          recipient: {
            name: address.name,
            address1: address.street,
            city: address.city,
            zip: address.postal,
            country_code: address.country,
          },
          items: [{ sync_variant_id: 7, quantity: 2, retail_price: '10.00' }],
          retail_costs: { shipping: '0.00', tax: '1.78' },
        },
        answer: { code: 200 },
      }),
      line('printful', 'order', {
        id: 5,
        external_id: 'AAAA-0001',
        status: 'pending',
        items: [{ sync_variant_id: 7, quantity: 2 }],
      }),
      line('smtp', 'mail', { to: 'ada@mail.example', subject: 'Order Confirmation PFAAAA-0001' }),
    ],
    audit: {
      audit_checkouts: [{ id: 'c1', state: 'paid', total_cents: 2178, provider_payment_id: 'pi_1' }],
      audit_orders: [
        {
          id: 1,
          order_number: 'AAAA-0001',
          checkout_id: 'c1',
          payment_key: key,
          fulfilment_status: 'submitted',
          currency: 'usd',
          subtotal_cents: 2000,
          shipping_cents: 0,
          tax_cents: 178,
          vat_protection_cents: 0,
          total_cents: 2178,
          external_id: 'AAAA-0001',
          customer_email: 'ada@mail.example',
        },
      ],
      audit_lines: [{ order_id: 1, variant_id: 7, quantity: 2, unit_price_cents: 1000 }],
      audit_payments: [{ payment_key: key, amount_cents: 2178, live: false }],
      audit_refunds: [],
      audit_ledger: [
        { posting_id: 1, order_id: 1, payment_key: key, account: 'provider:stripe', amount_cents: 2178 },
        { posting_id: 1, order_id: 1, payment_key: key, account: 'revenue:merchandise', amount_cents: -2000 },
        { posting_id: 1, order_id: 1, payment_key: key, account: 'liability:tax', amount_cents: -178 },
      ],
      audit_exceptions: [],
      audit_events: [{ provider: 'stripe', event_id: 'evt_1' }],
      audit_jobs: [{ name: 'submit-order', state: 'completed' }],
      audit_mails: [],
      audit_changes: [],
      audit_margin: [],
      audit_seals: [],
      audit_drops: [],
      audit_editions: [],
      audit_claims: [],
      audit_reviews: [],
      audit_codes: [],
      audit_code_uses: [],
      audit_discounts: [],
      audit_periods: [],
      audit_gift_cards: [],
    },
    mails: [{ to: 'ada@mail.example', subject: 'Order Confirmation PFAAAA-0001', text: 'Total $21.78' }],
    diaries: [diary()],
    killedAt: [],
    traces: new Map([['1', ['paid', 'submitted']]]),
    forged: ['evt_forged'],
    catalog: new Map([[7, { prices: new Set([1000]), surcharge: 0, countries: [] }]]),
    aDayLater: { carts: new Map([[1, new Map()]]), fees: new Map([[key, 0]]) },
  }
}

const judged = ({ lines, ...rest }: Scenario) =>
  check({
    ...rest,
    witness: lines.map((line, at) => JSON.stringify({ at: new Date(at * 1000).toISOString(), ...line })).join('\n'),
  })

const brokenIn = (scenario: Scenario) =>
  judged(scenario).flatMap(({ id, violations }) => (violations.length > 0 ? [id] : []))

function change(rows: Record<string, unknown>[], column: string, value: unknown): void {
  const [row] = rows
  if (row) row[column] = value
}
const requestOf = ({ lines }: Scenario, path: string): Record<string, unknown> =>
  (lines.find(({ data }) => data['path'] === path)?.data['request'] ?? {}) as Record<string, unknown>
const dataOf = (scenario: Scenario, kind: string): Record<string, unknown> =>
  scenario.lines.find((line) => line.kind === kind)?.data ?? {}

test('a good purchase breaks none of the laws that judge it', () => {
  expect(brokenIn(purchase())).toEqual([])
  const unjudged = judged(purchase()).filter(({ checked }) => checked === 0)
  expect(unjudged).toEqual([])
})

/** A single error for each law that must find it. */
const mistakes: readonly [law: string, what: string, spoil: (scenario: Scenario) => void][] = [
  ['I1', 'a payment without its order', ({ audit }) => void audit.audit_orders.pop()],
  ['I1', 'both an exception and an order', ({ audit }) => audit.audit_exceptions.push({ payment_key: key })],
  ['I2', 'an order that nobody paid for', (scenario) => (dataOf(scenario, 'paid')['payment_intent'] = 'pi_2')],
  ['I2', 'a payment of another amount', (scenario) => (dataOf(scenario, 'paid')['amount'] = 2177)],
  ['I3', 'an order that was never printed', (scenario) => (dataOf(scenario, 'order')['status'] = 'draft')],
  [
    'I3',
    'an order printed twice',
    (scenario) =>
      scenario.lines.push({ provider: 'printful', kind: 'order', data: { ...dataOf(scenario, 'order'), id: 6 } }),
  ],
  [
    'I4',
    'a price that is not in the catalog',
    ({ catalog }) => (catalog as Map<number, object>).set(7, { prices: new Set([999]), surcharge: 0, countries: [] }),
  ],
  ['I4', 'a tax that was never calculated', ({ lines }) => void lines.shift()],
  [
    'I4',
    'a tax that was calculated for another price',
    (scenario) => (requestOf(scenario, '/v1/tax/calculations')['line_items[0][amount]'] = '1900'),
  ],
  [
    'I4',
    'an untaxed order whose shopper was not told',
    (scenario) => {
      for (const column of ['tax_cents', 'total_cents'])
        change(scenario.audit.audit_orders, column, column === 'tax_cents' ? 0 : 2000)
      for (const line of scenario.lines) if (line.data['path'] === '/v1/tax/calculations') line.data['rule'] = {}
    },
  ],
  [
    'I5',
    'a refund missing from the books',
    ({ lines }) => lines.push({ provider: 'stripe', kind: 'refunded', data: { charge: 'ch_1', amount: 1 } }),
  ],
  [
    'I3',
    'a piece too many',
    (scenario) => (dataOf(scenario, 'order')['items'] = [{ sync_variant_id: 7, quantity: 3 }]),
  ],
  [
    'I4',
    'a discount that no code gives',
    ({ audit }) => Object.assign(audit.audit_lines[0] ?? {}, { unit_price_cents: 900, list_price_cents: 1000 }),
  ],
  ['I6', 'revenue that is not booked', ({ audit }) => change(audit.audit_ledger.slice(1), 'account', 'bank')],
  [
    'I7',
    'two answers about one payment',
    ({ diaries }) =>
      diaries[0]?.outcomes.push({ paymentId: 'pi_1', success: true, orderNumber: 'BBBB-0002', afterPaying: true }),
  ],
  [
    'I8',
    'a checkout charged twice',
    ({ lines, audit }) => {
      const [, intent] = lines
      if (intent)
        lines.push({
          ...intent,
          data: { ...intent.data, answer: { ...(intent.data['answer'] as object), id: 'pi_2' } },
        })
      lines.push({ provider: 'stripe', kind: 'paid', data: { payment_intent: 'pi_2', charge: 'ch_2', amount: 2178 } })
      audit.audit_exceptions.push({ payment_key: 'stripe:pi_2' })
    },
  ],
  [
    'I9',
    'an order whose status moved back',
    ({ traces }) => (traces as Map<string, string[]>).set('1', ['submitted', 'paid']),
  ],
  ['I10', 'an event that was acknowledged and lost', ({ audit }) => void audit.audit_events.pop()],
  ['I10', 'a stored forgery', ({ audit }) => audit.audit_events.push({ provider: 'stripe', event_id: 'evt_forged' })],
  [
    'I13',
    'a duplicate email',
    (scenario) => scenario.lines.push({ provider: 'smtp', kind: 'mail', data: dataOf(scenario, 'mail') }),
  ],
  [
    'I14',
    'a success reported without payment',
    ({ diaries }) => diaries[0]?.outcomes.push({ paymentId: 'pi_9', success: true, afterPaying: false }),
  ],
  [
    'I14',
    'a failure reported despite payment',
    ({ diaries }) => diaries[0]?.outcomes.push({ paymentId: 'pi_1', success: false, afterPaying: true }),
  ],
  [
    'I8',
    'two checkouts with one payment',
    ({ audit }) => audit.audit_checkouts.push({ id: 'c2', state: 'open', provider_payment_id: 'pi_1' }),
  ],
  [
    'I13',
    'a parcel without an email',
    ({ lines }) => lines.push({ provider: 'printful', kind: 'shipment', data: { id: 9, order_id: 5 } }),
  ],
  [
    'I13',
    'an email about a parcel that was never sent',
    ({ audit }) => audit.audit_mails.push({ kind: 'shipped', state: 'sent', order_id: 1 }),
  ],
  [
    'I15',
    'a fee that is not booked',
    ({ aDayLater }) => (aDayLater?.fees as Map<string, number> | undefined)?.set(key, 93),
  ],
  ['I15', 'a posting that does not balance', ({ audit }) => change(audit.audit_ledger, 'amount_cents', 2179)],
  [
    'I16',
    'a write that was acknowledged and lost',
    ({ diaries }) => diaries[0]?.violations.push('I16: 1 of 7 were acknowledged, 0 are there'),
  ],
  [
    'I25',
    'a gift card that the books don’t owe',
    ({ audit }) => audit.audit_gift_cards.push({ id: 1, balance_cents: 500, moved_cents: 500 }),
  ],
  [
    'I25',
    'a balance that did not come from its movements',
    ({ audit }) => audit.audit_gift_cards.push({ id: 1, balance_cents: 1, moved_cents: 0 }),
  ],
  ['I2', 'a gift card that paid too much', ({ audit }) => change(audit.audit_orders, 'gift_card_cents', 1)],
  [
    'I17',
    'a parcel to another street',
    (scenario) => Object.assign(requestOf(scenario, '/orders')['recipient'] as object, { address1: '1 Elsewhere' }),
  ],
  [
    'I17',
    'a charge for a street that nobody chose',
    ({ diaries }) => {
      for (const { offers } of diaries) for (const offer of offers) offer.to.line1 = '1 Elsewhere'
    },
  ],
  ['I17', 'an order of a stranger', ({ audit }) => change(audit.audit_orders, 'customer_email', 'eve@mail.example')],
  [
    'I18',
    'a total that was never shown',
    ({ diaries }) => {
      for (const { offers } of diaries) for (const offer of offers) offer.total += 1
    },
  ],
  [
    'I18',
    'items that were never shown',
    ({ diaries }) => {
      for (const { offers } of diaries) for (const offer of offers) offer.pieces = []
    },
  ],
  ['I18', 'a total that was never promised', ({ audit }) => change(audit.audit_checkouts, 'total_cents', 2000)],
  [
    'I23',
    'an email with another total',
    ({ mails }) => mails.splice(0, 1, { to: '', subject: 'Order Confirmation PFAAAA-0001', text: '$2,178.00' }),
  ],
  [
    'I23',
    'another value on the customs papers',
    (scenario) =>
      Object.assign((requestOf(scenario, '/orders')['items'] as object[])[0] ?? {}, { retail_price: '9.99' }),
  ],
  [
    'I24',
    'a payment that is still open a day later',
    ({ lines }) => {
      lines.splice(2, 1)
    },
  ],
  ['cart', 'a bought item that stayed in the cart', ({ aDayLater }) => aDayLater?.carts.get(1)?.set(7, 2)],
  ['I24', 'a job that failed for good', ({ audit }) => change(audit.audit_jobs, 'state', 'failed')],
  ['shoppers', 'an answer with status 500', ({ diaries }) => diaries[0]?.violations.push('coming back: 500')],
  [
    'witness',
    'a call that is not simulated',
    ({ lines }) =>
      lines.push({ provider: 'stripe', kind: 'call', data: { method: 'GET', path: '/v1/x', notSimulated: true } }),
  ],
]

test.each(mistakes)('law %s finds %s', (law, _, spoil) => {
  const scenario = purchase()
  spoil(scenario)
  expect(brokenIn(scenario)).toContain(law)
})

test('a second confirmation email is accepted only after a kill between the two', () => {
  const scenario = purchase()
  scenario.lines.push({ provider: 'smtp', kind: 'mail', data: dataOf(scenario, 'mail') })
  expect(brokenIn({ ...scenario, killedAt: [new Date(6500)] })).toEqual([])
  expect(brokenIn({ ...scenario, killedAt: [new Date(60_000)] })).toEqual(['I13'])
})

test('a third confirmation email needs another kill', () => {
  const scenario = purchase()
  for (let more = 0; more < 2; more += 1)
    scenario.lines.push({ provider: 'smtp', kind: 'mail', data: dataOf(scenario, 'mail') })
  expect(brokenIn({ ...scenario, killedAt: [new Date(6500)] })).toEqual(['I13'])
  expect(brokenIn({ ...scenario, killedAt: [new Date(6500), new Date(7500)] })).toEqual([])
})

test('a payment that no shopper of the run started needs no offer', () => {
  expect(brokenIn({ ...purchase(), diaries: [] })).toEqual([])
})

test('an event that was lost in transit counts as sent', () => {
  const scenario = purchase()
  change(scenario.audit.audit_events, 'event_id', 'evt_2')
  scenario.lines.splice(3, 1, { provider: 'stripe', kind: 'webhook_dropped', data: { event: 'evt_2' } })
  expect(brokenIn(scenario)).toEqual([])
  change(scenario.audit.audit_events, 'event_id', 'evt_3')
  expect(brokenIn(scenario)).toEqual(['I10'])
})
