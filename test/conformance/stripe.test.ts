import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { findTestCard, testCards } from '#sandbox/stripe/cards.ts'
import { WEBHOOK_SECRET, openPayment, openStripeWorld } from './schema/stripe-world.ts'
import type { StripeWorld } from './schema/stripe-world.ts'

let world: StripeWorld
beforeEach(async () => {
  world = await openStripeWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const minute = 60_000
const day = 24 * 60 * minute

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): string => (typeof charge === 'string' ? charge : '')
const typesOf = () => world.received.map(({ event }) => event.type)

/** @returns Stripe's refusal of `work` */
async function refusalOf(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return work.then(
    () => {
      throw new Error('Stripe did not refuse.')
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  )
}

async function paid(amount = 2000, token = 'pm_card_visa'): Promise<Stripe.PaymentIntent> {
  const intent = await openPayment(world, amount)
  return world.stripe.paymentIntents.confirm(intent.id, { payment_method: token })
}

test('a card pays, and charge and balance transaction have the amount and fee', async () => {
  const intent = await openPayment(world, 10_000)
  expect(intent.status).toBe('requires_payment_method')

  const answer = await world.typesCard(intent, '4242 4242 4242 4242')

  expect(answer.body['status']).toBe('succeeded')
  const read = await world.stripe.paymentIntents.retrieve(intent.id, {
    expand: ['latest_charge.balance_transaction', 'payment_method'],
  })
  const charge = read.latest_charge as Stripe.Charge
  const booked = charge.balance_transaction as Stripe.BalanceTransaction
  expect(read).toMatchObject({ status: 'succeeded', amount_received: 10_000, metadata: { checkout_id: 'c1' } })
  expect(booked).toMatchObject({ amount: 10_000, fee: 320, net: 9680, reporting_category: 'charge', status: 'pending' })
  expect(charge.payment_method_details?.card?.last4).toBe('4242')
})

test('events are signed and arrive in order', async () => {
  const intent = await openPayment(world)
  await world.typesCard(intent, '4242424242424242')
  await world.kit.idle()

  expect(typesOf()).toEqual(
    expect.arrayContaining(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']),
  )
  for (const { body, signature } of world.received) {
    const event = world.stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET)
    expect(event.api_version).toBe('2026-10-28.endive')
  }
  const listed = await world.stripe.events.list({ types: ['payment_intent.succeeded'] })
  expect(listed.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded'])
})

test.each(testCards.filter(({ decline, challenge }) => decline && !challenge))(
  '$number: $happens',
  async ({ number, decline }) => {
    const intent = await openPayment(world)
    const { status, body } = await world.typesCard(intent, number)

    expect(status).toBe(402)
    expect(body['error']).toMatchObject({ type: 'card_error', code: decline?.code, message: decline?.message })
    expect(JSON.stringify(body)).not.toContain('checkout_id')
    const read = await world.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(read).toMatchObject({
      status: 'requires_payment_method',
      amount_received: 0,
      last_payment_error: { code: decline?.code },
      latest_charge: { status: 'failed', paid: false, balance_transaction: null },
    })
  },
)

test.each([
  ['4242424242424242', 'normal', 'authorized', 'succeeded'],
  ['4000000000009235', 'elevated', 'authorized', 'succeeded'],
  ['4000000000000002', 'normal', 'issuer_declined', 'failed'],
  ['4100000000000019', 'highest', 'blocked', 'failed'],
  ['4000000000004954', 'highest', 'blocked', 'failed'],
])('a charge to %s has %s risk and is %s', async (number, level, type, status) => {
  const intent = await openPayment(world)
  await world.typesCard(intent, number)

  const { latest_charge: charge } = await world.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
  expect(charge).toMatchObject({ status, outcome: { risk_level: level, type } })
})

test('after a decline the same payment takes another card', async () => {
  const intent = await openPayment(world)
  await world.typesCard(intent, '4000000000000002')
  await world.typesCard(intent, '4242424242424242')

  const charges = await world.stripe.charges.list({ payment_intent: intent.id })
  expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  expect((await world.stripe.paymentIntents.retrieve(intent.id)).last_payment_error).toBeNull()
})

test.each(testCards.filter(({ challenge }) => challenge))('$number: $happens', async ({ number, decline }) => {
  const intent = await openPayment(world)
  const asked = await world.typesCard(intent, number)
  expect(asked.body).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })

  const secret = { client_secret: intent.client_secret ?? '' }
  const answered = await world.fromBrowser('POST', `/sandbox/3ds/${intent.id}`, { ...secret, outcome: 'authenticated' })

  expect(answered.body).toMatchObject(decline ? { error: { code: 'card_declined' } } : { status: 'succeeded' })
})

test('a failed authentication leaves the payment open and reports it', async () => {
  const intent = await openPayment(world)
  await world.typesCard(intent, '4000002500003155')
  const { body } = await world.fromBrowser('POST', `/sandbox/3ds/${intent.id}`, {
    client_secret: intent.client_secret ?? '',
    outcome: 'failed',
  })

  expect(body).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  await world.kit.idle()
  expect(typesOf()).toContain('payment_intent.payment_failed')
})

test('a number that is no test card is refused without a charge', async () => {
  const intent = await openPayment(world)
  const { status, body } = await world.typesCard(intent, '4111111111111111')
  expect(status).toBe(402)
  expect(body['error']).toMatchObject({ code: 'card_declined', decline_code: 'test_mode_live_card' })
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toEqual([])
})

test('a browser gets no metadata, and nothing without the right secret and key', async () => {
  const intent = await openPayment(world)
  const path = `/v1/payment_intents/${intent.id}`
  const seen = await world.fromBrowser('GET', path, { client_secret: intent.client_secret ?? '' })
  expect(seen.status).toBe(200)
  expect(seen.headers.get('access-control-allow-origin')).toBe('*')
  expect(seen.body).not.toHaveProperty('metadata')
  expect(seen.body).not.toHaveProperty('latest_charge')

  expect((await world.fromBrowser('GET', path, { client_secret: `${intent.id}_secret_wrong` })).status).toBe(400)
  expect((await world.fromBrowser('GET', path, { client_secret: 'x', key: 'pk_test_other' })).status).toBe(401)
  expect((await world.fromBrowser('POST', '/v1/refunds', {})).status).toBe(403)
})

test('the amount of an open payment may change, that of a paid one may not', async () => {
  const intent = await openPayment(world)
  expect((await world.stripe.paymentIntents.update(intent.id, { amount: 3000 })).amount).toBe(3000)
  await world.typesCard(intent, '4242424242424242')

  const refusal = await refusalOf(world.stripe.paymentIntents.update(intent.id, { amount: 4000 }))
  expect(refusal).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
  const described = await world.stripe.paymentIntents.update(intent.id, {
    metadata: { order_number: 'R1', checkout_id: '' },
  })
  expect(described.metadata).toEqual({ order_number: 'R1' })
})

test('a canceled payment accepts no card', async () => {
  const intent = await openPayment(world)
  const canceled = await world.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
  expect((await world.typesCard(intent, '4242424242424242')).status).toBe(400)
})

test.each([
  ['an amount under 50 cents', { amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
  ['a missing amount', { currency: 'usd' }, 'parameter_missing', 'amount'],
  ['an amount that is no number', { amount: 'abc', currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
  ['an unknown name', { amount: 500, currency: 'usd', amout: 1 }, 'parameter_unknown', 'amout'],
  [
    'a removed name',
    { amount: 500, currency: 'usd', payment_method_types: ['card'] },
    'parameter_unknown',
    'payment_method_types',
  ],
  [
    'a misspelt inner name',
    { amount: 500, currency: 'usd', shipping: { name: 'A', adress: {}, address: { line1: 'x', adress: 'y' } } },
    'parameter_unknown',
    'shipping[address][adress]',
  ],
  ['a currency that is none', { amount: 500, currency: 'dollars' }, undefined, 'currency'],
  [
    'metadata with a long value',
    { amount: 500, currency: 'usd', metadata: { cart: 'x'.repeat(501) } },
    undefined,
    'metadata[cart]',
  ],
  [
    'metadata with a long name',
    { amount: 500, currency: 'usd', metadata: { ['x'.repeat(41)]: '1' } },
    undefined,
    'metadata',
  ],
  [
    'metadata with 51 names',
    {
      amount: 500,
      currency: 'usd',
      metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, '1'])),
    },
    undefined,
    'metadata',
  ],
])('%s is refused', async (_, wanted, code, param) => {
  const refusal = await refusalOf(world.stripe.paymentIntents.create(wanted as Stripe.PaymentIntentCreateParams))
  expect(refusal).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', param })
  expect(refusal.code).toBe(code)
})

test('a repeated idempotency key gets the first response again, for a day', async () => {
  const wanted = { amount: 1500, currency: 'usd' }
  const first = await world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k1' })
  const again = await world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k1' })
  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')

  const other = await refusalOf(
    world.stripe.paymentIntents.create({ ...wanted, amount: 1501 }, { idempotencyKey: 'k1' }),
  )
  expect(other).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })

  await world.kit.clock.advance(day)
  const fresh = await world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k1' })
  expect(fresh.id).not.toBe(first.id)
})

test('an invalid request is not stored for its idempotency key, a declined card is', async () => {
  await refusalOf(world.stripe.paymentIntents.create({ amount: 10, currency: 'usd' }, { idempotencyKey: 'k2' }))
  await world.stripe.paymentIntents.create({ amount: 100, currency: 'usd' }, { idempotencyKey: 'k2' })

  const intent = await openPayment(world)
  const confirm = () =>
    world.stripe.paymentIntents.confirm(
      intent.id,
      { payment_method: 'pm_card_visa_chargeDeclined' },
      { idempotencyKey: 'k3' },
    )
  const first = await refusalOf(confirm())
  const again = await refusalOf(confirm())
  expect(again).toMatchObject({ type: 'StripeCardError', charge: first.charge })
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1)
})

test('a stored 500 stays a 500 for its idempotency key, although the work was done', async () => {
  const wanted = { amount: 1500, currency: 'usd' }
  await world.provider.change({ change: 'keep_500' })
  const first = await refusalOf(world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k4' }))
  const again = await refusalOf(world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k4' }))
  expect([first.statusCode, again.statusCode]).toEqual([500, 500])
  expect((await world.stripe.paymentIntents.list()).data).toHaveLength(1)
})

test('a key in use is a conflict, and the package retries until the first response is there', async () => {
  await world.provider.change({ change: 'slow', ms: 200 })
  const wanted = { amount: 1500, currency: 'usd' }
  const first = world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k5' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  const conflict = await refusalOf(world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k5' }))
  expect(conflict).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  const patient = await world.stripe.paymentIntents.create(wanted, { idempotencyKey: 'k5', maxNetworkRetries: 2 })
  expect(patient.id).toBe((await first).id)
})

test('refunds never exceed the charge', async () => {
  const intent = await paid(2000)
  const part = await world.stripe.refunds.create({
    payment_intent: intent.id,
    amount: 500,
    reason: 'requested_by_customer',
  })
  expect(part).toMatchObject({ amount: 500, status: 'succeeded', payment_intent: intent.id })
  const tooMuch = await refusalOf(world.stripe.refunds.create({ payment_intent: intent.id, amount: 1501 }))
  expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' })
  const rest = await world.stripe.refunds.create({ payment_intent: intent.id })
  expect(rest.amount).toBe(1500)
  const nothingLeft = await refusalOf(world.stripe.refunds.create({ payment_intent: intent.id }))
  expect(nothingLeft.code).toBe('charge_already_refunded')

  const charge = await world.stripe.charges.retrieve(chargeOf(intent), {
    expand: ['refunds.data.balance_transaction'],
  })
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 2000 })
  expect(
    charge.refunds?.data.map(({ balance_transaction: booked }) => (booked as Stripe.BalanceTransaction).net),
  ).toEqual([-1500, -500])
  expect((await world.stripe.refunds.list({ payment_intent: intent.id })).data.map(({ id }) => id)).toEqual([
    rest.id,
    part.id,
  ])
})

test('a refund of the slow card is pending first', async () => {
  const intent = await paid(2000, 'pm_card_pendingRefund')
  const refund = await world.stripe.refunds.create({ payment_intent: intent.id })
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' })
  await world.kit.clock.advance(minute)
  expect((await world.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded')
  await world.kit.idle()
  expect(typesOf()).toEqual(expect.arrayContaining(['refund.created', 'charge.refunded', 'refund.updated']))
})

test('a refund to the failing card is returned to the shop', async () => {
  const intent = await paid(2000, 'pm_card_refundFail')
  const refund = await world.stripe.refunds.create({ payment_intent: intent.id })
  expect(refund.status).toBe('succeeded')
  await world.kit.clock.advance(minute)
  const failed = await world.stripe.refunds.retrieve(refund.id)
  expect(failed).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' })
  expect(await world.stripe.charges.retrieve(chargeOf(intent))).toMatchObject({
    refunded: false,
    amount_refunded: 0,
  })
  await world.kit.idle()
  expect(typesOf()).toContain('refund.failed')
  const balance = await world.stripe.balance.retrieve()
  expect(balance.available[0]?.amount).toBe(0)
})

test('an early fraud warning comes without a dispute', async () => {
  const intent = await paid(2000, 'pm_card_createIssuerFraudRecord')
  await world.kit.clock.advance(minute)
  await world.kit.idle()
  expect(typesOf()).toContain('radar.early_fraud_warning.created')
  expect((await world.stripe.disputes.list({ payment_intent: intent.id })).data).toEqual([])
})

test.each(testCards.filter(({ later }) => later && later !== 'fraud_warning'))(
  '$number: $happens',
  async ({ later, token = '' }) => {
    const intent = await paid(2000, token)
    await world.kit.clock.advance(minute)
    await world.kit.idle()

    const [dispute] = (await world.stripe.disputes.list({ payment_intent: intent.id })).data
    expect(dispute?.status).toBe(later === 'inquiry' ? 'warning_needs_response' : 'needs_response')
    expect(typesOf()).toContain('charge.dispute.created')
    expect(typesOf().includes('charge.dispute.funds_withdrawn')).toBe(later !== 'inquiry')
  },
)

test('a won dispute returns the money, and a disputed charge cannot be refunded', async () => {
  const intent = await paid(2000)
  const dispute = (await world.provider.change({ change: 'dispute', payment_intent: intent.id })) as Stripe.Dispute
  const refusal = await refusalOf(world.stripe.refunds.create({ payment_intent: intent.id }))
  expect(refusal.code).toBe('charge_disputed')

  await world.provider.change({ change: 'win_dispute', dispute: dispute.id })
  const won = await world.stripe.disputes.retrieve(dispute.id)
  expect(won.status).toBe('won')
  expect(won.balance_transactions.map(({ amount, fee, net }) => [amount, fee, net])).toEqual([
    [-2000, 1500, -3500],
    [2000, 0, 2000],
  ])
})

describe('evidence in a dispute', () => {
  const opened = async () => {
    const { id } = await paid(2000)
    return (await world.provider.change({ change: 'dispute', payment_intent: id })) as Stripe.Dispute
  }
  const upload = (type = 'application/pdf', data = Buffer.from('%PDF')) =>
    world.stripe.files.create({ purpose: 'dispute_evidence', file: { data, name: 'evidence.pdf', type } })
  const submit = async (id: string, file: string) =>
    world.stripe.disputes.update(id, {
      evidence: { uncategorized_file: file, customer_name: 'Ada Fan' },
      metadata: { evidence: 'a1' },
    })

  test('is submitted once, before its deadline, and is under review then', async () => {
    const dispute = await opened()
    const { id: file } = await upload()
    expect(await submit(dispute.id, file)).toMatchObject({
      status: 'under_review',
      evidence: { uncategorized_file: file, customer_name: 'Ada Fan' },
      evidence_details: { submission_count: 1, has_evidence: true },
      metadata: { evidence: 'a1' },
    })
    expect((await refusalOf(submit(dispute.id, file))).message).toContain('already submitted')
    const late = await opened()
    await world.kit.clock.advance(10 * day)
    expect((await world.stripe.disputes.retrieve(late.id)).evidence_details.past_due).toBe(true)
    expect((await refusalOf(submit(late.id, file))).message).toContain('due date')
    await world.stripe.disputes.close(late.id)
    expect((await refusalOf(submit(late.id, file))).message).toContain('closed')
  })

  test('is refused for a wrong type, size, file or number of pages, and nothing is submitted', async () => {
    const dispute = await opened()
    expect((await refusalOf(upload('text/html'))).code).toBe('file_type_invalid')
    expect((await refusalOf(upload('image/png', Buffer.alloc(6_000_000)))).code).toBe('file_size_invalid')
    expect((await refusalOf(submit(dispute.id, 'file_none'))).param).toBe('evidence[uncategorized_file]')
    const { id: long } = await upload('application/pdf', Buffer.from('/Type /Page '.repeat(51)))
    expect((await refusalOf(submit(dispute.id, long))).code).toBe('dispute_evidence_page_limit_exceeded')
    expect((await world.stripe.disputes.retrieve(dispute.id)).evidence_details.submission_count).toBe(0)
  })
})

test('a payment may stay in processing until the bank decides', async () => {
  const intent = await openPayment(world)
  await world.provider.change({ change: 'processing', payment_intent: intent.id })
  expect((await world.typesCard(intent, '4242424242424242')).body['status']).toBe('processing')
  await world.provider.change({ change: 'succeed', payment_intent: intent.id })
  expect((await world.stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
})

test('lists are newest first and paginate by the last id', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n += 1) made.push((await openPayment(world)).id)
  const seen: string[] = []
  for await (const { id } of world.stripe.paymentIntents.list({ limit: 2, created: { gte: 1 } })) seen.push(id)
  expect(seen).toEqual(made.toReversed())
  expect((await world.stripe.paymentIntents.list({ created: { gte: 9_999_999_999 } })).data).toEqual([])
  const tooMany = await refusalOf(world.stripe.paymentIntents.list({ limit: 101 }))
  expect(tooMany.statusCode).toBe(400)
})

test.each(['amount', 'latest_chrage', 'a.b.c.d.e'])('expand refuses %s', async (path) => {
  const intent = await paid()
  const refusal = await refusalOf(world.stripe.paymentIntents.retrieve(intent.id, { expand: [path] }))
  expect(refusal.statusCode).toBe(400)
})

test('the balance is the sum of the balance transactions, with sources on request', async () => {
  const intent = await paid(5000)
  await world.stripe.refunds.create({ payment_intent: intent.id, amount: 1000 })
  const booked = await world.stripe.balanceTransactions.list({ expand: ['data.source'] })
  expect(booked.data.map(({ source }) => (source as { object: string }).object)).toEqual(['refund', 'charge'])
  await world.kit.clock.advance(3 * day)
  const { available, pending } = await world.stripe.balance.retrieve()
  expect([available[0]?.amount, pending[0]?.amount]).toEqual([5000 - 175 - 1000, 0])
  const charge = await world.stripe.charges.retrieve(chargeOf(intent), { expand: ['balance_transaction'] })
  expect(charge.balance_transaction).toMatchObject({ status: 'available' })
  expect((await world.stripe.balanceTransactions.retrieve(booked.data[1]?.id ?? '')).status).toBe('available')
})

test('a fee may be known only a minute after the payment', async () => {
  await world.provider.change({ change: 'late_fee' })
  const intent = await paid(2000)
  const charge = () => world.stripe.charges.retrieve(chargeOf(intent), { expand: ['balance_transaction'] })
  expect((await charge()).balance_transaction).toBeNull()
  await world.kit.clock.advance(minute)
  expect((await charge()).balance_transaction).toMatchObject({ fee: 88 })
})

const berlin = { country: 'DE', city: 'Berlin', postal_code: '10115', line1: 'Invalidenstr. 1' }
const calculate = (address: Stripe.Tax.CalculationCreateParams.CustomerDetails.Address, amount = 10_000) =>
  world.stripe.tax.calculations.create({
    currency: 'usd',
    line_items: [{ amount, reference: 'hat', tax_behavior: 'exclusive', tax_code: 'txcd_99999999' }],
    shipping_cost: { amount: 1000 },
    customer_details: { address, address_source: 'shipping' },
    expand: ['line_items.data.tax_breakdown'],
  })

test.each([
  [berlin, 2090, 'standard_rated', '19.0'],
  [{ country: 'US', state: 'CA', postal_code: '94103' }, 950, 'standard_rated', '6.0'],
  [{ country: 'US', state: 'California', postal_code: '94103' }, 950, 'standard_rated', '6.0'],
  [{ country: 'US', state: 'OR', postal_code: '97201' }, 0, 'not_subject_to_tax', '0.0'],
  [{ country: 'CA', state: 'ON', postal_code: 'M5V 2T6' }, 1430, 'standard_rated', '13.0'],
  [{ country: 'AU', state: 'NSW', postal_code: '2000' }, 1100, 'standard_rated', '10.0'],
  [{ country: 'PT', postal_code: '9500-150' }, 1760, 'reduced_rated', '16.0'],
  [{ country: 'HK' }, 0, 'not_collecting', '0.0'],
  [{ country: 'BR', state: 'SP', postal_code: '01310-100' }, 0, 'not_supported', '0.0'],
])('tax in %j is %i cents', async (address, cents, reason, percentage) => {
  const calculation = await calculate(address)
  expect(calculation.tax_amount_exclusive).toBe(cents)
  expect(calculation.amount_total).toBe(11_000 + cents)
  expect(calculation.tax_breakdown[0]).toMatchObject({
    taxability_reason: reason,
    tax_rate_details: { percentage_decimal: percentage },
  })
  const [line] = calculation.line_items?.data ?? []
  expect((line?.amount_tax ?? 0) + (calculation.shipping_cost?.amount_tax ?? 0)).toBe(cents)
})

test('in Quebec two taxes are rounded separately', async () => {
  const { tax_breakdown: rows } = await calculate({ country: 'CA', state: 'QC', postal_code: 'H2X 1Y4' }, 1050)
  expect(rows.map(({ amount, tax_rate_details: { tax_type: type } }) => [type, amount])).toEqual([
    ['gst', 103],
    ['qst', 205],
  ])
})

test.each([
  ['the postcode 00000', { country: 'US', state: 'CA', postal_code: '00000' }],
  ['the street FAIL TAX', { ...berlin, line1: 'Fail Tax' }],
  ['a state that does not exist', { country: 'US', state: 'ZZ', postal_code: '94103' }],
  ['no postcode in the United States', { country: 'US', state: 'CA' }],
])('%s cannot be placed for tax', async (_, address) => {
  const refusal = await refusalOf(calculate(address))
  expect(refusal).toMatchObject({ statusCode: 400, code: 'customer_tax_location_invalid' })
})

test('tax is recorded once per reference, and reversed in full or in part', async () => {
  const calculation = await calculate(berlin)
  const id = calculation.id ?? ''
  const recorded = await world.stripe.tax.transactions.createFromCalculation({
    calculation: id,
    reference: 'R1',
    expand: ['line_items'],
  })
  expect(recorded).toMatchObject({ type: 'transaction', reference: 'R1' })
  const twice = await refusalOf(
    world.stripe.tax.transactions.createFromCalculation({ calculation: id, reference: 'R1' }),
  )
  expect(twice.statusCode).toBe(400)

  const part = await world.stripe.tax.transactions.createReversal({
    mode: 'partial',
    original_transaction: recorded.id,
    reference: 'R1-1',
    flat_amount: -1190,
    expand: ['line_items'],
  })
  const [line] = part.line_items?.data ?? []
  const { shipping_cost: shipping } = part
  expect((line?.amount ?? 0) + (line?.amount_tax ?? 0) + (shipping?.amount ?? 0) + (shipping?.amount_tax ?? 0)).toBe(
    -1190,
  )
  const tooMuch = await refusalOf(
    world.stripe.tax.transactions.createReversal({
      mode: 'full',
      original_transaction: recorded.id,
      reference: 'R1-2',
    }),
  )
  expect(tooMuch.statusCode).toBe(400)
  expect((await world.stripe.tax.transactions.retrieve(part.id)).reversal?.original_transaction).toBe(recorded.id)
  expect((await world.stripe.tax.calculations.listLineItems(id)).data).toHaveLength(1)
})

test('a full reversal takes back everything of a sale, once', async () => {
  const { id = '' } = (await calculate(berlin)) as { id?: string }
  const recorded = await world.stripe.tax.transactions.createFromCalculation({
    calculation: id,
    reference: 'R2',
    expand: ['line_items'],
  })
  const reverse = (reference: string) =>
    world.stripe.tax.transactions.createReversal({
      mode: 'full',
      original_transaction: recorded.id,
      reference,
      expand: ['line_items'],
    })
  const taken = await reverse('R2-before')
  const amountOf = ({ line_items: lines, shipping_cost: shipping }: Stripe.Tax.Transaction) =>
    (lines?.data ?? []).reduce((sum, { amount, amount_tax: tax }) => sum + amount + tax, 0) +
    (shipping?.amount ?? 0) +
    (shipping?.amount_tax ?? 0)
  expect(amountOf(recorded)).toBeGreaterThan(0)
  expect(amountOf(taken)).toBe(-amountOf(recorded))
  expect(taken).toMatchObject({ type: 'reversal', reversal: { original_transaction: recorded.id } })
  expect((await refusalOf(reverse('R2-again'))).statusCode).toBe(400)
})

test('a tax calculation expires after 90 days', async () => {
  const calculation = await calculate(berlin)
  await world.kit.clock.advance(91 * day)
  const refusal = await refusalOf(
    world.stripe.tax.transactions.createFromCalculation({ calculation: calculation.id ?? '', reference: 'R9' }),
  )
  expect(refusal.code).toBe('resource_missing')
})

test('an endpoint created through the API gets only its own events', async () => {
  const url = world.kit.endpoints.get('stripe')?.url ?? ''
  const endpoint = await world.stripe.webhookEndpoints.create({
    url,
    enabled_events: ['payment_intent.succeeded'],
    api_version: '2026-10-28.endive',
  })
  await paid()
  await world.kit.idle()
  expect(typesOf()).toEqual(['payment_intent.succeeded'])
  const [{ body, signature } = { body: '', signature: '' }] = world.received
  expect(world.stripe.webhooks.constructEvent(body, signature, endpoint.secret ?? '').type).toBe(
    'payment_intent.succeeded',
  )
  expect((await world.stripe.webhookEndpoints.list()).data).toMatchObject([{ id: endpoint.id }])
  expect((await world.stripe.webhookEndpoints.del(endpoint.id)).deleted).toBe(true)
})

test('a call that is not simulated is reported in the response and in the log', async () => {
  const refusal = await refusalOf(world.stripe.paymentIntents.search({ query: "status:'succeeded'" }))
  expect(refusal).toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' })
  expect(world.kit.log.notSimulated().map(({ path }) => path)).toEqual(['/v1/payment_intents/search'])
})

test('the account and the control page’s ledger agree with the sales', async () => {
  expect((await world.stripe.accounts.retrieveCurrent()).charges_enabled).toBe(true)
  const intent = await paid(2000)
  const refund = await world.stripe.refunds.create({ payment_intent: intent.id, amount: 100 })
  expect(world.provider.ledger()).toEqual({
    payments: [
      { provider: 'stripe', id: intent.id, status: 'succeeded', amount_cents: 2000, fee_cents: 88, currency: 'usd' },
    ],
    refunds: [{ provider: 'stripe', id: refund.id, payment_id: intent.id, amount_cents: 100, status: 'succeeded' }],
  })
  world.provider.reset()
  expect(world.provider.ledger()).toEqual({ payments: [], refunds: [] })
})

test('the list has only test cards, and all pass the check digit', () => {
  for (const { number } of testCards) expect(findTestCard(number)?.number).toBe(number)
  expect(new Set(testCards.map(({ token }) => token)).size).toBe(testCards.length)
})
