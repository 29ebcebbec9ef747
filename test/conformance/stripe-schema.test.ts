import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_VERSION } from '#sandbox/stripe/books.ts'
import { openPayment, openStripeWorld } from './schema/stripe-world.ts'
import type { StripeWorld } from './schema/stripe-world.ts'
import { openStripeCheck, validateStripeAnswer, validateStripeRequest } from './schema/stripe-schema.ts'
import { mistakesIn } from './script-types.ts'

const shimPath = fileURLToPath(new URL('../../sandbox/stripe/shim.js', import.meta.url))
const shim = readFileSync(shimPath, 'utf8')

type Fields = Record<string, unknown>

let world: StripeWorld
let samples: Record<string, Fields>
beforeAll(async () => {
  world = await openStripeWorld()
  samples = await samplesOf(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** One response of every resource, as on the wire. */
async function samplesOf({ stripe, provider }: StripeWorld): Promise<Record<string, Fields>> {
  const intent = await openPayment(world)
  const paid = await stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_charge.balance_transaction', 'payment_method'],
  })
  const charge = paid.latest_charge as Stripe.Charge
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })
  const dispute = (await provider.change({ change: 'dispute', payment_intent: intent.id })) as Stripe.Dispute
  const calculation = await stripe.tax.calculations.create({
    currency: 'usd',
    line_items: [{ amount: 1000, reference: 'hat' }],
    shipping_cost: { amount: 500 },
    ship_from_details: { address: { country: 'US', state: 'TX', postal_code: '75001' } },
    customer_details: {
      address: { country: 'US', state: 'CA', postal_code: '94103', line1: '1 Main St', city: 'San Francisco' },
      address_source: 'shipping',
    },
    expand: ['line_items.data.tax_breakdown'],
  })
  const recorded = await stripe.tax.transactions.createFromCalculation({
    calculation: calculation.id ?? '',
    reference: 'S1',
    expand: ['line_items'],
  })
  const endpoint = await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/', enabled_events: ['*'] })
  const [event] = (await stripe.events.list({ type: 'charge.succeeded' })).data
  const all = {
    payment_intent: await stripe.paymentIntents.retrieve(intent.id),
    charge: await stripe.charges.retrieve(charge.id),
    balance_transaction: charge.balance_transaction,
    payment_method: paid.payment_method,
    refund,
    dispute,
    file: await stripe.files.create({
      purpose: 'dispute_evidence',
      file: { data: Buffer.from('%PDF'), name: 'a.pdf', type: 'application/pdf' },
    }),
    'tax.calculation': calculation,
    'tax.calculation_line_item': calculation.line_items?.data[0],
    'tax.transaction': recorded,
    'tax.transaction_line_item': recorded.line_items?.data[0],
    webhook_endpoint: endpoint,
    balance: await stripe.balance.retrieve(),
    account: await stripe.accounts.retrieveCurrent(),
    event,
  }
  return JSON.parse(JSON.stringify(all)) as Record<string, Fields>
}

/** `balance_transaction` for `BalanceTransaction`. */
const resourceOf = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

describe('the schema check', () => {
  const answers: [string, string, (answer: Fields) => void][] = [
    ['PaymentIntent', 'a misspelt status', (intent) => (intent['status'] = 'suceeded')],
    ['PaymentIntent', 'a missing field', (intent) => delete intent['latest_charge']],
    ['PaymentIntent', 'a field that Stripe does not have', (intent) => (intent['charges'] = [])],
    ['PaymentIntent', 'an amount as text', (intent) => (intent['amount'] = '2000')],
    [
      'PaymentIntent',
      'card options without their fields',
      (intent) => (intent['payment_method_options'] = { card: {} }),
    ],
    ['Charge', 'no billing details', (charge) => delete charge['billing_details']],
    ['Charge', 'a refunded count', (charge) => (charge['refunded'] = 1)],
    ['Refund', 'a reason that is none', (refund) => (refund['reason'] = 'because')],
    ['File', 'a size as text', (file) => (file['size'] = '4')],
    ['Dispute', 'a status of its own', (dispute) => (dispute['status'] = 'open')],
    ['Tax.Calculation', 'a tax that does not exist', (one) => (one['tax_breakdown'] = [{ amount: 1 }])],
    ['Tax.Transaction', 'no reference', (one) => delete one['reference']],
    ['BalanceTransaction', 'a fee as text', (one) => (one['fee'] = '88')],
    ['WebhookEndpoint', 'no url', (one) => delete one['url']],
    ['Event', 'an event that Stripe does not send', (event) => (event['type'] = 'charge.paid')],
    ['Event', 'no data', (event) => delete event['data']],
  ]

  test.each(answers)('finds a planted mistake in a response: %s with %s', (name, _, spoil) => {
    const good = samples[resourceOf(name)]
    expect(validateStripeAnswer(name, good)).toEqual([])
    const bad = structuredClone(good ?? {})
    spoil(bad)
    expect(validateStripeAnswer(name, bad)).not.toEqual([])
  })

  test.each([
    ['PaymentIntentCreateParams', { amount: '2000', currency: 'usd', payment_method_types: ['card'] }],
    ['PaymentIntentCreateParams', { amount: 'abc', currency: 'usd' }],
    ['PaymentIntentCreateParams', { currency: 'usd' }],
    ['PaymentIntentConfirmParams', { payment_metod: 'pm_1' }],
    ['RefundCreateParams', { payment_intent: 'pi_1', reason: 'because' }],
    [
      'Tax.CalculationCreateParams',
      { currency: 'usd', line_items: [{ amount: '1' }], customer_details: { adress: {} } },
    ],
  ])('in a request: %s %j', (name, form) => {
    expect(validateStripeRequest(name, form)).not.toEqual([])
  })

  test('accepts a request as the package sends it, all as text', () => {
    const form = {
      amount: '2000',
      currency: 'usd',
      automatic_payment_methods: { enabled: 'true', allow_redirects: 'never' },
      metadata: { checkout_id: 'c1' },
      expand: ['latest_charge'],
    }
    expect(validateStripeRequest('PaymentIntentCreateParams', form)).toEqual([])
  })

  test('reports mistakes to the caller and in its list', () => {
    const { check, mistakes } = openStripeCheck()
    expect(() => check('answer', 'Balance', {})).toThrow('required')
    expect(mistakes.length).toBeGreaterThan(0)
  })
})

describe('the simulator matches the installed packages', () => {
  const installed = createRequire(import.meta.url)

  test('its API version is that of the installed package', () => {
    expect(Stripe.API_VERSION).toBe(API_VERSION)
  })

  test('the script for the browser has the release train that @stripe/stripe-js expects', () => {
    const text = readFileSync(
      join(dirname(installed.resolve('@stripe/stripe-js/package.json')), 'dist/pure.mjs'),
      'utf8',
    )
    const train = /RELEASE_TRAIN = ['"](\w+)['"]/.exec(text)?.[1]
    expect(/const VERSION = '(\w+)'/.exec(shim)?.[1]).toBe(train)
    expect(API_VERSION.split('.')[1]).toBe(train)
  })

  test('the script implements the types of @stripe/stripe-js', () => {
    expect(mistakesIn(shimPath)).toEqual([])
  })
})

/**
 * Fields of Stripe's published examples that the simulator leaves out, and why. The examples are older than the package.
 */
const leftOut: Record<string, string> = {
  'account.external_accounts': 'bank accounts are not simulated',
  'account.future_requirements': 'requirements are not simulated',
  'account.requirements': 'requirements are not simulated',
  'account.settings': 'settings are not simulated',
  'account.tos_acceptance': 'requirements are not simulated',
  'balance.connect_reserved': 'there are no connected accounts',
  'charge.refunds': 'only with expand, since 2022',
}

describe("Stripe's published examples", () => {
  const folder = process.env['PROVIDER_CONTRACTS']
  const file = folder === undefined ? undefined : join(folder, 'stripe-fixtures3.json')

  test('are compared field by field where PROVIDER_CONTRACTS names their folder', ({ skip }) => {
    if (file === undefined || !existsSync(file)) {
      process.stdout.write(
        'Skipped: the comparison with the published examples of Stripe (PROVIDER_CONTRACTS is unset).\n',
      )
      skip()
      return
    }
    const { resources } = JSON.parse(readFileSync(file, 'utf8')) as { resources: Record<string, Fields> }
    const missing = Object.entries(samples).flatMap(([name, sample]) =>
      Object.keys(resources[name] ?? {})
        .filter((field) => !(field in sample))
        .map((field) => `${name}.${field}`)
        .filter((field) => !(field in leftOut)),
    )
    expect(missing).toEqual([])
    const kinds = Object.entries(samples).flatMap(([name, sample]) =>
      Object.entries(resources[name] ?? {})
        .filter(([field, example]) => isOtherKind(example, sample[field]))
        .map(([field]) => `${name}.${field}`),
    )
    expect(kinds).toEqual([])
  })
})

/** Null matches anything, and a reference may be an id or the object. */
function isOtherKind(example: unknown, ours: unknown): boolean {
  if (example === null || ours === null || ours === undefined) return false
  if (typeof example === 'object' || typeof ours === 'object') return Array.isArray(example) !== Array.isArray(ours)
  return typeof example !== typeof ours
}
