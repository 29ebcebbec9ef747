import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyForm, type CustomerForm } from './customer-form.ts'
import { clearSavedInfo, readSavedInfo, saveInfo } from './saved-info.ts'

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
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

test('a tax number is never kept on the device', () => {
  saveInfo(BRAZILIAN, { step: 'payment', remember: true })
  expect([...kept.values()].join()).not.toContain('529')
  expect(readSavedInfo()?.form).toEqual({ ...BRAZILIAN, tax_number: '' })
})

test('only the email is kept unless the shopper asks for more, and nothing after clearing', () => {
  saveInfo(BRAZILIAN, { step: 'customer_info', remember: false })
  expect(readSavedInfo()).toMatchObject({ email: 'fan@example.com', form: undefined })
  clearSavedInfo()
  expect(readSavedInfo()).toBeUndefined()
})
