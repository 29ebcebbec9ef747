import { expect, test } from 'vitest'
import { addressData } from '#domain/checkout/address-data.ts'
import { countries } from '#sandbox/printful/places.ts'
import { shapesFromPackages } from './address-data.ts'

test('the address data matches its source packages', () => {
  expect(addressData).toEqual(shapesFromPackages())
})

test('Printful ships to every state that the shop offers by code', () => {
  for (const { code, states } of countries)
    if (states) expect(states.map((state) => state.code)).toEqual(expect.arrayContaining(codesOf(code)))
})

const codesOf = (country: string): string[] => Object.keys(addressData[country]?.regions ?? {})
