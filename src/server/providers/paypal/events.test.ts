import { describe, expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { createPaypal } from './paypal.ts'
import { settingsFor, aWallet, type Delivered } from '#sandbox/paypal/test-wallet.ts'

const CERTIFICATES = '/v1/notifications/certs/'
const QUESTION = '/v1/notifications/verify-webhook-signature'

describe('PayPal events', () => {
  test('are verified with PayPal’s certificate, fetched once, without calling PayPal, and name order and capture', async () => {
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

  /** An event whose certificate is cached already. */
  async function anEvent() {
    const wallet = await aWallet()
    await wallet.pays()
    await wallet.kit.idle()
    const [{ headers, body }] = wallet.delivered as [Delivered]
    return { ...wallet, headers, body }
  }

  test('are verified after a day with the same certificate, read again without being counted as an unknown one', async () => {
    const { kit, paypal, headers, body, calls } = await anEvent()
    const known = await paypal.verifyEvent(headers, body)
    await kit.clock.advance(DAY_MS + HOUR_MS)
    const again = () => paypal.verifyEvent(headers, body, () => false)
    expect([await again(), await again()]).toEqual([known, known])
    expect(calls(CERTIFICATES)).toHaveLength(2)
  })

  test('with a changed byte or smuggled content are rejected (S51)', async () => {
    const { paypal, headers, body, calls } = await anEvent()
    for (const changed of [
      body.replace('APPROVED', 'APPROVEd'),
      JSON.stringify(JSON.parse(body)),
      `${body},"webhook_id":"X"`,
      'not JSON',
      '',
    ])
      expect(await paypal.verifyEvent(headers, changed), changed.slice(0, 40)).toEqual({
        wrong: 'wrong signature',
      })
    expect(calls(QUESTION)).toEqual([])
  })

  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z')
  test.each([
    ['paypal-transmission-sig', undefined, 'missing or malformed headers'],
    ['paypal-transmission-sig', 'not base64!', 'missing or malformed headers'],
    ['paypal-transmission-id', 'a|b', 'missing or malformed headers'],
    ['paypal-auth-algo', 'none', 'missing or malformed headers'],
    ['paypal-auth-algo', 'SHA1withRSA', 'missing or malformed headers'],
    ['paypal-transmission-time', 'tomorrow', 'missing or malformed headers'],
    ['paypal-transmission-time', inMinutes(6), 'implausible date'],
    ['paypal-transmission-time', inMinutes(-5 * 24 * 60), 'implausible date'],
    ['paypal-cert-url', 'https://paypal.com.evil.example/v1/notifications/certs/CERT-1', 'certificate on another host'],
    ['paypal-cert-url', 'https://api.paypal.com/v1/notifications/certs/CERT-1', 'certificate on another host'],
    ['paypal-cert-url', 'file:///etc/passwd', 'certificate on another host'],
    ['paypal-cert-url', 'HERE/v1/notifications/certs/../../oauth2/token', 'certificate on another host'],
    ['paypal-cert-url', 'HERE/v1/notifications/certs/CERT-1?next=1', 'certificate on another host'],
    ['paypal-cert-url', 'http://evil@HOST/v1/notifications/certs/CERT-1', 'certificate on another host'],
  ])('with %s: %s are rejected by their headers, and nothing is fetched (S51)', async (name, value, wrong) => {
    const { simulator, paypal, headers, body, calls } = await anEvent()
    const { host } = new URL(simulator.url)
    const said = value?.replace('HERE', simulator.url).replace('HOST', host)
    expect(paypal.wrongInHeaders({ ...headers, [name]: said })).toBe(wrong)
    expect(await paypal.verifyEvent({ ...headers, [name]: said }, body)).toEqual({ wrong })
    expect(calls(CERTIFICATES)).toEqual([])
  })

  test('of live PayPal are accepted only with certificates from its own two hosts', () => {
    const at = (apiBase: string, certificate: string) =>
      createPaypal({ paypal: settingsFor(apiBase), clock: { now: () => new Date() } }).wrongInHeaders({
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
      expect(at(live, `https://${host}/v1/notifications/certs/CERT-1`), host).toBe('certificate on another host')
    expect(at(live, 'http://api.paypal.com/v1/notifications/certs/CERT-1')).toBe('certificate on another host')
    const testing = 'https://api-m.sandbox.paypal.com'
    expect(at(testing, 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1')).toBeUndefined()
    expect(at(testing, 'https://api.paypal.com/v1/notifications/certs/CERT-1')).toBe('certificate on another host')
  })

  test.each(['bad', 'other-secret', 'none'] as const)('signed as %s are rejected (S51)', async (sign) => {
    const { kit, paypal, pays, delivered } = await aWallet()
    await kit.webhooks.set({ provider: 'paypal', sign })
    await pays()
    await kit.idle()
    const [{ headers, body }] = delivered as [Delivered]
    expect(await paypal.verifyEvent(headers, body)).toHaveProperty('wrong')
  })

  test.each([
    ['expired', 'certificate expired or not yet valid'],
    ['misnamed', 'certificate with another subject'],
  ])('signed with a certificate that is %s are rejected even if PayPal confirms them', async (as, wrong) => {
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
      expect(await paypal.verifyEvent(headers, `${body} `)).toEqual({ wrong: 'wrong signature' })
      expect(calls(QUESTION)).toEqual([])
      expect(await paypal.verifyEvent(headers, body)).toHaveProperty('event')
      expect(await paypal.verifyEvent(second.headers, second.body)).toHaveProperty('event')
      expect(calls(QUESTION)).toHaveLength(1)
    },
  )

  test('with an untrusted certificate chain are rejected unless PayPal confirms them', async () => {
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

  test('are retried when the certificate cannot be fetched, and rejected after one fetch when it does not exist', async () => {
    const { kit, simulator, paypal, headers, body, calls } = await anEvent()
    const { pathname: path } = new URL(headers['paypal-cert-url'] ?? '')
    kit.rules.add({ provider: 'paypal', match: { path }, when: 'before', do: { status: 503 } })
    await expect(paypal.verifyEvent(headers, body)).rejects.toThrow(ProviderUnavailable)
    await expect(paypal.verifyEvent(headers, body, () => false)).rejects.toThrow(ProviderUnavailable)
    expect(await paypal.verifyEvent(headers, body)).toHaveProperty('event')
    const invented = { ...headers, 'paypal-cert-url': `${simulator.url}${CERTIFICATES}CERT-0` }
    const before = calls(CERTIFICATES).length
    for (let n = 0; n < 5; n += 1)
      expect(await paypal.verifyEvent(invented, body)).toMatchObject({ wrong: 'no certificate at its URL' })
    expect(calls(CERTIFICATES)).toHaveLength(before + 1)
  })
})
