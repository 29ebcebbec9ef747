import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKit } from '#sandbox/kit/kit.ts'
import type { OpenKit } from '#sandbox/kit/kit.ts'
import type { Delivery, LoggedCall, Provider } from '#sandbox/kit/types.ts'
import { startPaypal } from '#sandbox/paypal/paypal.ts'
import { at, type Fields, type Json } from './json.ts'
import { readPaypalContracts } from './schema/paypal-contracts.ts'
import { ADA } from './walks/paypal.ts'

/** The simulator's requests and responses against PayPal's published descriptions. */

const folder = process.env['PROVIDER_CONTRACTS']
if (!folder)
  console.log('PayPal conformance skipped: PROVIDER_CONTRACTS names no folder with the paypal-*.openapi.json files')

const textAt = (json: Json | undefined, ...path: string[]): string => {
  const text = at(json, ...path)
  return typeof text === 'string' ? text : ''
}

const usd = (value: string) => ({ currency_code: 'USD', value })

const anOrder = (invoice: string, total = '42.98'): Json => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: 'default',
      custom_id: '0192f3c4-0000-7000-8000-000000000001:aa11bb22cc33dd44aa11bb22cc33dd44',
      invoice_id: invoice,
      amount: {
        ...usd(total),
        breakdown: { item_total: usd('37.00'), shipping: usd('0.00'), handling: usd('0.00'), tax_total: usd('5.98') },
      },
      items: [{ name: 'Hat', sku: '4938800001', quantity: '2', unit_amount: usd('18.50'), category: 'PHYSICAL_GOODS' }],
      shipping: ADA,
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: 'Shop',
        shipping_preference: 'SET_PROVIDED_ADDRESS',
        user_action: 'PAY_NOW',
        return_url: 'https://shop.example/checkout',
        cancel_url: 'https://shop.example/checkout',
      },
    },
  },
})

/** Every call of the simulator once, with every outcome that has a shape of its own. */
async function livedLife(paypal: Provider, kit: OpenKit): Promise<void> {
  const token = await fetch(`${paypal.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('client:secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: bearer } = (await token.json()) as { access_token: string }
  let made = 0
  const call = async (method: string, path: string, body?: Json, prefer = 'representation') => {
    const answer = await fetch(`${paypal.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        prefer: `return=${prefer}`,
        'paypal-request-id': `call-${(made += 1)}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return (text ? JSON.parse(text) : {}) as Json
  }
  const approve = (id: string, as: string) => fetch(`${paypal.url}/sandbox/approve/${id}?as=${as}`, { method: 'POST' })
  const pay = async (invoice: string, as = 'approve', prefer = 'representation') => {
    const id = textAt(await call('POST', '/v2/checkout/orders', anOrder(invoice), prefer), 'id')
    const path = `/v2/checkout/orders/${id}`
    await call('GET', path)
    await approve(id, as)
    await call('GET', path)
    await call('POST', `${path}/capture`, undefined, prefer)
    const order = await call('GET', path)
    const [unit] = (at(order, 'purchase_units') ?? []) as Json[]
    const [capture] = (at(unit, 'payments', 'captures') ?? []) as Json[]
    return { id, path, capture: textAt(capture, 'id') }
  }

  const { path, capture, id } = await pay('A1')
  await call('POST', `${path}/capture`)
  await pay('A2', 'approve', 'minimal')
  const held = await pay('A3', 'hold')
  await call('GET', `/v2/payments/captures/${held.capture}`)
  await call('POST', `/v2/payments/captures/${held.capture}/refund`)
  await paypal.change({ change: 'deny', order: held.id })
  await call('GET', `/v2/payments/captures/${held.capture}`)
  const declined = await pay('A4', 'decline')
  await call('PATCH', declined.path, [
    { op: 'replace', path: "/purchase_units/@reference_id=='default'/invoice_id", value: 'A5' },
  ])
  await call('PATCH', declined.path, [{ op: 'replace', path: '/intent', value: 'AUTHORIZE' }])
  await call('POST', '/v2/checkout/orders', anOrder('A1'))
  await call('POST', '/v2/checkout/orders', anOrder('A6', '1.00'))
  await call('POST', '/v2/checkout/orders', { intent: 'CAPTURE' })
  await call('GET', '/v2/checkout/orders/UNKNOWN')
  await call('GET', `/v2/payments/captures/${capture}`)
  await call('GET', '/v2/payments/captures/UNKNOWN')
  const refund = await call('POST', `/v2/payments/captures/${capture}/refund`, {
    amount: usd('1.00'),
    note_to_payer: 'Sorry',
    invoice_id: 'A1-r1',
  })
  await call('POST', `/v2/payments/captures/${capture}/refund`, { amount: usd('100.00') })
  await call('POST', `/v2/payments/captures/${capture}/refund`, { amount: usd('1.00') }, 'minimal')
  await call('GET', `/v2/payments/refunds/${textAt(refund, 'id')}`)
  await paypal.change({ change: 'slow_refund' })
  await call('POST', `/v2/payments/captures/${capture}/refund`, { amount: usd('2.00') })
  await call('GET', path)
  const dispute = (await paypal.change({ change: 'dispute', order: id, chargeback: true })) as Json
  await call('GET', '/v1/customer/disputes')
  const answers = async (about: Json, action: string, input: Json, file?: Blob) => {
    const parts = new FormData()
    parts.append('input', new Blob([JSON.stringify(input)], { type: 'application/json' }))
    if (file) parts.append('evidence-file', file, 'dispute-a.pdf')
    const path = `/v1/customer/disputes/${textAt(about, 'dispute_id')}`
    await fetch(`${paypal.url}${path}/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: parts,
    })
    await call('GET', path)
  }
  const pdf = new Blob(['%PDF'], { type: 'application/pdf' })
  const tracked = { tracking_info: [{ carrier_name: 'USPS', tracking_number: '9400' }] }
  const evidence = {
    evidences: [
      { evidence_type: 'PROOF_OF_FULFILLMENT', evidence_info: tracked },
      { evidence_type: 'OTHER', documents: [{ name: 'dispute-a.pdf' }], notes: 'It arrived.' },
    ],
  }
  // Of a wrong type, then well, then a second time.
  await answers(dispute, 'provide-evidence', evidence, new Blob(['MZ'], { type: 'application/zip' }))
  await answers(dispute, 'provide-evidence', evidence, pdf)
  await answers(dispute, 'provide-evidence', evidence, pdf)
  await paypal.change({ change: 'lose_dispute', dispute: textAt(dispute, 'dispute_id') })
  await call('GET', `/v1/customer/disputes/${textAt(dispute, 'dispute_id')}`)
  const second = await pay('A7')
  const accepted = (await paypal.change({ change: 'dispute', order: second.id, chargeback: true })) as Json
  await answers(accepted, 'accept-claim', { note: 'We accept.', accept_claim_type: 'REFUND' })
  await answers(accepted, 'accept-claim', { note: 'We accept.', accept_claim_type: 'REFUND' })

  const now = kit.clock.now().getTime()
  await kit.clock.advance(4 * 3_600_000)
  const range = {
    start_date: new Date(now - 60_000).toISOString(),
    end_date: new Date(now + 60_000).toISOString(),
    fields: 'all',
  }
  await call('GET', `/v1/reporting/transactions?${new URLSearchParams(range)}`)
  await call('GET', '/v1/reporting/transactions?start_date=2020-01-01T00:00:00Z&end_date=2026-01-01T00:00:00Z')
  const hooks = await call('POST', '/v1/notifications/webhooks', {
    url: 'https://a.example/x',
    event_types: [{ name: '*' }],
  })
  await call('GET', `/v1/notifications/webhooks/${textAt(hooks, 'id')}`)
  await call('GET', '/v1/notifications/webhooks')
  const events = (at(await call('GET', '/v1/notifications/webhooks-events?page_size=300'), 'events') ?? []) as Json[]
  const event = events[0] ?? {}
  await call('GET', `/v1/notifications/webhooks-events/${textAt(event, 'id')}`)
  await call('POST', `/v1/notifications/webhooks-events/${textAt(event, 'id')}/resend`, {
    webhook_ids: ['4JH86294D6297924G'],
  })
  await call('POST', '/v1/notifications/verify-webhook-signature', {
    auth_algo: 'SHA256withRSA',
    cert_url: `${paypal.url}/certs/x`,
    transmission_id: 'a1b2c3d4-0000-4000-8000-000000000000',
    transmission_sig: 'c2lnbmF0dXJl',
    transmission_time: '2026-11-21T09:00:00Z',
    webhook_id: '4JH86294D6297924G',
    webhook_event: event,
  })
}

describe.skipIf(!folder)('the simulated PayPal matches PayPal’s published descriptions', () => {
  let contracts: ReturnType<typeof readPaypalContracts>
  let kit: OpenKit
  let paypal: Provider
  let calls: LoggedCall[]
  const delivered: Delivery[] = []
  beforeAll(async () => {
    contracts = readPaypalContracts(folder ?? '')
    kit = openKit({ speed: 0, log: () => {} })
    const ear = { ...kit, deliver: (delivery: Delivery) => void delivered.push(delivery) }
    paypal = await startPaypal(ear, {
      port: 0,
      clientId: 'client',
      clientSecret: 'secret',
      webhookId: '4JH86294D6297924G',
    })
    kit.endpoints.set('paypal', { url: 'https://shop.example/webhooks/paypal', secret: '' })
    await livedLife(paypal, kit)
    calls = kit.log.since(0).filter(({ path }) => !path.startsWith('/sandbox/') && path !== '/v1/oauth2/token')
  })
  afterAll(async () => {
    await paypal.close()
    await kit.close()
  })

  test('in every response, of success and of refusal', () => {
    const statuses = new Set(calls.map(({ status }) => status))
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 201, 202, 204, 400, 404, 422])
    const mistakes = calls.flatMap((call) =>
      contracts.answerMistakes(call).map((mistake) => `${call.method} ${call.path} ${call.status}: ${mistake}`),
    )
    expect(mistakes).toEqual([])
  })

  test('in every request that it accepts', () => {
    const mistakes = calls
      .filter(({ status }) => status !== 400)
      .flatMap((call) => contracts.requestMistakes(call).map((mistake) => `${call.method} ${call.path}: ${mistake}`))
    expect(mistakes).toEqual([])
  })

  test('in every event', () => {
    const types = new Set(delivered.map(({ type }) => type))
    expect([...types].toSorted()).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'CUSTOMER.DISPUTE.CREATED',
      'CUSTOMER.DISPUTE.RESOLVED',
      'CUSTOMER.DISPUTE.UPDATED',
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.DENIED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.REFUNDED',
      'PAYMENT.CAPTURE.REVERSED',
      'PAYMENT.REFUND.PENDING',
    ])
    const mistakes = delivered.flatMap(({ type, body }) =>
      contracts.eventMistakes(JSON.parse(body) as Json).map((mistake) => `${type}: ${mistake}`),
    )
    expect(mistakes).toEqual([])
  })

  const good = { id: 'A', status: 'COMPLETED', intent: 'CAPTURE' }
  test.each<[string, string, Fields]>([
    ['order', 'a misspelt status', { ...good, status: 'COMPLETTED' }],
    [
      'order',
      'an amount as a number',
      { ...good, purchase_units: [{ amount: { currency_code: 'USD', value: 42.98 } }] },
    ],
    ['order', 'a time without a zone', { ...good, create_time: '2026-11-21T09:00:00' }],
    [
      'order',
      'a capture with a reason of its own',
      { ...good, purchase_units: [{ payments: { captures: [{ status_details: { reason: 'WHY' } }] } }] },
    ],
    ['error_422', 'another name', { name: 'UNPROCESSABLE' }],
  ])('the check finds what is planted: %s with %s', (name, _, planted) => {
    expect(contracts.mistakesIn('orders-v2', name, planted)).not.toEqual([])
  })
})
