import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyForm, type CustomerForm } from './customer-form.ts'
import { clearSavedInfo, readSavedInfo, saveInfo } from './saved-info.ts'

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const BRAZILIAN: CustomerForm = {
  ...emptyForm,
  email: 'fan@example.com',
  name: 'Ana',
  shippingAddress: { ...emptyForm.shippingAddress, country: 'BR' },
  tax_number: '529.982.247-25',
}

test('a tax number is never saved on the device', () => {
  saveInfo(BRAZILIAN, { step: 'payment', remember: true })
  expect([...stored.values()].join()).not.toContain('529')
  expect(readSavedInfo()?.form).toEqual({ ...BRAZILIAN, tax_number: '' })
})

test('only the email is saved unless the shopper wants more, and nothing is left after clearing', () => {
  saveInfo(BRAZILIAN, { step: 'customer_info', remember: false })
  expect(readSavedInfo()).toMatchObject({ email: 'fan@example.com', form: undefined })
  clearSavedInfo()
  expect(readSavedInfo()).toBeUndefined()
})

test('a form saved before a field was added is filled in as far as it goes', () => {
  const { name: _, ...before } = BRAZILIAN
  stored.set('customerInfo', JSON.stringify({ version: 1, value: before }))
  expect(readSavedInfo()?.form).toEqual({ ...BRAZILIAN, name: '' })
})
