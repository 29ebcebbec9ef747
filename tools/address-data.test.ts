import { expect, test } from 'vitest'
import { addressData } from '#domain/checkout/address-data.ts'
import { countries } from '#sandbox/printful/places.ts'
import { shapesFromPackages } from './address-data.ts'

test('the addresses’ data are what the packages say', () => {
  expect(addressData).toEqual(shapesFromPackages())
})

test('every state with a code is one that the print partner takes', () => {
  for (const { code, states } of countries)
    if (states) expect(states.map((state) => state.code)).toEqual(expect.arrayContaining(codesOf(code)))
})

const codesOf = (country: string): string[] => Object.keys(addressData[country]?.regions ?? {})
