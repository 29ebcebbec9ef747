import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { judgeRun, type Evidence } from '../properties/judge.ts'
import { runPurchases, type RunOptions } from '../properties/purchases.ts'

const onServer = process.env['TEST_DATABASE'] === 'postgresql'
/** Another seed plays other shoppers; a failure names its seed. */
const seed = Number(process.env['PURCHASES_SEED'] ?? 1121)

async function expectNoViolation(options: Omit<RunOptions, 'seed'>): Promise<void> {
  const { verdicts, figures } = await runPurchases(openWorld, { ...options, seed })
  const violations = verdicts.flatMap((verdict) =>
    verdict.violations.slice(0, 3).map((text) => `${verdict.id}: ${text}`),
  )
  expect(violations, `seed ${seed}`).toEqual([])
  expect(figures.orders).toBeGreaterThan(options.count / 2)
  for (const { id, checked } of verdicts) expect(checked, id).toBeGreaterThan(0)
}

test.skipIf(onServer)(
  `60 concurrent purchases: shown, charged, booked and printed agree to the cent (seed ${seed})`,
  { timeout: 180_000 },
  () => expectNoViolation({ count: 60, atOnce: 8, faults: 0 }),
)

test(
  `50 purchases agree while one call in five fails and webhooks are lost, doubled and shuffled (seed ${seed})`,
  { timeout: 240_000 },
  () => expectNoViolation({ count: 50, atOnce: 10, faults: 0.2 }),
)

type Rows = Record<string, unknown>[]

const first = <T>(things: readonly T[]): T => {
  const [thing] = things
  if (thing === undefined) throw new Error('the run left nothing to spoil')
  return thing
}
const raise = (rows: Rows, column: string) => {
  const row = first(rows)
  row[column] = Number(row[column]) + 1
}

/** One planted error for each rule that must find it. */
const spoilers: readonly [law: string, what: string, spoil: (evidence: Evidence) => void][] = [
  ['I1', 'a payment without its order', ({ audit }) => void audit.audit_orders.pop()],
  [
    'I1',
    'an exception beside an order',
    ({ audit }) => audit.audit_exceptions.push({ payment_key: first(audit.audit_orders)['payment_key'] }),
  ],
  ['I2', 'an order of another total', ({ audit }) => raise(audit.audit_orders, 'total_cents')],
  [
    'I2',
    'an order that nobody paid for',
    ({ ledger }) => {
      for (const payment of ledger.payments) payment.status = 'requires_payment_method'
    },
  ],
  ['I3', 'an order that was never printed', ({ ledger }) => void ledger.partner_orders.pop()],
  ['I3', 'an order printed twice', ({ ledger }) => ledger.partner_orders.push(first(ledger.partner_orders))],
  [
    'I3',
    'a piece too many',
    ({ ledger }) => {
      first(first(ledger.partner_orders).items).quantity += 1
    },
  ],
  ['I4', 'a price that never was', ({ audit }) => raise(audit.audit_lines, 'unit_price_cents')],
  [
    'I4',
    'a tax that nobody worked out',
    ({ audit }) => {
      raise(audit.audit_orders, 'tax_cents')
      raise(audit.audit_orders, 'total_cents')
    },
  ],
  [
    'I5',
    'more back than came',
    ({ ledger }) => {
      const {
        id,
        provider,
        amount_cents: amount,
      } = first(ledger.payments.filter(({ status }) => status === 'succeeded'))
      ledger.refunds.push({ provider, id: 're_1', payment_id: id, amount_cents: amount + 1, status: 'succeeded' })
    },
  ],
  [
    'I7',
    'two answers about one payment',
    ({ visits }) => {
      const { returned } = first(visits.filter((visit) => visit.returned.some(({ success }) => success)))
      returned.push({ ...first(returned.filter(({ success }) => success)), orderId: 'ZZZZ-ZZZZ' })
    },
  ],
  ['I8', 'a checkout charged twice', ({ audit }) => audit.audit_payments.push(first(audit.audit_payments))],
  [
    'I9',
    'an order that went back',
    ({ traces }) => void first([...traces.values()] as string[][]).push('delivered', 'paid'),
  ],
  [
    'I10',
    'an event that was acknowledged and lost',
    ({ audit }) => {
      audit.audit_events = audit.audit_events.filter(({ provider }) => provider !== 'stripe')
    },
  ],
  [
    'I10',
    'a forgery that was believed',
    ({ audit, forged }) => {
      audit.audit_events.push({ provider: 'stripe', event_id: 'evt_x' })
      ;(forged as string[]).push('evt_x')
    },
  ],
  [
    'I13',
    'one email too many',
    ({ mails }) => (mails as unknown[]).push(first(mails.filter(({ subject }) => subject.includes('Confirmation')))),
  ],
  [
    'I14',
    'success without money',
    ({ visits }) =>
      first(visits).returned.push({ paymentId: 'pi_none', success: true, orderId: undefined, afterPaying: false }),
  ],
  [
    'I14',
    'failure in spite of the money',
    ({ visits }) => {
      const { returned } = first(visits.filter((visit) => visit.returned.some(({ success }) => success)))
      returned.push({ ...first(returned), success: false, afterPaying: true })
    },
  ],
  ['I15', 'a cent that is booked nowhere else', ({ audit }) => raise(audit.audit_ledger, 'amount_cents')],
  [
    'I17',
    'a parcel to another street',
    ({ wire }) => {
      first([...wire.drafts.values()]).to.line1 = '1 Elsewhere'
    },
  ],
  [
    'I18',
    'a total that was never shown',
    ({ visits }) => {
      for (const { offers } of visits) for (const offer of offers) offer.total += 1
    },
  ],
  [
    'I23',
    'an email with another total',
    ({ mails }) => {
      for (const mail of mails) mail.text = mail.text.replaceAll('$', '€')
    },
  ],
  [
    'I23',
    'another value on the customs papers',
    ({ wire }) => {
      first([...wire.drafts.values()]).value += 1
    },
  ],
  ['I24', 'a job that gave up', ({ audit }) => audit.audit_jobs.push({ name: 'submit-order', state: 'failed' })],
  ['cart', 'a piece that stayed in the cart', ({ carts }) => void first([...carts.values()]).set(1, 1)],
  ['shoppers', 'an answer 500', ({ visits }) => first(visits).outrages.push('return: 500')],
]

test.skipIf(onServer)('the checker finds every planted error', { timeout: 120_000 }, async () => {
  const { evidence, verdicts } = await runPurchases(openWorld, { count: 12, seed, atOnce: 4, faults: 0 })
  expect(verdicts.flatMap(({ violations }) => violations)).toEqual([])
  for (const [law, what, spoil] of spoilers) {
    const copied = structuredClone(evidence)
    spoil(copied)
    const found = judgeRun(copied).find(({ id }) => id === law)
    expect(found?.violations.length, `${law}: ${what}`).toBeGreaterThan(0)
  }
})
