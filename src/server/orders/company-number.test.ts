import { expect, test } from 'vitest'
import { companyNumberFrom } from './company-number.ts'

test.each<[string, string, string | undefined]>([
  ['DE', 'de 136 695 976', 'DE136695976'],
  ['DE', '136695976', 'DE136695976'],
  ['DE', 'DE136695977', undefined],
  ['AT', 'ATU13585627', 'ATU13585627'],
  ['FR', '40 303 265 045', 'FR40303265045'],
  ['GR', '094259216', 'EL094259216'],
  ['GR', 'EL 094259216', 'EL094259216'],
  ['NL', 'NL 4495445B01', 'NL4495445B01'],
  ['CH', 'CHE-100.155.212', 'CHE100155212'],
  ['US', '91-1144442', '911144442'],
  ['US', '1', undefined],
  ['HK', '12345678', '12345678'],
  ['HK', '<b>', undefined],
])('a tax number of %s: %s', (country, typed, expected) => {
  expect(companyNumberFrom(country, typed)).toBe(expected)
})
