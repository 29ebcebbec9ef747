import { describe, expect, test } from 'vitest'
import type { CartLine } from '#contract/cart.ts'
import type { CartLineId, ProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { createApi, type ApiResponse, type ApiRequest } from '#web/api/client.ts'
import { emptyForm } from './customer-form.ts'
import { startPayment, startWalletOrder, type PaymentInput } from './start-payment.ts'
import { fallbackSummary, summaryFrom } from './summary.ts'

const HAT: CartLine = {
  id: 1 as CartLineId,
  productId: 3 as ProductId,
  variantId: 4_900_003_001 as VariantId,
  productName: 'Vented Hat',
  variantName: 'Charcoal',
  imageUrl: null,
  price: cents(3495),
  previousPrice: null,
  quantity: 2,
  available: true,
  hasOtherVariants: false,
}
const seen = fallbackSummary([HAT], 'US')

const input: PaymentInput = { variant: 'main', form: emptyForm, phone: '', lines: [HAT], ageConfirmed: false }

/** A server with the same answer to every request. */
function answering(received: Partial<ApiResponse> | Error) {
  const sent: ApiRequest[] = []
  const api = createApi((request) => {
    sent.push(request)
    if (received instanceof Error) return Promise.reject(received)
    const { body } = received
    return Promise.resolve({ status: 200, statusText: '', text: JSON.stringify(body), body, ...received })
  })
  return { api, sent }
}

async function startedWith(received: Partial<ApiResponse> | Error, isWhole = false, more: Partial<PaymentInput> = {}) {
  const { api, sent } = answering(received)
  return { answer: await startPayment(api, { ...input, ...more }, seen, isWhole), body: sent[0]?.body }
}

async function orderedWith(received: Partial<ApiResponse> | Error) {
  const { api, sent } = answering(received)
  return { answer: await startWalletOrder(api, input, seen), body: sent[0]?.body }
}

const refusing = (status: number, code: string, more = {}) =>
  startedWith({ status, body: { code, message: 'A sentence.', ...more } })

describe('the request for a card payment', () => {
  test('carries lines, subtotal and shipping in cents', async () => {
    const { body } = await startedWith({ body: {} })
    expect(body).toMatchObject({
      cartItems: [
        {
          productId: 3,
          variantId: 4_900_003_001,
          productName: 'Vented Hat',
          variantName: 'Charcoal',
          quantity: 2,
          price: 3495,
        },
      ],
      subtotal: 6990,
      shippingCost: 599,
      termsAccepted: true,
    })
    expect(body).not.toHaveProperty('orderSummary')
  })

  test('carries tax and total too, once the server has quoted them', async () => {
    const { body } = await startedWith({ body: {} }, true)
    expect(body).toMatchObject({ orderSummary: { tax: 0, total: 7589 } })
  })

  test('carries the age confirmation only when there is one', async () => {
    expect((await startedWith({ body: {} })).body).not.toHaveProperty('ageConfirmed')
    expect((await startedWith({ body: {} }, false, { ageConfirmed: true })).body).toMatchObject({ ageConfirmed: true })
  })

  test('of the alternate checkout carries the amount, its own customer and the whole summary', async () => {
    const { body } = await startedWith({ body: {} }, false, { variant: 'alternate', phone: ' +1 555 0100 ' })
    expect(body).toMatchObject({
      amount: 7589,
      customerInfo: { email: '', name: '', phone: '+1 555 0100', address: { country: 'US' } },
      orderSummary: { subtotal: 6990, shipping: 599, tax: 0, total: 7589 },
      termsAccepted: true,
    })
    expect(body).not.toHaveProperty('customerInfo.shippingAddress')
  })
})

describe('the request for a wallet order', () => {
  test('carries amount, currency, intent, customer, lines and address', async () => {
    const { answer, body } = await orderedWith({ body: { id: '5O190127TN364715T' } })
    expect(answer).toEqual({ kind: 'ordered', id: '5O190127TN364715T' })
    expect(body).toMatchObject({
      amount: 7589,
      currency: 'USD',
      intent: 'CAPTURE',
      customerInfo: { shippingAddress: { country: 'US' } },
      cartItems: [{ productId: 3, quantity: 2 }],
      shippingAddress: { country: 'US' },
      termsAccepted: true,
    })
  })

  test('that is refused shows the reason', async () => {
    const refusal = { code: 'wallet_address', message: 'Address validation error: …' }
    const { answer } = await orderedWith({ status: 422, body: refusal })
    expect(answer).toMatchObject({ kind: 'refused', code: 'wallet_address', failure: { sentence: refusal.message } })
  })
})

describe('the answer to it', () => {
  test('with a new summary starts no payment and shows the summary', async () => {
    const { answer } = await refusing(409, 'summary_changed', { summary: seen })
    expect(answer).toEqual({ kind: 'changed', summary: seen, sentence: 'A sentence.' })
  })

  test('without a card payment still has the wallet’s amounts', async () => {
    const { answer } = await refusing(503, 'card_unavailable', { summary: seen })
    expect(answer).toEqual({
      ...{ kind: 'card_unavailable', summary: seen, sentence: 'A sentence.' },
      ...{ canRetry: true, isClosed: false },
    })
  })

  test('about a field of the alternate checkout marks that field', async () => {
    const { answer } = await refusing(422, 'address_refused', { fields: { 'customerInfo.address.city': 'Where?' } })
    expect(answer).toMatchObject({ fields: new Map([['shippingAddress.city', 'Where?']]) })
  })

  test.each([
    ['already_paid', 'already_paid'],
    ['payment_held', 'held'],
  ])('%s names the earlier payment', async (code, kind) => {
    const { answer } = await refusing(409, code, { payment: 'paypal:5O1' })
    expect(answer).toEqual({ kind, sentence: 'A sentence.', payment: 'paypal:5O1' })
  })

  test('with an invalid summary is shown as a refusal', async () => {
    const { answer } = await refusing(409, 'summary_changed', { summary: { total: 1 } })
    expect(answer).toMatchObject({ kind: 'refused', failure: { sentence: 'A sentence.' } })
  })

  test.each([
    [422, 'address_refused', { kind: 'refused', recovery: 'form', failure: { title: 'Error' } }],
    [409, 'sold_out', { kind: 'refused', recovery: 'cart' }],
    [422, 'age_unconfirmed', { kind: 'refused', recovery: 'age' }],
    [402, 'provider_refused', { kind: 'refused', failure: { title: 'Payment Setup Failed', sentence: 'A sentence.' } }],
    [503, 'provider_unavailable', { kind: 'failed', failure: { title: 'Payment Setup Failed' } }],
    [500, 'bug', { kind: 'failed', failure: { sentence: 'Please try again or contact support.' } }],
  ])('%i %s', async (status, code, expected) => expect((await refusing(status, code)).answer).toMatchObject(expected))

  test('from a proxy is shown with its status and text, in each checkout’s own sentence', async () => {
    const { answer } = await startedWith({ status: 500, text: 'text' })
    expect(answer).toEqual({ kind: 'failed', failure: { title: 'Error', sentence: '500: text' } })
    const { answer: other } = await startedWith({ status: 503, text: '' }, false, { variant: 'alternate' })
    expect(other).toMatchObject({
      failure: {
        title: 'Payment Setup Failed',
        sentence: 'Please try again or contact support. 503: Service Unavailable',
      },
    })
  })

  test('that never arrives shows that the request failed', async () => {
    const { answer } = await startedWith(new TypeError('Failed to fetch'))
    expect(answer).toEqual({
      kind: 'failed',
      failure: { title: 'Error', sentence: 'Failed to process your request. Please try again.' },
    })
  })
})

describe('the summary of the preview', () => {
  test('has the quote’s amounts, and what is left to pay', () => {
    const summary = summaryFrom(
      {
        cost: cents(3499),
        method: 'Free Worldwide Shipping',
        shipping_surcharges: [],
        surcharge_disclosures: [],
        minimum_age: 18,
        notices: ['Tall people only.'],
      },
      {
        success: true,
        tax_amount: cents(700),
        tax_breakdown: [],
        quote: {
          ...{
            currency: 'USD',
            goods: cents(7990),
            discount: cents(1000),
            shipping: cents(3499),
            surcharge: cents(3499),
          },
          ...{ tax: cents(700), taxLabel: 'Sales Tax', taxName: null, vatProtection: cents(2), total: cents(11_191) },
          ...{ arrival: { from: '2026-12-03', to: '2026-12-09' }, collectedAtDelivery: false },
          giftCard: { lastFour: '8T2N', amount: cents(1191) },
        },
        notices: ['Tax is estimated.'],
      },
    )
    expect(summary).toMatchObject({ subtotal: 6990, shipping: 3499, tax: 700, vatProtection: 2, total: 10_000 })
    expect(summary).toMatchObject({ minimumAge: 18, notices: ['Tall people only.', 'Tax is estimated.'] })
  })

  test('falls back to 5.99, no tax and standard shipping', () => {
    expect(fallbackSummary([HAT], 'DE')).toMatchObject({
      shipping: 599,
      tax: 0,
      total: 7589,
      shippingMethod: 'Standard shipping',
      taxLabel: 'Country Consumption Tax',
    })
  })
})
