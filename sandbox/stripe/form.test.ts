import { expect, test } from 'vitest'
import { decodeForm, parameterName } from './form.ts'

test.each([
  ['amount=500&currency=usd', { amount: '500', currency: 'usd' }],
  ['metadata[order]=o1', { metadata: { order: 'o1' } }],
  ['expand[0]=latest_charge&expand[1]=customer', { expand: ['latest_charge', 'customer'] }],
  ['expand[]=a&expand[]=b', { expand: ['a', 'b'] }],
  ['line_items[0][amount]=1&line_items[1][amount]=2', { line_items: [{ amount: '1' }, { amount: '2' }] }],
  ['metadata[0]=zero', { metadata: { 0: 'zero' } }],
  ['shipping=', { shipping: '' }],
  ['created%5Bgte%5D=1', { created: { gte: '1' } }],
  ['__proto__[x]=1', JSON.parse('{"__proto__": {"x": "1"}}') as object],
])('%s is read as it was meant', (text, expected) => {
  expect(decodeForm(text)).toEqual(expected)
  expect({}).not.toHaveProperty('x')
})

test('a parameter is named with brackets', () => {
  expect(parameterName(['line_items', 0, 'amount'])).toBe('line_items[0][amount]')
})
