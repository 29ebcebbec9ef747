import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { openKit } from '#sandbox/kit/kit.ts'
import { startStripe } from '#sandbox/stripe/stripe.ts'
import { openStripeCheck } from './stripe-schema.ts'

export const SECRET_KEY = 'sk_test_conformance'
export const PUBLISHABLE_KEY = 'pk_test_conformance'
export const WEBHOOK_SECRET = 'whsec_conformance'

type ReceivedEvent = { body: string; signature: string; event: Stripe.Event }

/** The simulator, the official package pointed at it, and a listener for webhooks; all traffic is validated against the published types. */
export async function openStripeWorld(settings: Stripe.StripeConfig = {}) {
  const kit = openKit({ speed: 0, log: () => {} })
  const { check, mistakes } = openStripeCheck()
  const provider = await startStripe(kit, { port: 0, secretKey: SECRET_KEY, publishableKey: PUBLISHABLE_KEY, check })
  const received: ReceivedEvent[] = []
  const listener = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const signature = String(request.headers['stripe-signature'])
      received.push({ body, signature, event: JSON.parse(body) as Stripe.Event })
      response.end()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  kit.endpoints.set('stripe', { url: `http://127.0.0.1:${port}/webhooks/stripe`, secret: WEBHOOK_SECRET })

  /** A call by the script in the browser. */
  async function fromBrowser(method: 'GET' | 'POST', path: string, values: Record<string, string>) {
    const form = new URLSearchParams({ key: PUBLISHABLE_KEY, ...values })
    const response = await (method === 'GET'
      ? fetch(`${provider.url}${path}?${form}`)
      : fetch(`${provider.url}${path}`, { method: 'POST', body: form }))
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }

  return {
    kit,
    provider,
    received,
    fromBrowser,
    stripe: clientOf(provider.url, settings),
    /** A payment with a card typed into the form. */
    typesCard: (intent: Stripe.PaymentIntent, number: string) =>
      fromBrowser('POST', `/v1/payment_intents/${intent.id}/confirm`, {
        client_secret: intent.client_secret ?? '',
        use_stripe_sdk: 'true',
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': number,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2040',
        'payment_method_data[card][cvc]': number.startsWith('37') ? '1234' : '123',
      }),
    /** @throws Error when any traffic lacked the published shape */
    async [Symbol.asyncDispose]() {
      await provider.close()
      await kit.close()
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
      if (mistakes.length > 0) throw new Error(`Not as Stripe publishes it: ${mistakes.join(' ')}`)
    },
  }
}

export type StripeWorld = Awaited<ReturnType<typeof openStripeWorld>>

/** The official package, talking to the simulator as the shop's adapter does. */
export function clientOf(url: string, settings: Stripe.StripeConfig = {}): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(SECRET_KEY, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 30_000,
    ...settings,
  })
}

/** A payment of `amount` cents that waits for a card. */
export const openPayment = ({ stripe }: StripeWorld, amount = 2000): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({
    amount,
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { checkout_id: 'c1' },
  })
