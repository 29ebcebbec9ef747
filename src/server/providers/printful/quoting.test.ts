import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { Config } from '#server/config/config.ts'
import { Secret } from '#server/config/secret.ts'
import { createPrintful } from './client.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Asked = { path: string; body: { recipient: object; items: object[] } }

/** A printer that gives the same response to every call and records the calls. */
async function aPartner(result: unknown, status = 200) {
  const asked: Asked[] = []
  const server = createServer((request, answer) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      asked.push({ path: request.url ?? '', body: JSON.parse(text) as Asked['body'] })
      answer.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      answer.end(JSON.stringify({ code: status, result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { token: new Secret('secret'), storeId: undefined, webhookSecret: new Secret('w'), apiBase }
  const config = { printful: settings } as Config
  return {
    asked,
    printful: createPrintful({ log: pino({ level: 'silent' }), config, clock: { now: () => new Date() } }),
  }
}

const oslo = { line1: 'Karl Johans gate 1', line2: null, city: 'Oslo', state: null, postalCode: '0154', country: 'NO' }
const lines = [{ variantId: 4_900_000_001 as VariantId, quantity: 2, unitPrice: cents(2495) }]
const pieces = [{ catalogVariantId: 4012, quantity: 2 }]
const estimate = (costs: object) => aPartner({ costs, retail_costs: {} })
const rate = (more: object = {}) => ({
  id: 'STANDARD',
  name: 'Flat Rate (Estimated delivery: Nov 24 to 27)',
  rate: '4.99',
  currency: 'USD',
  ...more,
})

test('the tax estimate is requested with variants, prices and address, without a name', async () => {
  const { asked, printful } = await estimate({ currency: 'USD', tax: 0, vat: 4.2 })
  expect(await printful.estimateTaxes(lines, oslo)).toBe(420)
  expect(asked).toEqual([
    {
      path: '/orders/estimate-costs',
      body: {
        shipping: 'STANDARD',
        recipient: {
          address1: 'Karl Johans gate 1',
          address2: null,
          city: 'Oslo',
          state_name: null,
          country_code: 'NO',
          zip: '0154',
        },
        items: [{ sync_variant_id: 4_900_000_001, quantity: 2, retail_price: '24.95' }],
      },
    },
  ])
})

test.each([
  ['as text', { currency: 'USD', tax: '1.10', vat: '2.05' }, 315],
  ['without a currency', { tax: 1.1 }, 110],
  ['of nothing', { currency: 'USD', tax: 0, vat: 0 }, 0],
])('an estimate %s is read', async (_, costs, expected) => {
  const { printful } = await estimate(costs)
  expect(await printful.estimateTaxes(lines, oslo)).toBe(expected)
})

test.each([
  ['without taxes', { currency: 'USD' }],
  ['in another currency', { currency: 'EUR', tax: 1, vat: 1 }],
  ['below nothing', { currency: 'USD', tax: -5, vat: 5 }],
  ['beyond reason', { currency: 'USD', tax: 0, vat: 9_999_999_999 }],
  ['beyond all digits', { currency: 'USD', tax: 1e21, vat: 0 }],
  ['in words', { currency: 'USD', tax: 'free', vat: 0 }],
])('an estimate %s is rejected (P02)', async (_, costs) => {
  const { printful } = await estimate(costs)
  const unusable = { name: 'ProviderUnavailable', isOutage: false }
  await expect(printful.estimateTaxes(lines, oslo)).rejects.toMatchObject(unusable)
})

test('the rate of our shipping method is read, with its name but not its dates', async () => {
  const { asked, printful } = await aPartner([rate({ id: 'PRINTFUL_FAST', rate: '14.99' }), rate()])
  expect(await printful.shippingRate(pieces, oslo)).toEqual({ cost: 499, name: 'Flat Rate' })
  expect(asked[0]).toMatchObject({
    path: '/shipping/rates',
    body: { items: [{ variant_id: 4012, quantity: 2 }], currency: 'USD' },
  })
})

test.each([
  ['another way of sending', [rate({ id: 'PRINTFUL_FAST' })]],
  ['another currency', [rate({ currency: 'EUR' })]],
  ['no amount', [rate({ rate: null })]],
  ['less than nothing', [rate({ rate: '-4.99' })]],
  ['more than a million', [rate({ rate: '99999999999.00' })]],
  ['words', [rate({ rate: 'NaN' })]],
  ['nothing', []],
])('rates with %s are rejected (P02)', async (_, rates) => {
  const { printful } = await aPartner(rates)
  const unusable = { name: 'ProviderUnavailable', isOutage: false }
  await expect(printful.shippingRate(pieces, oslo)).rejects.toMatchObject(unusable)
})

test.each([
  ['Recipient: ZIP/Postal code is invalid', 'address_refused'],
  ['Invalid zip code specified', 'address_refused'],
  ['Recipient: State code is missing or invalid', 'address_refused'],
  ['Invalid parameter: recipient.country_code', 'address_refused'],
  ['Recipient: Name is missing', undefined],
  ['Recipient: Tax number (CPF/CNPJ) is required for Brazil', undefined],
  ['Item 0: Invalid variant specified', undefined],
])('the refusal ‘%s’ has code %s and is not requested twice', async (sentence, code) => {
  const { asked, printful } = await aPartner(sentence, 400)
  for (let n = 0; n < 2; n += 1)
    await expect(printful.shippingRate(pieces, oslo)).rejects.toMatchObject({ name: 'ProviderRefusal', code })
  expect(asked).toHaveLength(1)
})

test('an expired token is not an outage, so no fallback is used', async () => {
  const { printful } = await aPartner('The access token provided is invalid.', 401)
  await expect(printful.shippingRate(pieces, oslo)).rejects.toMatchObject({
    name: 'ProviderUnavailable',
    isOutage: false,
  })
})
