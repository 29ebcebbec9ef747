import { describe, expect, test } from 'vitest'
import { cents, ZERO } from '#shared/money.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { createPaypal } from './paypal.ts'
import { Secret } from '#server/config/secret.ts'
import type { PaypalGateway } from './paypal.ts'
import { HOUR_MS, settingsFor, listening, aWallet, anOrder, codeOf, sydney } from '#sandbox/paypal/test-wallet.ts'

describe('a wallet order:', () => {
  test('it contains lines, amounts and address to the cent, and the payer cannot change the address', async () => {
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

  test('what comes by email is a digital good, and PayPal asks for no address', async () => {
    const { paypal, calls } = await aWallet()
    const zero = { shipping: ZERO, surcharge: ZERO, tax: ZERO, vatProtection: ZERO }
    await paypal.createOrder({
      ...anOrder(),
      lines: [{ productName: 'Gift card', variantName: null, unitPrice: cents(5000), quantity: 1 }],
      amounts: { ...zero, subtotal: cents(5000), total: cents(5000) },
      delivery: null,
    })
    const request = calls('/v2/checkout/orders')[0]?.request as { purchase_units: object[]; payment_source: object }
    expect(request.purchase_units[0]).toMatchObject({
      amount: { value: '50.00', breakdown: { item_total: { value: '50.00' } } },
      items: [{ name: 'Gift card', category: 'DIGITAL_GOODS' }],
    })
    expect(request.purchase_units[0]).not.toHaveProperty('shipping')
    expect(request.payment_source).toMatchObject({
      paypal: { experience_context: { shipping_preference: 'NO_SHIPPING' } },
    })
  })

  test('the same checkout and quote get the same order, and another quote gets a new one', async () => {
    const { orders } = await aWallet()
    const first = await orders()
    expect(await orders()).toBe(first)
    expect(await orders({ quoteHash: 'ff11bb22cc33dd44aa11bb22cc33dd44' })).not.toBe(first)
  })

  test('an order whose amounts do not add up is never sent', async () => {
    const { paypal, calls } = await aWallet()
    await expect(paypal.createOrder(anOrder({ amounts: { ...anOrder().amounts, total: cents(1) } }))).rejects.toThrow(
      'do not add up',
    )
    expect(calls('/v2/checkout/orders')).toEqual([])
  })

  test('an order to an address that PayPal rejects is refused with PayPal’s issue', async () => {
    const { orders } = await aWallet()
    const customer = { name: 'Ada Byron' }
    expect(await codeOf(orders({ delivery: { customer, address: { ...sydney, postalCode: '00000' } } }))).toBe(
      'SHIPPING_ADDRESS_INVALID',
    )
    expect(await codeOf(orders({ delivery: { customer, address: { ...sydney, postalCode: null } }, attempt: 2 }))).toBe(
      'POSTAL_CODE_REQUIRED',
    )
  })

  test('an order number that was paid is refused; a new attempt gets its own invoice id', async () => {
    const { pays, orders } = await aWallet()
    await pays()
    const otherQuote = { quoteHash: 'ff11bb22cc33dd44aa11bb22cc33dd44' }
    expect(await codeOf(orders(otherQuote))).toBe('DUPLICATE_INVOICE_ID')
    await expect(orders({ ...otherQuote, attempt: 2 })).resolves.toMatch(/^[A-Z\d]{17}$/)
  })
})

describe('a wallet payment:', () => {
  test('it goes from open to approved to captured, and contains its checkout and quote', async () => {
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
      card: null,
      payer: { kind: 'wallet', id: expect.any(String), email: 'sandbox.shopper@paypal.example' },
      checkoutId: anOrder().checkoutId,
      quoteHash: anOrder().quoteHash,
      approved: false,
      captureId: expect.any(String),
    })
    expect(await paypal.readOrder(id)).toEqual(payment)
  })

  test('a second capture returns the first one', async () => {
    const { kit, paypal, pays } = await aWallet()
    const payment = await pays()
    // After six hours PayPal forgets the request id and returns ORDER_ALREADY_CAPTURED.
    await kit.clock.advance(7 * HOUR_MS)
    expect(await paypal.capture(payment.id)).toEqual(payment)
  })

  test('a capture under review is held although its order is COMPLETED, and is then released or denied', async () => {
    const { simulator, paypal, pays } = await aWallet()
    const held = await pays({}, 'hold')
    expect(held).toMatchObject({ status: 'held', amount: 0, captureId: expect.any(String) })
    await simulator.change({ change: 'release', order: held.id })
    expect(await paypal.readOrder(held.id)).toMatchObject({ status: 'captured', amount: 16891 })
    const denied = await pays({ invoice: 'AAAA-BBBB', attempt: 3 }, 'hold')
    await simulator.change({ change: 'deny', order: denied.id })
    expect(await paypal.readOrder(denied.id)).toMatchObject({ status: 'cancelled', amount: 0 })
  })

  test.each([
    ['decline', 'INSTRUMENT_DECLINED'],
    ['TRANSACTION_REFUSED', 'TRANSACTION_REFUSED'],
    ['SHIPPING_ADDRESS_INVALID', 'SHIPPING_ADDRESS_INVALID'],
  ])('a capture that ends as %s is refused with %s, and nothing is charged', async (as, code) => {
    const { paypal, orders, approves } = await aWallet()
    const id = await orders()
    await approves(id, as)
    expect(await codeOf(paypal.capture(id))).toBe(code)
    expect(await paypal.readOrder(id)).toMatchObject({ status: 'open', captureId: null })
  })

  test('a declined payment can be approved again and captured by a new attempt', async () => {
    const { paypal, orders, approves } = await aWallet()
    const id = await orders()
    await approves(id, 'decline')
    expect(await codeOf(paypal.capture(id))).toBe('INSTRUMENT_DECLINED')
    await approves(id)
    expect(await paypal.capture(id, 2)).toMatchObject({ status: 'captured', amount: 16891 })
  })

  test('an order that nobody approved is refused, and an unknown order has its own code', async () => {
    const { paypal, orders } = await aWallet()
    expect(await codeOf(paypal.capture(await orders()))).toBe('ORDER_NOT_APPROVED')
    expect(await codeOf(paypal.readOrder('UNKNOWN0000000000'))).toBe('RESOURCE_NOT_FOUND')
  })

  test('a payment is captured once even if the response was lost', async () => {
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

describe('a refund:', () => {
  test('it is made once per request id, partial refunds work, and nothing is refunded beyond the total', async () => {
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

test('the account history shows payments, fees and refunds of more than a month', async () => {
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

describe('when PayPal fails:', () => {
  test('concurrent calls share one token, and a revoked token is renewed', async () => {
    const { simulator, paypal, orders, calls } = await aWallet()
    const id = await orders()
    await Promise.all([paypal.readOrder(id), paypal.readOrder(id), paypal.readOrder(id)])
    expect(calls('/v1/oauth2/token')).toHaveLength(1)
    await simulator.change({ change: 'expire_tokens' })
    expect(await paypal.readOrder(id)).toMatchObject({ id })
    expect(calls('/v1/oauth2/token')).toHaveLength(2)
  })

  test('a client token works in the browser immediately', async () => {
    const { simulator, paypal } = await aWallet()
    const token = await paypal.clientToken()
    expect((await fetch(`${simulator.url}/sandbox/client-token/${token}`)).status).toBe(200)
  })

  test('wrong keys make the wallet unavailable, and are tried again', async () => {
    const { simulator, calls } = await aWallet()
    const paypal = createPaypal({
      paypal: settingsFor(simulator.url, { clientSecret: new Secret('wrong') }),
      clock: { now: () => new Date() },
    })
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
    return createPaypal({ paypal: settingsFor(url), clock: { now: () => new Date() } })
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
  ])('a response of %i with %s counts as unavailable', async (status, body) => {
    const paypal = await answering(status, body)
    await expect(paypal.readOrder('A')).rejects.toThrow(ProviderUnavailable)
  })

  test('unknown and missing fields do no harm', async () => {
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

  test('a refusal without details uses its name as code', async () => {
    const paypal = await answering(422, '{"name":"UNPROCESSABLE_ENTITY","message":"No."}')
    expect(await codeOf(paypal.readOrder('A'))).toBe('UNPROCESSABLE_ENTITY')
  })

  test('a call that hangs times out while the shopper still waits', async () => {
    const { kit, paypal, orders } = await aWallet()
    const id = await orders()
    kit.rules.add({ provider: 'paypal', match: { path: `/v2/checkout/orders/${id}` }, when: 'before', do: 'hang' })
    const started = performance.now()
    await expect(paypal.readOrder(id)).rejects.toThrow(ProviderUnavailable)
    expect(performance.now() - started).toBeLessThan(6000)
  })
})
