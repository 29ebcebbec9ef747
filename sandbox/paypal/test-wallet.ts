import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { CheckoutId, VariantId } from '#shared/ids.ts'
import type { Address } from '#domain/checkout/address.ts'
import { cents } from '#shared/money.ts'
import { Secret } from '#server/config/secret.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { openKit } from '../kit/kit.ts'
import { startPaypal } from './paypal.ts'
import type { Config } from '#server/config/config.ts'
import type { WalletOrderRequest } from '#server/providers/paypal/orders.ts'
import { createPaypal } from '#server/providers/paypal/paypal.ts'

// For tests of the shop’s PayPal client. What a call opens is closed when its test ends.

export const HOUR_MS = 3_600_000
const WEBHOOK_ID = '4JH86294D6297924G'

export const settingsFor = (apiBase: string, more: Partial<Config['paypal']> = {}): Config['paypal'] => ({
  clientId: 'client',
  clientSecret: new Secret('secret'),
  webhookId: WEBHOOK_ID,
  live: false,
  apiBase,
  scriptUrl: `${apiBase}/paypal.js`,
  certificateAuthority: undefined,
  ...more,
})

export async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export type Delivered = { headers: Record<string, string>; body: string }

/** The PayPal simulator, the shop's client, a payer, and the events that the shop received. */
export async function aWallet() {
  const kit = openKit({ speed: 0, log: () => {} })
  const simulator = await startPaypal(kit, {
    port: 0,
    clientId: 'client',
    clientSecret: 'secret',
    webhookId: WEBHOOK_ID,
  })
  onTestFinished(() => kit.close())
  onTestFinished(() => simulator.close())
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

export const sydney = {
  ...{ line1: '1 Elm St', line2: null, city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'AU' },
} satisfies Address

export const anOrder = (more: Partial<WalletOrderRequest> = {}): WalletOrderRequest => ({
  checkoutId: '0192f3c4-0000-7000-8000-000000000001' as CheckoutId,
  quoteHash: 'aa11bb22cc33dd44aa11bb22cc33dd44',
  invoice: 'K7QM-4T2X',
  shopName: 'Pawtelier',
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
  delivery: { customer: { name: 'Ada Byron' }, address: sydney },
  returnUrl: 'https://shop.example/checkout',
  cancelUrl: 'https://shop.example/checkout',
  ...more,
})

export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof ProviderRefusal ? error.code : error),
  )
