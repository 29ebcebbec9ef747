import { createPublicKey, createVerify, X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { openKit } from '#sandbox/kit/kit.ts'
import { rawField } from './events.ts'
import { startPaypal } from './paypal.ts'

const HOUR_MS = 3_600_000
const WEBHOOK_ID = '4JH86294D6297924G'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Fields = Record<string, unknown>
type Asked = { body?: unknown; headers?: Record<string, string> }

/** A simulator, a shop's token, and a listener for its webhooks. */
async function aWallet() {
  const kit = openKit({ speed: 0, log: () => {} })
  const paypal = await startPaypal(kit, { port: 0, clientId: 'client', clientSecret: 'secret', webhookId: WEBHOOK_ID })
  const heard: { body: string; headers: Record<string, string>; event: Fields }[] = []
  const ear = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      heard.push({ body, headers: request.headers as Record<string, string>, event: JSON.parse(body) as Fields })
      answer.end()
    })
  })
  await new Promise<void>((resolve) => ear.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(ear.address() as AddressInfo).port}/webhooks/paypal`
  kit.endpoints.set('paypal', { url, secret: '' })
  closing.push(
    () => kit.close(),
    () => paypal.close(),
    () => new Promise((resolve) => ear.close(resolve)),
  )

  const tokenCall = (pair = 'client:secret', more = '') =>
    fetch(`${paypal.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(pair)}` },
      body: new URLSearchParams(`grant_type=client_credentials${more}`),
    })
  let token = ''
  const signIn = async () => {
    token = ((await (await tokenCall()).json()) as { access_token: string }).access_token
  }
  await signIn()

  async function call(method: string, path: string, { body, headers = {} }: Asked = {}) {
    const answer = await fetch(`${paypal.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : {}) as Fields }
  }

  let made = 0
  const create = (more: Fields = {}, headers: Record<string, string> = {}) =>
    call('POST', '/v2/checkout/orders', {
      body: anOrder(more),
      headers: { 'paypal-request-id': `r${++made}`, ...headers },
    })
  const approve = (id: unknown, as = 'approve') =>
    fetch(`${paypal.url}/sandbox/approve/${String(id)}?as=${as}`, { method: 'POST' })
  const capture = (id: unknown, headers: Record<string, string> = {}) =>
    call('POST', `/v2/checkout/orders/${String(id)}/capture`, {
      headers: { prefer: 'return=representation', ...headers },
    })
  /** The capture inside an order's response. */
  const captureIn = (body: Fields) =>
    (body as { purchase_units: [{ payments: { captures: [{ id: string; status: string }] } }] }).purchase_units[0]
      .payments.captures[0]

  /** A paid order. @returns ids of order and capture */
  async function pays(more: Fields = {}, as = 'approve') {
    const { body } = await create(more)
    await approve(body['id'], as)
    const answer = await capture(body['id'])
    await kit.idle()
    return { order: String(body['id']), capture: captureIn(answer.body).id, answer }
  }
  return { kit, paypal, heard, tokenCall, signIn, call, create, approve, capture, captureIn, pays }
}

const usd = (value: string) => ({ currency_code: 'USD', value })

const anOrder = (unit: Fields = {}): Fields => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      custom_id: 'c1:h1',
      amount: {
        ...usd('42.98'),
        breakdown: { item_total: usd('37.00'), shipping: usd('0.00'), tax_total: usd('5.98') },
      },
      items: [{ name: 'Hat', quantity: '2', unit_amount: usd('18.50'), category: 'PHYSICAL_GOODS' }],
      shipping: {
        name: { full_name: 'Ada Byron' },
        address: {
          address_line_1: '1 Elm St',
          admin_area_2: 'Austin',
          admin_area_1: 'TX',
          postal_code: '78701',
          country_code: 'US',
        },
      },
      ...unit,
    },
  ],
  payment_source: {
    paypal: { experience_context: { shipping_preference: 'SET_PROVIDED_ADDRESS', user_action: 'PAY_NOW' } },
  },
})

const issueIn = ({ body }: { body: Fields }) => (body['details'] as { issue: string }[] | undefined)?.[0]?.issue

describe('access', () => {
  test('a wrong secret gets no token, and a wrong token is refused', async () => {
    const { tokenCall, call, paypal } = await aWallet()
    const refused = await tokenCall('client:wrong')
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_client' }])
    await paypal.change({ change: 'expire_tokens' })
    expect(await call('GET', '/v2/checkout/orders/X')).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  })

  test('a token expires after its lifetime, a client token after fifteen minutes', async () => {
    const { kit, tokenCall, call, paypal } = await aWallet()
    const { access_token: token, expires_in: life } = (await (
      await tokenCall('client:secret', '&response_type=client_token')
    ).json()) as {
      access_token: string
      expires_in: number
    }
    expect(life).toBe(900)
    const ask = () => fetch(`${paypal.url}/sandbox/client-token/${token}`)
    const good = await ask()
    expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    await kit.clock.advance(HOUR_MS)
    expect((await ask()).status).toBe(401)
    expect((await call('GET', '/v1/notifications/webhooks')).status).toBe(200)
    await kit.clock.advance(9 * HOUR_MS)
    expect((await call('GET', '/v1/notifications/webhooks')).status).toBe(401)
  })

  test('an endpoint that is not simulated is 404 and recorded', async () => {
    const { kit, call } = await aWallet()
    expect(await call('POST', '/v2/checkout/orders/X/authorize')).toMatchObject({
      status: 404,
      body: { name: 'RESOURCE_NOT_FOUND' },
    })
    expect(kit.log.notSimulated()).toHaveLength(1)
  })
})

describe('an order', () => {
  test('is created once per request id: 201, then 200 with the first response for six hours', async () => {
    const { kit, create } = await aWallet()
    const first = await create({}, { 'paypal-request-id': 'same' })
    const again = await create({}, { 'paypal-request-id': 'same' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body['id']).toBe(first.body['id'])
    expect(first.body).toMatchObject({ status: 'PAYER_ACTION_REQUIRED' })
    await kit.clock.advance(6 * HOUR_MS)
    expect((await create({}, { 'paypal-request-id': 'same' })).status).toBe(201)
  })

  test('is returned in full only if the request prefers that', async () => {
    const { create } = await aWallet()
    expect((await create()).body).not.toHaveProperty('purchase_units')
    expect((await create({}, { prefer: 'return=representation' })).body).toHaveProperty('purchase_units')
  })

  const sums = (breakdown: Fields, value = '42.98') => ({ amount: { ...usd(value), breakdown } })
  const right = { item_total: usd('37.00'), tax_total: usd('5.98') }
  const items = (...more: Fields[]) => ({
    items: more.map((one) => ({ name: 'Hat', quantity: '2', unit_amount: usd('18.50'), ...one })),
  })
  const address = (more: Fields) => ({
    shipping: {
      address: {
        address_line_1: '1 Elm St',
        admin_area_2: 'Austin',
        postal_code: '78701',
        country_code: 'US',
        ...more,
      },
    },
  })
  test.each<[string, Fields, number, string]>([
    ['a total that is not its parts', sums(right, '42.99'), 422, 'AMOUNT_MISMATCH'],
    ['handling that is not in the total', sums({ ...right, handling: usd('34.99') }), 422, 'AMOUNT_MISMATCH'],
    ['items that are not the item total', { ...items({ quantity: '3' }) }, 422, 'ITEM_TOTAL_MISMATCH'],
    ['items without an item total', { ...sums({ tax_total: usd('42.98') }) }, 422, 'ITEM_TOTAL_REQUIRED'],
    ['taxes that are not the tax total', { ...items({ tax: usd('1.00') }) }, 422, 'TAX_TOTAL_MISMATCH'],
    ['a third decimal', sums(right, '42.980'), 422, 'DECIMAL_PRECISION'],
    ['another currency', { amount: { currency_code: 'EUR', value: '42.98' } }, 422, 'INVALID_CURRENCY_CODE'],
    ['nothing to pay', { items: [], ...sums({ item_total: usd('0.00') }, '0.00') }, 422, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    ['no city', address({ admin_area_2: '' }), 422, 'CITY_REQUIRED'],
    ['no postal code', address({ postal_code: '' }), 422, 'POSTAL_CODE_REQUIRED'],
    ['a place that nobody knows', address({ postal_code: '00000' }), 422, 'SHIPPING_ADDRESS_INVALID'],
    ['a quantity that is no number', { ...items({ quantity: '0' }) }, 400, 'INVALID_PARAMETER_SYNTAX'],
    ['a quantity that is no text', { ...items({ quantity: 2 }) }, 400, 'MALFORMED_REQUEST_JSON'],
    ['a name that is too long', { ...items({ name: 'x'.repeat(128) }) }, 400, 'INVALID_STRING_LENGTH'],
    ['no amount', { amount: undefined }, 400, 'MISSING_REQUIRED_PARAMETER'],
    ['a misspelt field', { invoiceid: 'A' }, 400, 'NOT_SUPPORTED'],
  ])('is refused with %s', async (_, more, status, issue) => {
    const { create } = await aWallet()
    const answer = await create(more)
    expect([answer.status, issueIn(answer)]).toEqual([status, issue])
    expect(answer.body['debug_id']).toBe(answer.headers.get('paypal-debug-id'))
  })

  test('requires a request id when it names its payment source', async () => {
    const { call } = await aWallet()
    expect(issueIn(await call('POST', '/v2/checkout/orders', { body: anOrder() }))).toBe('PAYPAL_REQUEST_ID_REQUIRED')
  })

  test('can be patched until it is captured, as long as it still adds up', async () => {
    const { call, create, approve, capture } = await aWallet()
    const { body } = await create()
    const path = `/v2/checkout/orders/${String(body['id'])}`
    const at = "/purchase_units/@reference_id=='default'"
    const patch = (...body: Fields[]) => call('PATCH', path, { body })
    expect((await patch({ op: 'add', path: `${at}/invoice_id`, value: 'R2' })).status).toBe(204)
    expect(issueIn(await patch({ op: 'replace', path: `${at}/amount`, value: usd('1.00') }))).toBe(
      'ITEM_TOTAL_REQUIRED',
    )
    expect(issueIn(await patch({ op: 'replace', path: '/intent', value: 'AUTHORIZE' }))).toBe('NOT_PATCHABLE')
    expect(issueIn(await patch({ op: 'replace', path: `${at}/description`, value: 'x' }))).toBe(
      'INVALID_PATCH_OPERATION',
    )
    expect((await call('GET', path)).body).toMatchObject({ purchase_units: [{ invoice_id: 'R2' }] })
    await approve(body['id'])
    await capture(body['id'])
    expect(issueIn(await patch({ op: 'remove', path: `${at}/invoice_id` }))).toBe('ORDER_ALREADY_COMPLETED')
  })
})

describe('a capture', () => {
  test('takes the money once: not before approval, not twice, and a repeated request gets the first response', async () => {
    const { create, approve, capture, captureIn } = await aWallet()
    const { body } = await create()
    expect(issueIn(await capture(body['id']))).toBe('ORDER_NOT_APPROVED')
    expect((await approve(body['id'])).status).toBe(200)
    const first = await capture(body['id'], { 'paypal-request-id': 'k' })
    expect([first.status, first.body['status'], captureIn(first.body).status]).toEqual([201, 'COMPLETED', 'COMPLETED'])
    expect(captureIn(first.body)).toMatchObject({
      custom_id: 'c1:h1',
      // 3.49 % of 42.98 are 1.50; and 0.49
      seller_receivable_breakdown: { gross_amount: usd('42.98'), paypal_fee: usd('1.99'), net_amount: usd('40.99') },
    })
    const again = await capture(body['id'], { 'paypal-request-id': 'k' })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(issueIn(await capture(body['id']))).toBe('ORDER_ALREADY_CAPTURED')
  })

  test('leaves its payments out of a minimal response', async () => {
    const { create, approve, capture } = await aWallet()
    const { body } = await create()
    await approve(body['id'])
    expect((await capture(body['id'], { prefer: 'return=minimal' })).body).not.toHaveProperty('purchase_units')
  })

  test('on hold is PENDING_REVIEW in a COMPLETED order, until it is released or denied', async () => {
    const { pays, call, paypal, heard, kit } = await aWallet()
    const held = await pays({}, 'hold')
    expect(held.answer.body).toMatchObject({
      status: 'COMPLETED',
      purchase_units: [
        { payments: { captures: [{ status: 'PENDING', status_details: { reason: 'PENDING_REVIEW' } }] } },
      ],
    })
    expect((await call('GET', `/v2/payments/captures/${held.capture}`)).body).not.toHaveProperty(
      'seller_receivable_breakdown',
    )
    await paypal.change({ change: 'release', order: held.order })
    const other = await pays({}, 'hold')
    await paypal.change({ change: 'deny', capture: other.capture })
    await kit.idle()
    expect(heard.map(({ event }) => event['event_type'])).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.COMPLETED',
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.DENIED',
    ])
    await expect(paypal.change({ change: 'release', order: held.order })).rejects.toThrow('not on hold')
    expect(paypal.ledger().payments).toMatchObject([
      { id: held.order, status: 'COMPLETED', amount_cents: 4298, currency: 'usd' },
      { id: other.order, status: 'DECLINED' },
    ])
  })

  test('with a declined instrument sends the payer back, who may approve again', async () => {
    const { create, approve, capture } = await aWallet()
    const { body } = await create()
    await approve(body['id'], 'decline')
    const declined = await capture(body['id'])
    expect([declined.status, issueIn(declined)]).toEqual([422, 'INSTRUMENT_DECLINED'])
    expect(declined.body['links']).toMatchObject([{ rel: 'redirect' }])
    expect(issueIn(await capture(body['id']))).toBe('ORDER_NOT_APPROVED')
    await approve(body['id'])
    expect((await capture(body['id'])).status).toBe(201)
  })

  test('fails with any other issue that the approval chose', async () => {
    const { create, approve, capture } = await aWallet()
    const { body } = await create()
    await approve(body['id'], 'SHIPPING_ADDRESS_INVALID')
    expect(issueIn(await capture(body['id']))).toBe('SHIPPING_ADDRESS_INVALID')
  })

  test('of a paid invoice is refused, at creation and at capture', async () => {
    const { create, approve, capture } = await aWallet()
    const [first, second] = [await create({ invoice_id: 'K7QM-4T2X' }), await create({ invoice_id: 'K7QM-4T2X' })]
    for (const { body } of [first, second]) await approve(body['id'])
    expect((await capture(first.body['id'])).status).toBe(201)
    expect(issueIn(await capture(second.body['id']))).toBe('DUPLICATE_INVOICE_ID')
    expect(issueIn(await create({ invoice_id: 'K7QM-4T2X' }))).toBe('DUPLICATE_INVOICE_ID')
  })

  test('is too late six hours after the approval', async () => {
    const { kit, create, approve, capture } = await aWallet()
    const { body } = await create()
    await approve(body['id'])
    await kit.clock.advance(6 * HOUR_MS + 1)
    expect(await capture(body['id'])).toMatchObject({ status: 404, body: { name: 'RESOURCE_NOT_FOUND' } })
  })

  test('fails as the mock header requests, and changes nothing', async () => {
    const { create, approve, capture } = await aWallet()
    const { body } = await create()
    await approve(body['id'])
    const mock = (code: string) => ({ 'paypal-mock-response': JSON.stringify({ mock_application_codes: code }) })
    expect(issueIn(await capture(body['id'], mock('INSTRUMENT_DECLINED')))).toBe('INSTRUMENT_DECLINED')
    expect((await capture(body['id'], mock('INTERNAL_SERVER_ERROR'))).status).toBe(500)
    expect((await capture(body['id'])).status).toBe(201)
  })
})

describe('a refund', () => {
  test('can be partial, never above the remaining amount, and runs once per request id over 45 days', async () => {
    const { kit, pays, call, signIn, paypal } = await aWallet()
    const { capture } = await pays()
    const refund = (value?: string, requestId?: string) =>
      call('POST', `/v2/payments/captures/${capture}/refund`, {
        ...(value !== undefined && { body: { amount: usd(value) } }),
        headers: { prefer: 'return=representation', ...(requestId && { 'paypal-request-id': requestId }) },
      })
    const first = await refund('10.00', 'refund-1')
    expect([first.status, first.body['status']]).toEqual([201, 'COMPLETED'])
    expect((await refund('10.00', 'refund-1')).body['id']).toBe(first.body['id'])
    expect((await call('GET', `/v2/payments/captures/${capture}`)).body['status']).toBe('PARTIALLY_REFUNDED')
    expect(issueIn(await refund('32.99'))).toBe('REFUND_AMOUNT_EXCEEDED')
    expect(issueIn(await refund('1.001'))).toBe('DECIMAL_PRECISION')
    expect((await refund()).body).toMatchObject({
      amount: usd('32.98'),
      seller_payable_breakdown: { total_refunded_amount: usd('42.98') },
    })
    expect(issueIn(await refund('1.00'))).toBe('CAPTURE_FULLY_REFUNDED')
    expect(paypal.ledger().refunds?.map(({ amount_cents: amount }) => amount)).toEqual([1000, 3298])
    await kit.clock.advance(44 * 24 * HOUR_MS)
    await signIn()
    expect((await refund('10.00', 'refund-1')).body['id']).toBe(first.body['id'])
    await kit.clock.advance(2 * 24 * HOUR_MS)
    await signIn()
    expect(issueIn(await refund('10.00', 'refund-1'))).toBe('CAPTURE_FULLY_REFUNDED')
  })

  test('of a held payment is refused, of a disputed one must be full', async () => {
    const { pays, call, paypal } = await aWallet()
    const refund = (id: string, value: string) =>
      call('POST', `/v2/payments/captures/${id}/refund`, { body: { amount: usd(value) } })
    const held = await pays({}, 'hold')
    expect(issueIn(await refund(held.capture, '1.00'))).toBe('PENDING_CAPTURE')
    const disputed = await pays()
    await paypal.change({ change: 'dispute', order: disputed.order })
    expect(issueIn(await refund(disputed.capture, '1.00'))).toBe('TRANSACTION_DISPUTED')
    expect((await refund(disputed.capture, '42.98')).status).toBe(201)
    const lost = await pays()
    await paypal.change({ change: 'dispute', order: lost.order, chargeback: true })
    expect(issueIn(await refund(lost.capture, '42.98'))).toBe('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK')
  })

  test('by e-check is pending, and may fail late', async () => {
    const { pays, call, paypal, heard, kit } = await aWallet()
    const { capture } = await pays()
    await paypal.change({ change: 'slow_refund' })
    const { body } = await call('POST', `/v2/payments/captures/${capture}/refund`, {
      headers: { prefer: 'return=representation' },
    })
    expect(body['status']).toBe('PENDING')
    await paypal.change({ change: 'complete_refund', refund: body['id'] })
    await paypal.change({ change: 'fail_refund', refund: body['id'] })
    await kit.idle()
    expect(heard.slice(-3).map(({ event }) => event['event_type'])).toEqual([
      'PAYMENT.REFUND.PENDING',
      'PAYMENT.CAPTURE.REFUNDED',
      'PAYMENT.REFUND.FAILED',
    ])
    expect((await call('GET', `/v2/payments/captures/${capture}`)).body['status']).toBe('COMPLETED')
  })
})

describe('reports', () => {
  test('show a payment after three hours, and at most 31 days per request', async () => {
    const { kit, pays, call } = await aWallet()
    const { capture, order } = await pays({ invoice_id: 'K7QM-4T2X' })
    await call('POST', `/v2/payments/captures/${capture}/refund`, { body: { amount: usd('2.98') } })
    const started = kit.clock.now().getTime()
    const list = (from: number, until: number) => {
      const query = new URLSearchParams({
        start_date: new Date(from).toISOString(),
        end_date: new Date(until).toISOString(),
        fields: 'all',
      })
      return call('GET', `/v1/reporting/transactions?${query}`)
    }
    expect((await list(started - HOUR_MS, started + HOUR_MS)).body['total_items']).toBe(0)
    await kit.clock.advance(4 * HOUR_MS)
    const { body } = await list(started - HOUR_MS, started + 5 * HOUR_MS)
    expect(body['transaction_details']).toMatchObject([
      {
        transaction_info: {
          transaction_id: capture,
          paypal_reference_id: order,
          transaction_event_code: 'T0006',
          transaction_amount: usd('42.98'),
          fee_amount: usd('-1.99'),
          invoice_id: 'K7QM-4T2X',
        },
      },
      {
        transaction_info: {
          transaction_event_code: 'T1107',
          transaction_amount: usd('-2.98'),
          paypal_reference_id: capture,
        },
      },
    ])
    const tooLong = await list(started - 32 * 24 * HOUR_MS, started)
    expect([tooLong.status, tooLong.body['name']]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('list disputes from opening to resolution', async () => {
    const { pays, call, paypal } = await aWallet()
    const { order, capture } = await pays()
    const { dispute_id: id } = (await paypal.change({
      change: 'dispute',
      order,
      reason: 'UNAUTHORISED',
      chargeback: true,
    })) as Fields
    expect((await call('GET', '/v1/customer/disputes')).body).toMatchObject({
      items: [{ dispute_id: id, dispute_amount: usd('42.98') }],
    })
    await paypal.change({ change: 'win_dispute', dispute: id })
    expect((await call('GET', `/v1/customer/disputes/${String(id)}`)).body).toMatchObject({
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' },
      disputed_transactions: [{ seller_transaction_id: capture }],
    })
  })
})

describe('webhooks', () => {
  /** The shop's request to verify an event; the body is inserted as text. */
  const question = ({ headers }: { headers: Record<string, string> }, body: string, webhook = WEBHOOK_ID) =>
    `{"auth_algo":"${headers['paypal-auth-algo']}","cert_url":"${headers['paypal-cert-url']}",` +
    `"transmission_id":"${headers['paypal-transmission-id']}","transmission_sig":"${headers['paypal-transmission-sig']}",` +
    `"transmission_time":"${headers['paypal-transmission-time']}","webhook_id":"${webhook}","webhook_event":${body}}`

  const verify = async ({ call }: Awaited<ReturnType<typeof aWallet>>, body: string) =>
    (await call('POST', '/v1/notifications/verify-webhook-signature', { body })).body['verification_status']

  test('are signed over their bytes: valid as delivered, invalid when parsed and rewritten', async () => {
    const wallet = await aWallet()
    await wallet.pays()
    const [event] = wallet.heard
    if (!event) throw new Error('No webhook came.')
    expect(await verify(wallet, question(event, event.body))).toBe('SUCCESS')
    expect(await verify(wallet, question(event, JSON.stringify(event.event)))).toBe('FAILURE')
    expect(
      await verify(wallet, question(event, event.body.replace('PAYMENT', 'PAYMENt').replace('CHECKOUT', 'CHECKOUt'))),
    ).toBe('FAILURE')
    expect(await verify(wallet, question(event, event.body, 'OTHERWEBHOOK'))).toBe('FAILURE')
  })

  test('can be verified offline, with the certificate that they name', async () => {
    const wallet = await aWallet()
    await wallet.pays()
    const [event] = wallet.heard
    if (!event) throw new Error('No webhook came.')
    const { headers } = event
    const pem = await (await fetch(headers['paypal-cert-url'] ?? '')).text()
    const certificate = new X509Certificate(pem)
    const [, between = ''] = /END CERTIFICATE-----\s+(-----BEGIN[^]+)/.exec(pem) ?? []
    const root = `-----BEGIN CERTIFICATE-----\n${wallet.paypal.certificateAuthority}\n-----END CERTIFICATE-----`
    const chain = [certificate, new X509Certificate(between), new X509Certificate(root)]
    for (const [at, one] of chain.entries()) {
      const issuer = chain[at + 1] ?? one
      expect(one.checkIssued(issuer) && one.verify(issuer.publicKey), one.subject).toBe(true)
    }
    expect(chain.map(({ ca }) => ca)).toEqual([false, true, true])
    expect(certificate.subject).toContain('messageverificationcerts.paypal.com')
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.now())
    const message = [
      headers['paypal-transmission-id'],
      headers['paypal-transmission-time'],
      WEBHOOK_ID,
      crc32(event.body),
    ].join('|')
    const check = createVerify('RSA-SHA256').update(message)
    expect(check.verify(createPublicKey(pem), headers['paypal-transmission-sig'] ?? '', 'base64')).toBe(true)
  })

  test.each(['bad', 'other-secret'] as const)('signed as %s are refused', async (sign) => {
    const wallet = await aWallet()
    await wallet.kit.webhooks.set({ provider: 'paypal', sign })
    await wallet.pays()
    const [event] = wallet.heard
    if (!event) throw new Error('No webhook came.')
    expect(await verify(wallet, question(event, event.body))).toBe('FAILURE')
  })

  test('are listed, and resent on request', async () => {
    const wallet = await aWallet()
    await wallet.pays()
    const { body } = await wallet.call('GET', '/v1/notifications/webhooks-events?event_type=PAYMENT.CAPTURE.COMPLETED')
    const [event] = body['events'] as { id: string }[]
    expect([body['count'], event?.id]).toEqual([1, wallet.heard[1]?.event['id']])
    expect(
      (await wallet.call('POST', `/v1/notifications/webhooks-events/${event?.id}/resend`, { body: {} })).status,
    ).toBe(202)
    await wallet.kit.idle()
    expect(wallet.heard.map((one) => one.event['id'])).toEqual([wallet.heard[0]?.event['id'], event?.id, event?.id])
  })

  test('endpoints can be listed and added, each once', async () => {
    const { call } = await aWallet()
    const add = () =>
      call('POST', '/v1/notifications/webhooks', { body: { url: 'https://a.example/x', event_types: [{ name: '*' }] } })
    expect((await add()).status).toBe(201)
    expect((await add()).status).toBe(400)
    expect((await call('GET', '/v1/notifications/webhooks')).body['webhooks']).toHaveLength(2)
  })

  test.each([
    ['{"a":1,"webhook_event":{"x":[1, 2],"y":"}\\""}}', '{"x":[1, 2],"y":"}\\""}'],
    ['{"webhook_event" : [ {} ] , "b":2}', '[ {} ]'],
    ['{"n":{"webhook_event":1},"webhook_event":"a,b"}', '"a,b"'],
    ['{"n":"webhook_event","webhook_event":12}', '12'],
    ['{"a":1}', undefined],
  ])('have their field found byte by byte in %s', (json, found) => {
    expect(rawField(Buffer.from(json), 'webhook_event')?.toString()).toBe(found)
  })
})

test('a reset forgets orders and tokens', async () => {
  const { paypal, pays, call } = await aWallet()
  await pays()
  paypal.reset()
  expect(paypal.ledger().payments).toEqual([])
  expect((await call('GET', '/v1/notifications/webhooks')).status).toBe(401)
})

test('the browser script has its visible labels', async () => {
  const { paypal } = await aWallet()
  const answer = await fetch(`${paypal.url}/paypal.js`)
  expect(answer.headers.get('content-type')).toContain('text/javascript')
  const script = await answer.text()
  for (const label of ['Pay now', 'Cancel', 'Approve, then hold', 'Approve, then decline', 'Fail'])
    expect(script).toContain(`'${label}'`)
})
