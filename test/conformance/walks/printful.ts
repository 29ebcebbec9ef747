import type { Fields, Json } from '../json.ts'
import { rowsIn, textIn, valueIn, type CallOptions, type Hand, type Walk } from './walk.ts'

const refusal = (status: number, code: string): CallOptions => ({ status, code })

/** The tax of this place leaves fractions of a cent. */
const recipient = {
  name: 'Ada Byron',
  address1: '1 Elm Street',
  city: 'Los Angeles',
  state_code: 'CA',
  country_code: 'US',
  zip: '90001',
}

/**
 * Every call that the shop makes to Printful, each outcome once. A real store gets only drafts, which are deleted at the end: nothing is
 * confirmed, printed or charged there, and its webhook and products are only read.
 * @param tag begins external ids, which Printful never forgets
 */
export async function walkPrintful(walk: Walk, tag: string): Promise<void> {
  const { call, hand } = walk
  const post = (step: string, path: string, json: Json, options: CallOptions = {}) =>
    call(step, `POST ${path}` as `POST /${string}`, { json, ...options })
  const get = (step: string, path: string, options?: CallOptions) =>
    call(step, `GET ${path}` as `GET /${string}`, options)

  await get('a wrong token', '/stores', { ...refusal(401, 'BadRequest'), headers: { authorization: 'Bearer wrong' } })
  await get('stores', '/stores')
  await get('scopes', '/oauth/scopes')
  await get('countries', '/countries')
  await get('webhooks', '/webhooks')
  const products = await get('products', '/store/products?limit=5')
  const detail = await get('a product', `/store/products/${textIn(products, 'result', 0, 'id')}`)
  await get('an unknown product', '/store/products/1', refusal(404, 'NotFound'))
  const sold = rowsIn(detail, 'result', 'sync_variants').find((one) => one['availability_status'] === 'active')
  const variant = valueIn(sold ?? null, 'id') ?? null
  const blank = valueIn(sold ?? null, 'variant_id') ?? null
  await get('a variant', `/store/variants/${textIn(sold ?? null, 'id')}`)
  await get('a blank', `/products/${textIn(sold ?? null, 'product', 'product_id')}`)

  await post('tax', '/tax/rates', { recipient })
  await post('shipping', '/shipping/rates', { recipient, items: [{ variant_id: blank, quantity: 3 }] })
  await post(
    'shipping of what the store sells',
    '/shipping/rates',
    { recipient, items: [{ variant_id: variant, quantity: 3 }] },
    refusal(400, 'BadRequest'),
  )

  const orderOf = (name: string, more: Fields = {}): Json => ({
    external_id: `${tag}-${name}`,
    shipping: 'STANDARD',
    recipient,
    items: [
      { external_id: '1', sync_variant_id: variant, quantity: 3, retail_price: '32.95' },
      { external_id: '2', sync_variant_id: variant, quantity: 1, retail_price: '30.05' },
    ],
    retail_costs: { discount: '5.01', shipping: '4.99', tax: '2.10' },
    ...more,
  })
  const at = (name: string) => `/orders/@${tag}-${name}`
  await post('estimate', '/orders/estimate-costs', orderOf('estimate'))
  await post('draft', '/orders', orderOf('draft'))
  await post('draft once more', '/orders', orderOf('draft'), refusal(400, 'BadRequest'))
  await get('read a draft', at('draft'))
  await get('an unknown order', at('nobody'), refusal(404, 'NotFound'))
  await post('no items', '/orders', orderOf('empty', { items: [] }), refusal(400, 'BadRequest'))
  await post(
    'no address',
    '/orders',
    orderOf('nowhere', { recipient: { ...recipient, country_code: 'XX' } }),
    refusal(400, 'BadRequest'),
  )
  await call('change a draft', `PUT ${at('draft')}` as `PUT /${string}`, {
    json: orderOf('draft', { recipient: { ...recipient, name: 'Ada King' } }),
  })
  await post('another draft', '/orders', orderOf('other'))
  await get('parcels of a draft', `/v2${at('draft')}/shipments?limit=100`)

  if (hand) await walkParcels(walk, hand, tag, orderOf)

  // Pages that end exactly with a list.
  const listed = Number(textIn(await get('orders', '/orders?limit=1'), 'paging', 'total'))
  if (hand) {
    await get('orders on one full page', `/orders?limit=${listed}`)
    for (let offset = 0; offset < listed; offset += 2)
      await get(`orders by twos, from ${offset}`, `/orders?limit=2&offset=${offset}`)
    await get('orders behind the last', `/orders?limit=2&offset=${listed}`)
  }
  for (const name of ['draft', 'other']) await call(`delete ${name}`, `DELETE ${at(name)}` as `DELETE /${string}`)
  await get('read a deleted draft', at('draft'))
  await post('draft with the id of a deleted one', '/orders', orderOf('draft'), refusal(400, 'BadRequest'))
}

/** What costs money at a real printer: confirmed orders and their parcels. */
async function walkParcels({ call }: Walk, hand: Hand, tag: string, orderOf: (name: string) => Json): Promise<void> {
  const at = (name: string) => `/orders/@${tag}-${name}` as const
  const change = (change: string, name: string, more: Record<string, unknown> = {}) =>
    hand.change({ change, external_id: `${tag}-${name}`, ...more })
  const order = (step: string, name: string, query = '', options: CallOptions = {}) =>
    call(step, `POST /orders${query}`, { json: orderOf(name), ...options })
  const confirm = (step: string, name: string, options: CallOptions = {}) =>
    call(step, `POST ${at(name)}/confirm`, options)
  const cancel = (step: string, name: string, options: CallOptions = {}) => call(step, `DELETE ${at(name)}`, options)
  const read = async (step: string, name: string) => {
    await call(step, `GET ${at(name)}`)
    await call(`${step}, its parcels`, `GET /v2${at(name)}/shipments?limit=100`)
  }
  const tooLate = refusal(400, 'BadRequest')

  await order('order', 'sent')
  await confirm('confirm', 'sent')
  await confirm('confirm again', 'sent', tooLate)
  await read('confirmed', 'sent')
  await change('advance', 'sent')
  await read('in production', 'sent')
  await cancel('cancel in production', 'sent', tooLate)
  await change('ship', 'sent', { parcel: 1, of: 2 })
  await read('sent in part', 'sent')
  await cancel('cancel what is sent in part', 'sent', tooLate)
  await change('ship', 'sent', { parcel: 2, of: 2 })
  await read('sent', 'sent')
  await change('deliver', 'sent')
  await read('delivered', 'sent')
  await cancel('cancel what is delivered', 'sent', tooLate)
  await change('ship', 'sent', { again: true })
  await read('sent again', 'sent')
  for (const offset of [0, 1, 2])
    await call(`parcels one by one, from ${offset}`, `GET /v2${at('sent')}/shipments?limit=1&offset=${offset}`)
  await change('return', 'sent')
  await read('returned', 'sent')

  await order('order to hold', 'held', '?confirm=1')
  await change('hold', 'held')
  await read('held', 'held')
  await change('release', 'held')
  await change('fail', 'held')
  await read('failed', 'held')
  await confirm('confirm what failed', 'held')
  await cancel('cancel', 'held')
  await read('canceled', 'held')
  await order('order with a canceled id', 'held', '', tooLate)

  await order('order to credit', 'credited', '?confirm=1')
  await change('ship', 'credited')
  await change('credit', 'credited', { amount: '3.33' })
  await read('credited', 'credited')
}
