import {
  CheckoutPaymentIntent,
  Client,
  Environment,
  OrdersController,
  PatchOp,
  PaymentsController,
  TransactionSearchController,
  type ApiResponse,
  type OrderRequest,
} from '@paypal/paypal-server-sdk'
import { expect, test } from 'vitest'
import { openKit } from '#sandbox/kit/kit.ts'
import { startPaypal } from '#sandbox/paypal/paypal.ts'
import { isFields, type Json } from './json.ts'

/**
 * The official PayPal SDK as a judge: it validates every answer, and keeps no field that it does not know. The shop does not use it, since
 * it throws for a wrong type after the money has moved.
 */

/** The package has two addresses and no setting for another one. */
class PointedClient extends Client {
  readonly base: string

  constructor(base: string, keys: { oAuthClientId: string; oAuthClientSecret: string }) {
    super({ environment: Environment.Sandbox, timeout: 20_000, clientCredentialsAuthCredentials: keys })
    this.base = base
  }

  override getRequestBuilderFactory(): ReturnType<Client['getRequestBuilderFactory']> {
    const original = super.getRequestBuilderFactory()
    return (method, path) => {
      const builder = original(method, path)
      builder.interceptRequest((request) => {
        const { pathname, search } = new URL(request.url)
        return { ...request, url: `${this.base}${pathname}${search}` }
      })
      return builder
    }
  }
}

/** Fields of the answer that the package does not know. */
function dropped({ body, result }: ApiResponse<unknown>): string[] {
  const namesIn = (json: Json): string[] =>
    Array.isArray(json)
      ? json.flatMap(namesIn)
      : isFields(json)
        ? Object.entries(json).flatMap(([name, value]) => [name, ...namesIn(value)])
        : []
  const plain = (name: string) => name.replaceAll('_', '').toLowerCase()
  // The package counts in big integers.
  const kept =
    JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)) ?? '{}'
  const known = new Set(namesIn(JSON.parse(kept) as Json).map(plain))
  return namesIn(JSON.parse(typeof body === 'string' && body ? body : '{}') as Json).filter(
    (name) => !known.has(plain(name)),
  )
}

const usd = (value: string) => ({ currencyCode: 'USD', value })

const order: OrderRequest = {
  intent: CheckoutPaymentIntent.Capture,
  purchaseUnits: [
    {
      invoiceId: 'SDK-1',
      customId: 'sdk',
      amount: { ...usd('19.99'), breakdown: { itemTotal: usd('18.47'), taxTotal: usd('1.52') } },
      items: [{ name: 'Hat', quantity: '1', unitAmount: usd('18.47') }],
    },
  ],
}

test('PayPal’s own SDK accepts every answer of the simulator, and knows every field of it', async () => {
  const kit = openKit({ speed: 0, log: () => {} })
  const paypal = await startPaypal(kit, { port: 0, clientId: 'client', clientSecret: 'secret', webhookId: 'WEBHOOK1' })
  const client = new PointedClient(paypal.url, { oAuthClientId: 'client', oAuthClientSecret: 'secret' })
  const [orders, payments] = [new OrdersController(client), new PaymentsController(client)]
  const whole = { prefer: 'return=representation' }
  const since = kit.clock.now()

  const created = await orders.createOrder({ body: order, ...whole, paypalRequestId: 'sdk-1' })
  const id = created.result.id ?? ''
  const patched = await orders.patchOrder({
    id,
    body: [{ op: PatchOp.Replace, path: "/purchase_units/@reference_id=='default'/invoice_id", value: 'SDK-2' }],
  })
  const early = await orders.captureOrder({ id }).catch((error: { statusCode: number }) => error)
  await fetch(`${paypal.url}/sandbox/approve/${id}?as=approve`, { method: 'POST' })
  const captured = await orders.captureOrder({ id, ...whole })
  const captureId = captured.result.purchaseUnits?.[0]?.payments?.captures?.[0]?.id ?? ''
  const refunded = await payments.refundCapturedPayment({ captureId, ...whole, body: { amount: usd('6.67') } })
  const answers = [
    created,
    patched,
    captured,
    refunded,
    await orders.getOrder({ id }),
    await payments.getCapturedPayment({ captureId }),
    await payments.getRefund({ refundId: refunded.result.id ?? '' }),
  ]
  await kit.clock.advance(4 * 3_600_000)
  answers.push(
    await new TransactionSearchController(client).searchTransactions({
      startDate: new Date(since.getTime() - 1000).toISOString(),
      endDate: kit.clock.now().toISOString(),
      fields: 'all',
    }),
  )
  await paypal.close()
  await kit.close()

  expect(early).toMatchObject({ statusCode: 422 })
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 204, 201, 201, 200, 200, 200, 200])
  expect(answers.flatMap(dropped)).toEqual([])
  expect(dropped({ ...created, body: '{"id": "1", "links": [{"prize": 1}]}' })).toEqual(['prize'])
  expect(refunded.result.sellerPayableBreakdown?.totalRefundedAmount).toEqual(usd('6.67'))
})
