import type { Json } from '../json.ts'
import { rowsIn, textIn, valueIn, type CallOptions, type Walk } from './walk.ts'

/** Amounts whose fee has a fraction below, at and above half a cent, and the least that Stripe charges; cents. */
const AMOUNTS = [500, 1017, 1999, 50]
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Form fields as Stripe wants them: `{a: {b: 1}}` is `a[b]=1`. */
const formOf = (values: Json, name = ''): Record<string, string> =>
  typeof values === 'object' && values !== null
    ? Object.assign(
        {},
        ...Object.entries(values).map(([key, value]) => formOf(value, name === '' ? key : `${name}[${key}]`)),
      )
    : { [name]: String(values) }

const refusal = (status: number, code: string): CallOptions => ({ status, code })

/** Every call that the shop makes to Stripe, each outcome once. @param tag makes references unique */
export async function walkStripe(walk: Walk, tag: string): Promise<void> {
  const { call, until, hand } = walk
  const post = (step: string, path: string, form: Json = {}, options: CallOptions = {}) =>
    call(step, `POST ${path}` as `POST /${string}`, { form: formOf(form), ...options })
  const get = (step: string, path: string, options?: CallOptions) =>
    call(step, `GET ${path}` as `GET /${string}`, options)
  const open = async (step: string, amount: number) =>
    textIn(
      await post(step, '/v1/payment_intents', {
        amount,
        currency: 'usd',
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { rehearsal: tag },
      }),
      'id',
    )
  const intent = (id: string) => `/v1/payment_intents/${id}`
  const pay = async (amount: number, card = 'pm_card_visa') => {
    const id = await open(`open ${amount} ${card}`, amount)
    await post(`pay ${amount} ${card}`, `${intent(id)}/confirm`, { payment_method: card })
    const read = await until(
      (one) => textIn(one, 'latest_charge', 'balance_transaction', 'id') !== '',
      () => get(`read ${amount} ${card}`, `${intent(id)}?expand[]=latest_charge.balance_transaction`),
    )
    return { id, charge: textIn(read, 'latest_charge', 'id') }
  }

  await get('account', '/v1/account')
  await get('a wrong key', '/v1/account', {
    ...refusal(401, 'invalid_request_error'),
    headers: { authorization: 'Bearer sk_test_wrong' },
  })
  const paid = []
  for (const amount of AMOUNTS) paid.push(await pay(amount))
  const [first, , third, least] = paid
  if (!first || !third || !least) return

  // Money is taken once.
  await post(
    'pay again',
    `${intent(first.id)}/confirm`,
    { payment_method: 'pm_card_visa' },
    refusal(400, 'payment_intent_unexpected_state'),
  )
  await post('change what was paid', intent(first.id), { amount: 600 }, refusal(400, 'payment_intent_unexpected_state'))
  await post('cancel what was paid', `${intent(first.id)}/cancel`, {}, refusal(400, 'payment_intent_unexpected_state'))
  await post(
    'charge too little',
    '/v1/payment_intents',
    { amount: 49, currency: 'usd' },
    refusal(400, 'amount_too_small'),
  )
  await post('charge no amount', '/v1/payment_intents', { currency: 'usd' }, refusal(400, 'parameter_missing'))
  await post(
    'a misspelled name',
    '/v1/payment_intents',
    { amount: 500, currency: 'usd', amout: 1 },
    refusal(400, 'parameter_unknown'),
  )
  await get('an unknown payment', intent('pi_unknown'), refusal(404, 'resource_missing'))

  const declined = await open('open declined', 2000)
  await post(
    'decline',
    `${intent(declined)}/confirm`,
    { payment_method: 'pm_card_visa_chargeDeclined' },
    refusal(402, 'card_declined'),
  )
  await get('read declined', `${intent(declined)}?expand[]=latest_charge`)
  await post('change the amount', intent(declined), { amount: 2100 })
  await post('cancel', `${intent(declined)}/cancel`, { cancellation_reason: 'abandoned' })
  await post(
    'pay what was canceled',
    `${intent(declined)}/confirm`,
    { payment_method: 'pm_card_visa' },
    refusal(400, 'payment_intent_unexpected_state'),
  )

  const key = { headers: { 'idempotency-key': `${tag}-key` } }
  const wanted = { amount: 1500, currency: 'usd' }
  await post('with a key', '/v1/payment_intents', wanted, key)
  await post('again with the key', '/v1/payment_intents', wanted, key)
  await post(
    'something else with the key',
    '/v1/payment_intents',
    { ...wanted, amount: 1600 },
    { ...key, ...refusal(400, 'idempotency_error') },
  )

  // Refunds: in parts, never above the rest.
  const refund = (step: string, payment: string, amount?: number, options?: CallOptions) =>
    post(step, '/v1/refunds', { payment_intent: payment, ...(amount !== undefined && { amount }) }, options)
  const part = textIn(await refund('refund a part', third.id, 333), 'id')
  await refund('refund too much', third.id, 1667, refusal(400, 'amount'))
  await get('a charge refunded in part', `/v1/charges/${third.charge}`)
  await refund('refund the rest', third.id)
  await refund('refund nothing', third.id, undefined, refusal(400, 'charge_already_refunded'))
  await get('a charge refunded in parts', `/v1/charges/${third.charge}?expand[]=refunds.data.balance_transaction`)
  await get('read a refund', `/v1/refunds/${part}`)
  await get('an unknown refund', '/v1/refunds/re_unknown', refusal(404, 'resource_missing'))
  if (hand) {
    const slow = await pay(2000, 'pm_card_pendingRefund')
    await refund('refund slowly', slow.id, 700)
    const failing = await pay(2000, 'pm_card_refundFail')
    await refund('refund and keep', failing.id, 500)
    await hand.advance(MINUTE_MS)
    await refund('refund and fail', failing.id, 900)
    await hand.advance(MINUTE_MS)
    await get('a charge whose refunds failed', `/v1/charges/${failing.charge}`)
  }

  // Pages that end exactly with a list.
  const pages = async (step: string, list: string, limit: number) => {
    let cursor = ''
    for (let page = 1; page <= 20; page += 1) {
      const answer = await get(
        `${step}, page ${page}`,
        `${list}&limit=${limit}${cursor && `&starting_after=${cursor}`}`,
      )
      cursor = textIn(rowsIn(answer, 'data').at(-1), 'id')
      if (valueIn(answer, 'has_more') !== true || cursor === '') return
    }
  }
  await pages('refunds of a payment one by one', `/v1/refunds?payment_intent=${third.id}`, 1)
  await pages('refunds of a payment on a full page', `/v1/refunds?payment_intent=${third.id}`, 2)

  // Disputes.
  const dispute = async (name: string) => {
    const { id, charge } = await pay(2300 + name.length, 'pm_card_createDispute')
    await walk.pass(MINUTE_MS)
    const list = await until(
      (answer) => rowsIn(answer, 'data').length > 0,
      () => get(`disputes of what is ${name}`, `/v1/disputes?payment_intent=${id}`),
    )
    return { id, charge, dispute: textIn(list, 'data', 0, 'id') }
  }
  const lost = await dispute('lost')
  await refund('refund what is disputed', lost.id, undefined, refusal(400, 'charge_disputed'))
  await post('accept a dispute', `/v1/disputes/${lost.dispute}/close`)
  await get('read a lost dispute', `/v1/disputes/${lost.dispute}`)
  if (hand) {
    const won = await dispute('won')
    await hand.change({ change: 'win_dispute', dispute: won.dispute })
    await get('read a won dispute', `/v1/disputes/${won.dispute}`)
  }

  await walkTax(walk, tag)

  const hook = textIn(
    await post('add a webhook', '/v1/webhook_endpoints', {
      url: `https://example.com/${tag}`,
      enabled_events: ['payment_intent.succeeded'],
    }),
    'id',
  )
  await get('read a webhook', `/v1/webhook_endpoints/${hook}`)
  await get('webhooks', '/v1/webhook_endpoints?limit=100')
  await call('remove a webhook', `DELETE /v1/webhook_endpoints/${hook}`)
  await get('events', '/v1/events?limit=10&type=payment_intent.succeeded')
  await get('payouts', '/v1/payouts?limit=10')
  await get('wallet domains', '/v1/payment_method_domains?limit=10')
  await get('tax settings', '/v1/tax/settings')
  if (!hand) return

  // The books, whole: every list, page by page, after a payout.
  await hand.advance(3 * DAY_MS)
  const payout = (await hand.change({ change: 'payout' })) as Json
  await get('a payout', `/v1/payouts/${textIn(payout, 'id')}`)
  for (const list of ['payment_intents', 'charges', 'refunds', 'disputes', 'payouts', 'balance_transactions', 'events'])
    await pages(`books, ${list}`, `/v1/${list}?created[gte]=1`, list === 'events' ? 100 : 4)
  await get('books, balance', '/v1/balance')
}

/** Tax of lines and shipping that leave fractions of a cent, in places with one and with several taxes. */
async function walkTax({ call }: Walk, tag: string): Promise<void> {
  const post = (step: string, path: string, form: Json, options: CallOptions = {}) =>
    call(step, `POST /v1/tax/${path}`, { form: formOf(form), ...options })
  const calculate = (place: string, address: Json, options?: CallOptions) =>
    post(
      `tax in ${place}`,
      'calculations',
      {
        currency: 'usd',
        line_items: [1999, 1050, 333].map((amount) => ({ amount, reference: `a${amount}`, tax_behavior: 'exclusive' })),
        shipping_cost: { amount: 499, tax_behavior: 'exclusive' },
        customer_details: { address, address_source: 'shipping' },
        expand: ['line_items.data.tax_breakdown'],
      },
      options,
    )
  await calculate('California', { country: 'US', state: 'CA', postal_code: '94103', city: 'San Francisco' })
  await calculate('Quebec', { country: 'CA', state: 'QC', postal_code: 'H2X 1Y4', city: 'Montreal' })
  await calculate('Portugal', { country: 'PT', postal_code: '1000-001', city: 'Lisbon' })
  await calculate(
    'nowhere',
    { country: 'US', state: 'CA', postal_code: '00000' },
    refusal(400, 'customer_tax_location_invalid'),
  )
  const berlin = await calculate('Berlin', {
    country: 'DE',
    postal_code: '10115',
    city: 'Berlin',
    line1: 'Invalidenstr. 1',
  })
  const calculation = textIn(berlin, 'id')
  await call('lines of a calculation', `GET /v1/tax/calculations/${calculation}/line_items`)
  const sale = { calculation, reference: `${tag}-sale`, expand: ['line_items'] }
  const sold = textIn(await post('record a sale', 'transactions/create_from_calculation', sale), 'id')
  await post('record a sale twice', 'transactions/create_from_calculation', sale, refusal(400, 'reference'))
  await call('a sale', `GET /v1/tax/transactions/${sold}?expand[]=line_items`)
  const reverse = (step: string, how: Fields, options?: CallOptions) =>
    post(
      step,
      'transactions/create_reversal',
      { original_transaction: sold, reference: `${tag}-${step.replaceAll(' ', '-')}`, expand: ['line_items'], ...how },
      options,
    )
  await reverse('reverse a part', { mode: 'partial', flat_amount: -1000 })
  await reverse('reverse another part', { mode: 'partial', flat_amount: -1 })
  await reverse('reverse too much', { mode: 'full' }, { status: 400 })
}

type Fields = { [name: string]: Json }
