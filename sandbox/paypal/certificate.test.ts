import { expect, test } from 'vitest'
import { integer } from './certificate.ts'

test.each([
  ['00127f', '0202127f'],
  ['0080ff', '02030080ff'],
  ['ff01', '020300ff01'],
  ['7f', '02017f'],
])('the serial number %s has one encoding, which no library refuses', (digits, encoded) =>
  expect(integer(Buffer.from(digits, 'hex')).toString('hex')).toBe(encoded),
)
