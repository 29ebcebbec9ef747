import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderNumberFrom, paymentKey, readOrderNumber, readPaymentKey } from './ids.ts'

test('an order number reads back as it was made, however a person types it', () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
      const number = orderNumberFrom(bytes)
      expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
      for (const typed of [number, number.toLowerCase(), ` ${number.replace('-', ' ')} `, `PF${number}`])
        expect(readOrderNumber(typed)).toBe(number)
    }),
  ))

test.each(['', 'K7QM', 'K7QM-4T2X-9', 'K7QM-4T2U', '<script>'])('%j is no order number', (text) =>
  expect(readOrderNumber(text)).toBeUndefined(),
)

test('a payment key names its provider', () => {
  expect(readPaymentKey(paymentKey('stripe', 'pi_1'))).toEqual({ provider: 'stripe', id: 'pi_1' })
  expect(readPaymentKey('bank:1' as never)).toBeUndefined()
})
