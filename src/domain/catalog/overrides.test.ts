import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { NO_OVERRIDE, applyOverride, type FileValues } from './overrides.ts'

const surcharge = { amount: cents(3499), regions: ['JP'], description: 'Heavy.', enabled: true }
const inFile: FileValues = {
  badge: 'BEST SELLER',
  description: 'A pillow.',
  visible: true,
  metadata: { shippingSurcharge: surcharge },
}

test('without an override, the catalog file applies', () => {
  expect(applyOverride(inFile)).toEqual({ ...inFile, place: null })
  expect(applyOverride(inFile, NO_OVERRIDE)).toEqual({ ...inFile, place: null })
})

test('the owner’s override replaces the file’s value; an empty badge removes it', () => {
  const off = { ...surcharge, enabled: false }
  expect(applyOverride(inFile, { ...NO_OVERRIDE, badge: '', place: 1, shippingSurcharge: off })).toEqual({
    ...inFile,
    badge: null,
    place: 1,
    metadata: { shippingSurcharge: off },
  })
  expect(applyOverride(inFile, { ...NO_OVERRIDE, visible: false }).visible).toBe(false)
})

test('a product removed from the file stays hidden, even if the owner overrides it', () => {
  expect(applyOverride({ ...inFile, visible: false }, { ...NO_OVERRIDE, visible: true }).visible).toBe(false)
})
