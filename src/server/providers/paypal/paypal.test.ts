import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { CheckoutId, OrderNumber, VariantId } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'
import { Secret } from '#server/config/secret.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { startPaypal } from '#sandbox/paypal/paypal.ts'
import type { Config } from '#server/config/config.ts'
import { createPaypal, type PaypalGateway, type WalletOrderRequest } from './paypal.ts'

const HOUR_MS = 3_600_000
const WEBHOOK_ID = '4JH86294D6297924G'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const settingsFor = (apiBase: string, more: Partial<Config['paypal']> = {}): Config['paypal'] => ({
  clientId: 'client',
  clientSecret: new Secret('secret'),
  webhookId: WEBHOOK_ID,
  live: false,
  apiBase,
  scriptUrl: `${apiBase}/paypal.js`,
  certificateAuthority: undefined,
  ...more,
})

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Delivered = { headers: Record<string, string>; body: string }

/** The wallet's provider, the shop's way to it, a payer, and what reaches the shop's address for events. */
async function aWallet() {
  const kit = openKit({ speed: 0, log: () => {} })
  const simulator = await startPaypal(kit, {
    port: 0,
    clientId: 'client',
    clientSecret: 'secret',
    webhookId: WEBHOOK_ID,
  })
  closing.push(
    () => kit.close(),
    () => simulator.close(),
  )
  const delivered: Delivered[] = []
  const shop = await listening((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      delivered.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
      })
      answer.end()
    })
  })
  kit.endpoints.set('paypal', { url: `${shop}/webhooks/paypal`, secret: '' })
  const authority = `-----BEGIN CERTIFICATE-----\n${simulator.certificateAuthority}\n-----END CERTIFICATE-----`
  const settings = settingsFor(simulator.url, { certificateAuthority: authority })
  const paypal = createPaypal({ paypal: settings, clock: kit.clock })
  const approves = async (id: string, as = 'approve') => {
    const answer = await fetch(`${simulator.url}/sandbox/approve/${id}?as=${as}`, { method: 'POST' })
    expect(answer.status).toBe(200)
  }
  /** @returns the order's id */
  const orders = async (more: Partial<WalletOrderRequest> = {}) => (await paypal.createOrder(anOrder(more))).id
  const pays = async (more: Partial<WalletOrderRequest> = {}, as = 'approve') => {
    const id = await orders(more)
    await approves(id, as)
    return paypal.capture(id)
  }
  const calls = (path: string) => kit.log.since(0).filter((call) => call.path.startsWith(path))
  return { kit, simulator, settings, paypal, approves, orders, pays, delivered, calls }
}

const anOrder = (more: Partial<WalletOrderRequest> = {}): WalletOrderRequest => ({
  checkoutId: '0192f3c4-0000-7000-8000-000000000001' as CheckoutId,
  quoteHash: 'aa11bb22cc33dd44aa11bb22cc33dd44',
  orderNumber: 'K7QM-4T2X' as OrderNumber,
  attempt: 1,
  lines: [
    {
      variantId: 4_938_800_001 as VariantId,
      productName: 'Pillow 18x18',
      variantName: 'White',
      unitPrice: cents(2999),
      quantity: 2,
    },
    {
      variantId: 4_938_800_002 as VariantId,
      productName: 'Hat',
      variantName: null,
      unitPrice: cents(3295),
      quantity: 1,
    },
  ],
  amounts: {
    subtotal: cents(9293),
    shipping: cents(6998),
    surcharge: cents(6998),
    tax: cents(501),
    vatProtection: cents(99),
    total: cents(16891),
  },
  customer: { name: 'Ada Byron' },
  address: { line1: '1 Elm St', line2: null, city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'AU' },
  returnUrl: 'https://shop.example/checkout',
  cancelUrl: 'https://shop.example/checkout',
  ...more,
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof ProviderRefusal ? error.code : error),
  )

describe('a wallet order', () => {
  test('carries lines, parts and address to the cent, and cannot be sent elsewhere by the payer', async () => {
    const { paypal, calls } = await aWallet()
    await paypal.createOrder(anOrder())
    expect(calls('/v2/checkout/orders')[0]?.request).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [
        {
          custom_id: '0192f3c4-0000-7000-8000-000000000001:aa11bb22cc33dd44aa11bb22cc33dd44',
          invoice_id: 'K7QM-4T2X',
          amount: {
            currency_code: 'USD',
            value: '168.91',
            breakdown: {
              item_total: { value: '92.93' },
              shipping: { value: '0.00' },
              handling: { value: '69.98' },
              tax_total: { value: '6.00' },
            },
          },
          items: [
            { name: 'Pillow 18x18 (White)', sku: '4938800001', quantity: '2', unit_amount: { value: '29.99' } },
            { name: 'Hat', quantity: '1' },
          ],
          shipping: { name: { full_name: 'Ada Byron' }, address: { admin_area_2: 'Sydney', country_code: 'AU' } },
        },
      ],
      payment_source: { paypal: { experience_context: { shipping_preference: 'SET_PROVIDED_ADDRESS' } } },
    })
  })

  test('is the same order for the same checkout and quote, and another one for another quote', async () => {
    const { orders } = await aWallet()
    const first = await orders()
    expect(await orders()).toBe(first)
    expect(await orders({ quoteHash: 'ff11bb22cc33dd44aa11bb22cc33dd44' })).not.toBe(first)
  })

  test('whose parts do not add up is a mistake of ours and is never sent', async () => {
    const { paypal, calls } = await aWallet()
    await expect(paypal.createOrder(anOrder({ amounts: { ...anOrder().amounts, total: cents(1) } }))).rejects.toThrow(
      'do not add up',
    )
    expect(calls('/v2/checkout/orders')).toEqual([])
  })

  test('to an address that the wallet cannot take is refused with its issue', async () => {
    const { orders } = await aWallet()
    expect(await codeOf(orders({ address: { ...anOrder().address, postalCode: '00000' } }))).toBe(
      'SHIPPING_ADDRESS_INVALID',
    )
    expect(await codeOf(orders({ address: { ...anOrder().address, postalCode: null }, attempt: 2 }))).toBe(
      'POSTAL_CODE_REQUIRED',
    )
  })

  test('of an order number that was paid is refused; a further attempt has an invoice of its own', async () => {
    const { pays, orders } = await aWallet()
    await pays()
    const otherQuote = { quoteHash: 'ff11bb22cc33dd44aa11bb22cc33dd44' }
    expect(await codeOf(orders(otherQuote))).toBe('DUPLICATE_INVOICE_ID')
    await expect(orders({ ...otherQuote, attempt: 2 })).resolves.toMatch(/^[A-Z\d]{17}$/)
  })
})

describe('a payment', () => {
  test('goes from open by approved to captured, and says which checkout and quote it is for', async () => {
    const { paypal, orders, approves } = await aWallet()
    const id = await orders()
    expect(await paypal.readOrder(id)).toMatchObject({ status: 'open', approved: false, amount: 0, captureId: null })
    await approves(id)
    expect(await paypal.readOrder(id)).toMatchObject({ status: 'open', approved: true })
    const payment = await paypal.capture(id)
    expect(payment).toEqual({
      provider: 'paypal',
      id,
      status: 'captured',
      amount: 16891,
      currency: 'usd',
      live: false,
      isReturned: false,
      fee: 638,
      payer: { kind: 'wallet', id: expect.any(String), email: 'sandbox.shopper@paypal.example' },
      checkoutId: anOrder().checkoutId,
      quoteHash: anOrder().quoteHash,
      approved: false,
      captureId: expect.any(String),
    })
    expect(await paypal.readOrder(id)).toEqual(payment)
  })

  test('that was captured already is found instead of refused', async () => {
    const { kit, paypal, pays } = await aWallet()
    const payment = await pays()
    // After six hours the request id is forgotten, and PayPal says ORDER_ALREADY_CAPTURED.
    await kit.clock.advance(7 * HOUR_MS)
    expect(await paypal.capture(payment.id)).toEqual(payment)
  })

  test('on hold is held, not captured, although its order says COMPLETED; then released or denied', async () => {
    const { simulator, paypal, pays } = await aWallet()
    const held = await pays({}, 'hold')
    expect(held).toMatchObject({ status: 'held', amount: 0, captureId: expect.any(String) })
    await simulator.change({ change: 'release', order: held.id })
    expect(await paypal.readOrder(held.id)).toMatchObject({ status: 'captured', amount: 16891 })
    const denied = await pays({ orderNumber: 'AAAA-BBBB' as OrderNumber, attempt: 3 }, 'hold')
    await simulator.change({ change: 'deny', order: denied.id })
    expect(await paypal.readOrder(denied.id)).toMatchObject({ status: 'cancelled', amount: 0 })
  })

  test.each([
    ['decline', 'INSTRUMENT_DECLINED'],
    ['TRANSACTION_REFUSED', 'TRANSACTION_REFUSED'],
    ['SHIPPING_ADDRESS_INVALID', 'SHIPPING_ADDRESS_INVALID'],
  ])('that ends as %s is refused with %s, and nothing was taken', async (as, code) => {
    const { paypal, orders, approves } = await aWallet()
    const id = await orders()
    await approves(id, as)
    expect(await codeOf(paypal.capture(id))).toBe(code)
    expect(await paypal.readOrder(id)).toMatchObject({ status: 'open', captureId: null })
  })

  test('that was declined can be approved anew and captured by a further attempt', async () => {
    const { paypal, orders, approves } = await aWallet()
    const id = await orders()
    await approves(id, 'decline')
    expect(await codeOf(paypal.capture(id))).toBe('INSTRUMENT_DECLINED')
    await approves(id)
    expect(await paypal.capture(id, 2)).toMatchObject({ status: 'captured', amount: 16891 })
  })

  test('that nobody approved is refused, and one that PayPal does not know has its own code', async () => {
    const { paypal, orders } = await aWallet()
    expect(await codeOf(paypal.capture(await orders()))).toBe('ORDER_NOT_APPROVED')
    expect(await codeOf(paypal.readOrder('UNKNOWN0000000000'))).toBe('RESOURCE_NOT_FOUND')
  })

  test('whose answer was lost is captured once all the same', async () => {
    const { kit, paypal, orders, approves } = await aWallet()
    const id = await orders()
    await approves(id)
    kit.rules.add({
      provider: 'paypal',
      match: { method: 'POST', path: `/v2/checkout/orders/${id}/capture` },
      when: 'after',
      do: 'reset',
      times: 1,
    })
    await expect(paypal.capture(id)).rejects.toThrow(ProviderUnavailable)
    expect(await paypal.readOrder(id)).toMatchObject({ status: 'captured' })
    expect(await paypal.capture(id)).toMatchObject({ status: 'captured', amount: 16891 })
  })
})

describe('a refund', () => {
  test('is given once for its id, by parts, and says when nothing is left', async () => {
    const { simulator, paypal, pays } = await aWallet()
    const { id, captureId } = await pays()
    const refund = (amount: number, key: string) => paypal.refund(captureId ?? '', cents(amount), 7, key)
    const first = await refund(5000, 'refund-1')
    expect(first).toEqual({
      id: expect.any(String),
      at: expect.any(Date),
      feeReturned: 0,
      amount: 5000,
      status: 'succeeded',
      ours: 7,
    })
    expect(await refund(5000, 'refund-1')).toEqual(first)
    expect(await codeOf(refund(16_000, 'refund-2'))).toBe('REFUND_AMOUNT_EXCEEDED')
    await simulator.change({ change: 'slow_refund' })
    expect(await refund(11_891, 'refund-3')).toMatchObject({ status: 'pending' })
    expect(await codeOf(refund(1, 'refund-4'))).toBe('CAPTURE_FULLY_REFUNDED')
    expect(await paypal.readOrder(id)).toMatchObject({ status: 'captured', amount: 16891, isReturned: true })
    expect(await paypal.orderIdOfCapture(captureId ?? '')).toBe(id)
  })
})

const CERTIFICATES = '/v1/notifications/certs/'
const QUESTION = '/v1/notifications/verify-webhook-signature'

describe('events', () => {
  test('are believed by PayPal’s certificate, which is fetched once, and PayPal is not asked; they name order and capture', async () => {
    const { kit, simulator, paypal, pays, delivered, calls } = await aWallet()
    const { id, captureId } = await pays()
    await paypal.refund(captureId ?? '', cents(100), 1, 'refund-1')
    await simulator.change({ change: 'dispute', order: id })
    await kit.idle()
    const events = await Promise.all(delivered.map(({ headers, body }) => paypal.verifyEvent(headers, body)))
    const certificate = expect.stringContaining(CERTIFICATES)
    expect(events).toEqual([
      {
        event: {
          id: expect.stringMatching(/^WH-/),
          type: 'CHECKOUT.ORDER.APPROVED',
          paymentId: id,
          captureId: null,
          certificate,
        },
      },
      {
        event: { id: expect.any(String), type: 'PAYMENT.CAPTURE.COMPLETED', paymentId: id, captureId, certificate },
      },
      {
        event: { id: expect.any(String), type: 'PAYMENT.CAPTURE.REFUNDED', paymentId: null, captureId, certificate },
      },
      {
        event: { id: expect.any(String), type: 'CUSTOMER.DISPUTE.CREATED', paymentId: null, captureId, certificate },
      },
    ])
    expect(calls(CERTIFICATES)).toHaveLength(1)
    expect(calls(QUESTION)).toEqual([])
  })

  /** A first event, and the certificate known already. */
  async function anEvent() {
    const wallet = await aWallet()
    await wallet.pays()
    await wallet.kit.idle()
    const [{ headers, body }] = wallet.delivered as [Delivered]
    return { ...wallet, headers, body }
  }

  test('with a changed byte or something smuggled in are not believed (S51)', async () => {
    const { paypal, headers, body, calls } = await anEvent()
    for (const changed of [
      body.replace('APPROVED', 'APPROVEd'),
      JSON.stringify(JSON.parse(body)),
      `${body},"webhook_id":"X"`,
      'not JSON',
      '',
    ])
      expect(await paypal.verifyEvent(headers, changed), changed.slice(0, 40)).toEqual({
        wrong: 'signature that does not fit',
      })
    expect(calls(QUESTION)).toEqual([])
  })

  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z')
  test.each([
    ['paypal-transmission-sig', undefined, 'headers missing or misshapen'],
    ['paypal-transmission-sig', 'not base64!', 'headers missing or misshapen'],
    ['paypal-transmission-id', 'a|b', 'headers missing or misshapen'],
    ['paypal-auth-algo', 'none', 'headers missing or misshapen'],
    ['paypal-auth-algo', 'SHA1withRSA', 'headers missing or misshapen'],
    ['paypal-transmission-time', 'tomorrow', 'headers missing or misshapen'],
    ['paypal-transmission-time', inMinutes(6), 'dated wrongly'],
    ['paypal-transmission-time', inMinutes(-5 * 24 * 60), 'dated wrongly'],
    ['paypal-cert-url', 'https://paypal.com.evil.example/v1/notifications/certs/CERT-1', 'certificate elsewhere'],
    ['paypal-cert-url', 'https://api.paypal.com/v1/notifications/certs/CERT-1', 'certificate elsewhere'],
    ['paypal-cert-url', 'file:///etc/passwd', 'certificate elsewhere'],
    ['paypal-cert-url', 'HERE/v1/notifications/certs/../../oauth2/token', 'certificate elsewhere'],
    ['paypal-cert-url', 'HERE/v1/notifications/certs/CERT-1?next=1', 'certificate elsewhere'],
    ['paypal-cert-url', 'http://evil@HOST/v1/notifications/certs/CERT-1', 'certificate elsewhere'],
  ])('with %s: %s are seen through by their headers, and nothing is fetched (S51)', async (name, value, wrong) => {
    const { simulator, paypal, headers, body, calls } = await anEvent()
    const { host } = new URL(simulator.url)
    const said = value?.replace('HERE', simulator.url).replace('HOST', host)
    expect(paypal.wrongInHeaders({ ...headers, [name]: said })).toBe(wrong)
    expect(await paypal.verifyEvent({ ...headers, [name]: said }, body)).toEqual({ wrong })
    expect(calls(CERTIFICATES)).toEqual([])
  })

  test('of the live wallet are believed by certificates of its own two hosts alone', () => {
    const at = (apiBase: string, certificate: string) =>
      createPaypal({ paypal: settingsFor(apiBase) }).wrongInHeaders({
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': certificate,
        'paypal-transmission-id': 'a-1',
        'paypal-transmission-sig': 'A'.repeat(344),
        'paypal-transmission-time': inMinutes(0),
      })
    const live = 'https://api-m.paypal.com'
    for (const host of ['api.paypal.com', 'api-m.paypal.com'])
      expect(at(live, `https://${host}/v1/notifications/certs/CERT-1`)).toBeUndefined()
    for (const host of ['www.paypal.com', 'api.sandbox.paypal.com', 'api.paypal.com:8443', 'xapi.paypal.com'])
      expect(at(live, `https://${host}/v1/notifications/certs/CERT-1`), host).toBe('certificate elsewhere')
    expect(at(live, 'http://api.paypal.com/v1/notifications/certs/CERT-1')).toBe('certificate elsewhere')
    const testing = 'https://api-m.sandbox.paypal.com'
    expect(at(testing, 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1')).toBeUndefined()
    expect(at(testing, 'https://api.paypal.com/v1/notifications/certs/CERT-1')).toBe('certificate elsewhere')
  })

  test.each(['bad', 'other-secret', 'none'] as const)('signed as %s are not believed (S51)', async (sign) => {
    const { kit, paypal, pays, delivered } = await aWallet()
    await kit.webhooks.set({ provider: 'paypal', sign })
    await pays()
    await kit.idle()
    const [{ headers, body }] = delivered as [Delivered]
    expect(await paypal.verifyEvent(headers, body)).toHaveProperty('wrong')
  })

  test.each([
    ['expired', 'certificate out of its days'],
    ['misnamed', 'certificate of another name'],
  ])('signed with a certificate that is %s are not believed, whoever vouches for it', async (as, wrong) => {
    const { kit, simulator, paypal, pays, delivered, calls } = await aWallet()
    await simulator.change({ change: 'rotate_certificate', as })
    await pays()
    await kit.idle()
    const [{ headers, body }] = delivered as [Delivered]
    for (let n = 0; n < 3; n += 1) expect(await paypal.verifyEvent(headers, body)).toMatchObject({ wrong })
    expect(calls(CERTIFICATES)).toHaveLength(1)
    expect(calls(QUESTION)).toEqual([])
  })

  test.each(['alone', 'stranger'])(
    'whose certificate’s chain cannot be followed (%s) are believed when PayPal vouches for the certificate, once',
    async (as) => {
      const { kit, simulator, paypal, pays, delivered, calls } = await aWallet()
      await simulator.change({ change: 'rotate_certificate', as })
      await pays()
      await kit.idle()
      const [{ headers, body }, second] = delivered as [Delivered, Delivered]
      expect(await paypal.verifyEvent(headers, `${body} `)).toEqual({ wrong: 'signature that does not fit' })
      expect(calls(QUESTION)).toEqual([])
      expect(await paypal.verifyEvent(headers, body)).toHaveProperty('event')
      expect(await paypal.verifyEvent(second.headers, second.body)).toHaveProperty('event')
      expect(calls(QUESTION)).toHaveLength(1)
    },
  )

  test('whose certificate’s chain ends at a stranger are not believed when PayPal does not vouch for it', async () => {
    const { kit, simulator, paypal, pays, delivered } = await aWallet()
    await simulator.change({ change: 'rotate_certificate', as: 'stranger' })
    await pays()
    await kit.idle()
    kit.rules.add({
      provider: 'paypal',
      match: { path: QUESTION },
      when: 'before',
      do: { status: 200, body: { verification_status: 'FAILURE' } },
    })
    const [{ headers, body }] = delivered as [Delivered]
    expect(await paypal.verifyEvent(headers, body)).toEqual({ wrong: 'certificate of an unknown authority' })
  })

  test('wait for later when the certificate cannot be had, and name one that is not there as wrong, asked for once', async () => {
    const { kit, simulator, paypal, headers, body, calls } = await anEvent()
    const { pathname: path } = new URL(headers['paypal-cert-url'] ?? '')
    kit.rules.add({ provider: 'paypal', match: { path }, when: 'before', do: { status: 503 } })
    await expect(paypal.verifyEvent(headers, body)).rejects.toThrow(ProviderUnavailable)
    await expect(paypal.verifyEvent(headers, body, () => false)).rejects.toThrow(ProviderUnavailable)
    expect(await paypal.verifyEvent(headers, body)).toHaveProperty('event')
    const invented = { ...headers, 'paypal-cert-url': `${simulator.url}${CERTIFICATES}CERT-0` }
    const before = calls(CERTIFICATES).length
    for (let n = 0; n < 5; n += 1)
      expect(await paypal.verifyEvent(invented, body)).toMatchObject({ wrong: 'no certificate at its address' })
    expect(calls(CERTIFICATES)).toHaveLength(before + 1)
  })
})

test('the history shows payments, fees and refunds of more than a month', async () => {
  const { kit, paypal, pays } = await aWallet()
  const started = kit.clock.now()
  const { id, captureId } = await pays()
  await kit.clock.advance(40 * 24 * HOUR_MS)
  await paypal.refund(captureId ?? '', cents(891), 1, 'refund-1')
  await kit.clock.advance(4 * HOUR_MS)
  const lines = await Array.fromAsync(paypal.listTransactions(started))
  expect(lines).toMatchObject([
    {
      kind: 'payment',
      id: captureId,
      amount: 16891,
      fee: -638,
      paymentId: id,
      captureId,
      invoiceId: 'K7QM-4T2X',
      checkoutId: anOrder().checkoutId,
    },
    { kind: 'refund', amount: -891, fee: ZERO, captureId },
  ])
})

describe('trouble', () => {
  test('one token serves many calls at once, and a lost one is renewed without a word', async () => {
    const { simulator, paypal, orders, calls } = await aWallet()
    const id = await orders()
    await Promise.all([paypal.readOrder(id), paypal.readOrder(id), paypal.readOrder(id)])
    expect(calls('/v1/oauth2/token')).toHaveLength(1)
    await simulator.change({ change: 'expire_tokens' })
    expect(await paypal.readOrder(id)).toMatchObject({ id })
    expect(calls('/v1/oauth2/token')).toHaveLength(2)
  })

  test('a client token is for the browser and is good at once', async () => {
    const { simulator, paypal } = await aWallet()
    const token = await paypal.clientToken()
    expect((await fetch(`${simulator.url}/sandbox/client-token/${token}`)).status).toBe(200)
  })

  test('wrong keys make the wallet unavailable, and are tried anew', async () => {
    const { simulator, calls } = await aWallet()
    const paypal = createPaypal({ paypal: settingsFor(simulator.url, { clientSecret: new Secret('wrong') }) })
    await expect(paypal.clientToken()).rejects.toThrow(ProviderUnavailable)
    await expect(paypal.readOrder('X')).rejects.toThrow(ProviderUnavailable)
    await expect(paypal.readOrder('X')).rejects.toThrow(ProviderUnavailable)
    expect(calls('/v1/oauth2/token')).toHaveLength(3)
  })

  const answering = async (status: number, body: string): Promise<PaypalGateway> => {
    const url = await listening((request, answer) => {
      const isToken = request.url === '/v1/oauth2/token'
      answer.writeHead(isToken ? 200 : status, { 'content-type': 'application/json', connection: 'close' })
      answer.end(isToken ? '{"access_token":"t","expires_in":900}' : body)
    })
    return createPaypal({ paypal: settingsFor(url) })
  }

  test.each([
    [500, '{"name":"INTERNAL_SERVER_ERROR"}'],
    [429, '{"name":"RATE_LIMIT_REACHED"}'],
    [401, '{"error":"invalid_token"}'],
    [403, '{"name":"NOT_AUTHORIZED"}'],
    [422, '<html>A proxy</html>'],
    [200, '<html>A proxy</html>'],
    [200, '{"id":"A"}'],
    [
      200,
      '{"id":"A","status":"COMPLETED","purchase_units":[{"payments":{"captures":[{"id":"C","status":"COMPLETED","amount":{"currency_code":"USD","value":"many"}}]}}]}',
    ],
  ])('%i with %s is no answer', async (status, body) => {
    const paypal = await answering(status, body)
    await expect(paypal.readOrder('A')).rejects.toThrow(ProviderUnavailable)
  })

  test('fields that we do not know, and fields that are missing, do no harm', async () => {
    const paypal = await answering(
      200,
      '{"id":"A","status":"SAVED","news":{"x":1},"purchase_units":[{"custom_id":"of somebody else"}]}',
    )
    expect(await paypal.readOrder('A')).toMatchObject({
      status: 'open',
      checkoutId: null,
      quoteHash: null,
      currency: 'usd',
    })
  })

  test('a refusal without details has its name as code', async () => {
    const paypal = await answering(422, '{"name":"UNPROCESSABLE_ENTITY","message":"No."}')
    expect(await codeOf(paypal.readOrder('A'))).toBe('UNPROCESSABLE_ENTITY')
  })

  test('a provider that hangs is given up while the shopper still waits', async () => {
    const { kit, paypal, orders } = await aWallet()
    const id = await orders()
    kit.rules.add({ provider: 'paypal', match: { path: `/v2/checkout/orders/${id}` }, when: 'before', do: 'hang' })
    const started = performance.now()
    await expect(paypal.readOrder(id)).rejects.toThrow(ProviderUnavailable)
    expect(performance.now() - started).toBeLessThan(6000)
  })
})
