import type { Json } from '../json.ts'
import { rowsIn, textIn, type CallOptions, type Walk } from './walk.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const usd = (value: string) => ({ currency_code: 'USD', value })
const refusal = (status: number, code: string): CallOptions => ({ status, code })

/** Where it goes. */
export const ADA = {
  name: { full_name: 'Ada Byron' },
  address: {
    address_line_1: '1 Elm St',
    admin_area_2: 'Austin',
    admin_area_1: 'TX',
    postal_code: '78701',
    country_code: 'US',
  },
}

const orderOf = (invoice: string, { total, price, tax }: { total: string; price: string; tax: string }) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: 'default',
      custom_id: 'rehearsal',
      invoice_id: invoice,
      amount: {
        ...usd(total),
        breakdown: { item_total: usd(price), shipping: usd('0.00'), handling: usd('0.00'), tax_total: usd(tax) },
      },
      items: [{ name: 'Hat', quantity: '1', unit_amount: usd(price), category: 'PHYSICAL_GOODS' }],
      shipping: ADA,
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        shipping_preference: 'SET_PROVIDED_ADDRESS',
        user_action: 'PAY_NOW',
        return_url: 'https://shop.example/checkout',
        cancel_url: 'https://shop.example/checkout',
      },
    },
  },
})

/** Amounts whose fee has a fraction at half a cent, above and below it. */
const SALES = {
  half: { total: '50.00', price: '46.20', tax: '3.80' },
  above: { total: '19.99', price: '18.47', tax: '1.52' },
  below: { total: '42.98', price: '37.00', tax: '5.98' },
} as const

export type PaypalKeys = { clientId: string; clientSecret: string }

/**
 * Every call that the shop makes to PayPal, each outcome once.
 * @param open opens the walk once the token is known
 * @param approve what the payer does with an order; undefined: nobody pays
 */
export async function walkPaypal(
  walk: Walk,
  {
    tag,
    keys: { clientId, clientSecret },
    useToken,
    approve,
    since,
  }: {
    tag: string
    keys: PaypalKeys
    useToken: (token: string) => void
    approve: ((orderId: string, as: string) => Promise<void>) | undefined
    /** The provider's time when the walk begins. */
    since: Date
  },
): Promise<void> {
  const { call, hand } = walk
  let made = 0
  const requestId = () => `${tag}-${(made += 1)}`
  const post = (step: string, path: string, json: Json | undefined, options: CallOptions = {}) =>
    call(step, `POST ${path}` as `POST /${string}`, {
      ...(json === undefined ? { headers: { 'content-type': 'application/json' } } : { json }),
      ...options,
      headers: {
        'content-type': 'application/json',
        prefer: 'return=representation',
        'paypal-request-id': requestId(),
        ...options.headers,
      },
    })
  const get = (step: string, path: string, options?: CallOptions) =>
    call(step, `GET ${path}` as `GET /${string}`, options)
  const token = (step: string, secret: string, more: Record<string, string> = {}, options: CallOptions = {}) =>
    call(step, 'POST /v1/oauth2/token', {
      form: { grant_type: 'client_credentials', ...more },
      headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
      ...options,
    })

  await token('a wrong secret', 'wrong', {}, refusal(401, 'invalid_client'))
  useToken(textIn(await token('a token', clientSecret), 'access_token'))
  await token('a token for the browser', clientSecret, { response_type: 'client_token' })
  await get('a wrong token', '/v2/checkout/orders/1', {
    ...refusal(401, 'invalid_token'),
    headers: { authorization: 'Bearer wrong' },
  })

  const orders = '/v2/checkout/orders'
  const create = async (name: string, sale: (typeof SALES)[keyof typeof SALES]) =>
    `${orders}/${textIn(await post(`order ${name}`, orders, orderOf(`${tag}-${name}`, sale), { status: 201 }), 'id')}`
  const twice = { 'paypal-request-id': requestId() }
  await post('order with a request id', orders, orderOf(`${tag}-id`, SALES.below), { status: 201, headers: twice })
  await post('order again with the request id', orders, orderOf(`${tag}-id`, SALES.below), {
    status: 200,
    headers: twice,
  })
  await post('another order with the request id', orders, orderOf(`${tag}-id2`, SALES.half), {
    ...refusal(422, 'DUPLICATE_REQUEST_ID'),
    headers: twice,
  })
  await post(
    'order that does not add up',
    orders,
    orderOf(`${tag}-x`, { ...SALES.below, total: '1.00' }),
    refusal(422, 'AMOUNT_MISMATCH'),
  )
  await post(
    'order whose items do not add up',
    orders,
    orderOf(`${tag}-x`, { total: '42.98', price: '37.00', tax: '5.99' }),
    refusal(422, 'AMOUNT_MISMATCH'),
  )
  await post(
    'order with a fraction of a cent',
    orders,
    orderOf(`${tag}-x`, { total: '50.005', price: '46.205', tax: '3.80' }),
    refusal(422, 'DECIMAL_PRECISION'),
  )
  await post('order of nothing', orders, { intent: 'CAPTURE' }, refusal(400, 'MISSING_REQUIRED_PARAMETER'))
  // PayPal's yen have no decimals; this simulator has only dollars, and must not take them for dollars.
  if (hand) {
    const yen = JSON.parse(JSON.stringify(orderOf(`${tag}-yen`, SALES.half)).replaceAll('USD', 'JPY')) as Json
    await post('order in yen', orders, yen, refusal(422, 'INVALID_CURRENCY_CODE'))
  }
  await get('an unknown order', `${orders}/UNKNOWN`, refusal(404, 'INVALID_RESOURCE_ID'))

  const half = await create('half', SALES.half)
  await get('read an order', half)
  await post('capture too early', `${half}/capture`, undefined, refusal(422, 'ORDER_NOT_APPROVED'))
  await call('change the invoice', `PATCH ${half}` as `PATCH /${string}`, {
    json: [{ op: 'replace', path: "/purchase_units/@reference_id=='default'/invoice_id", value: `${tag}-half-2` }],
    status: 204,
  })
  await get('an unknown capture', '/v2/payments/captures/UNKNOWN', refusal(404, 'INVALID_RESOURCE_ID'))
  await get('an unknown refund', '/v2/payments/refunds/UNKNOWN', refusal(404, 'INVALID_RESOURCE_ID'))

  const captured = async (name: string, path: string, as = 'approve') => {
    await approve?.(path.slice(orders.length + 1), as)
    await get(`read ${name} approved`, path)
    await post(`capture ${name}`, `${path}/capture`, undefined, { status: 201 })
    const order = await get(`read ${name} captured`, path)
    return textIn(order, 'purchase_units', 0, 'payments', 'captures', 0, 'id')
  }
  const refunds = (capture: string) => `/v2/payments/captures/${capture}/refund`
  if (approve) {
    const capture = await captured('half', half)
    await post('capture again', `${half}/capture`, undefined, refusal(422, 'ORDER_ALREADY_CAPTURED'))
    await get('a capture', `/v2/payments/captures/${capture}`)
    const part = { amount: usd('16.67'), note_to_payer: 'Sorry', invoice_id: `${tag}-r1` }
    const refund = await post('refund a part', refunds(capture), part, { status: 201 })
    await get('a refund', `/v2/payments/refunds/${textIn(refund, 'id')}`)
    await get('a capture refunded in part', `/v2/payments/captures/${capture}`)
    await post('refund too much', refunds(capture), { amount: usd('33.34') }, refusal(422, 'REFUND_AMOUNT_EXCEEDED'))
    await post('refund another part', refunds(capture), { amount: usd('16.67') }, { status: 201 })
    await post('refund the rest', refunds(capture), undefined, { status: 201 })
    await post('refund nothing', refunds(capture), undefined, refusal(422, 'CAPTURE_FULLY_REFUNDED'))
    await get('a capture refunded in parts', `/v2/payments/captures/${capture}`)
    await get('an order refunded in parts', half)
    await post(
      'order of a paid invoice',
      orders,
      orderOf(`${tag}-half-2`, SALES.half),
      refusal(422, 'DUPLICATE_INVOICE_ID'),
    )

    // Declined by the header that PayPal's own sandbox knows too.
    const declined = await create('declined', SALES.above)
    await approve(declined.slice(orders.length + 1), 'approve')
    const mock = { 'paypal-mock-response': JSON.stringify({ mock_application_codes: 'INSTRUMENT_DECLINED' }) }
    await post('capture declined by header', `${declined}/capture`, undefined, {
      ...refusal(422, 'INSTRUMENT_DECLINED'),
      headers: mock,
    })
  }
  if (approve && hand) await walkTroubles(walk, { tag, create, captured, post, get, refunds, approve })

  const range = (size: number, page: number) =>
    new URLSearchParams({
      start_date: new Date(since.getTime() - HOUR_MS).toISOString(),
      end_date: new Date(since.getTime() + HOUR_MS).toISOString(),
      fields: 'all',
      page_size: String(size),
      page: String(page),
    })
  await hand?.advance(4 * HOUR_MS)
  const report = '/v1/reporting/transactions'
  const whole = await get('report', `${report}?${range(100, 1)}`)
  const rows = rowsIn(whole, 'transaction_details').length
  if (hand && rows > 0) {
    await get('report on one full page', `${report}?${range(rows, 1)}`)
    for (let page = 1; page <= Math.ceil(rows / 4); page += 1)
      await get(`report by fours, page ${page}`, `${report}?${range(4, page)}`)
  }
  const long = new URLSearchParams({
    start_date: new Date(since.getTime() - 40 * DAY_MS).toISOString(),
    end_date: since.toISOString(),
  })
  await get('report of too many days', `${report}?${long}`, { status: 400 })
  await get('disputes', '/v1/customer/disputes')
  await get('webhooks', '/v1/notifications/webhooks')
  const events = await get('events', '/v1/notifications/webhooks-events?page_size=10')
  await post('a forged event', '/v1/notifications/verify-webhook-signature', {
    auth_algo: 'SHA256withRSA',
    cert_url: 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-5a29e601',
    transmission_id: 'a1b2c3d4-0000-4000-8000-000000000000',
    transmission_sig: 'c2lnbmF0dXJl',
    transmission_time: since.toISOString(),
    webhook_id: '4JH86294D6297924G',
    webhook_event: rowsIn(events, 'events')[0] ?? { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED' },
  })
}

type Steps = {
  tag: string
  create: (name: string, sale: (typeof SALES)[keyof typeof SALES]) => Promise<string>
  captured: (name: string, path: string, as?: string) => Promise<string>
  post: (step: string, path: string, json: Json | undefined, options?: CallOptions) => Promise<Json>
  get: (step: string, path: string, options?: CallOptions) => Promise<Json>
  refunds: (capture: string) => string
  approve: (orderId: string, as: string) => Promise<void>
}

/** What real accounts make happen only by days of waiting: reviews, late refunds, disputes. */
async function walkTroubles({ hand }: Walk, { create, captured, post, get, refunds, approve }: Steps): Promise<void> {
  const declined = await create('declined by the bank', SALES.above)
  await approve(declined.split('/').at(-1) ?? '', 'decline')
  await post('capture declined by the bank', `${declined}/capture`, undefined, refusal(422, 'INSTRUMENT_DECLINED'))

  const held = await captured('held', await create('held', SALES.above), 'hold')
  await get('a held capture', `/v2/payments/captures/${held}`)
  await post('refund what is held', refunds(held), undefined, refusal(422, 'PENDING_CAPTURE'))
  await hand?.change({ change: 'release', capture: held })
  await get('a released capture', `/v2/payments/captures/${held}`)
  const denied = await captured('denied', await create('denied', SALES.below), 'hold')
  await hand?.change({ change: 'deny', capture: denied })
  await get('a denied capture', `/v2/payments/captures/${denied}`)

  // A refund that fails late, so that the whole can be refunded again.
  await hand?.change({ change: 'slow_refund' })
  const slow = await post('refund slowly', refunds(held), { amount: usd('5.01') }, { status: 201 })
  await get('a capture whose refund is slow', `/v2/payments/captures/${held}`)
  await hand?.change({ change: 'complete_refund', refund: textIn(slow, 'id') })
  await hand?.change({ change: 'fail_refund', refund: textIn(slow, 'id') })
  await get('a refund that failed', `/v2/payments/refunds/${textIn(slow, 'id')}`)
  await get('a capture whose refund failed', `/v2/payments/captures/${held}`)
  await post('refund all after a failed refund', refunds(held), { amount: usd('19.99') }, { status: 201 })
  await get('a capture refunded after a failed refund', `/v2/payments/captures/${held}`)

  for (const outcome of ['win', 'lose']) {
    const capture = await captured(`disputed to ${outcome}`, await create(`disputed to ${outcome}`, SALES.below))
    await post(`refund before a dispute to ${outcome}`, refunds(capture), { amount: usd('2.98') }, { status: 201 })
    const dispute = (await hand?.change({ change: 'dispute', capture, chargeback: true })) as Json
    await get(`a dispute to ${outcome}`, `/v1/customer/disputes/${textIn(dispute, 'dispute_id')}`)
    await post(
      `refund in a dispute to ${outcome}`,
      refunds(capture),
      { amount: usd('1.00') },
      refusal(422, 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'),
    )
    await hand?.change({ change: `${outcome}_dispute`, dispute: textIn(dispute, 'dispute_id') })
    await get(`a dispute after ${outcome}`, `/v1/customer/disputes/${textIn(dispute, 'dispute_id')}`)
  }
}
