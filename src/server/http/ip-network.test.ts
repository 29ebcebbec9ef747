import { expect, test } from 'vitest'
import { networkOf } from './ip-network.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::'],
  ['2001:DB8:0:1::9', '2001:db8:0:1::'],
  ['2001:db8:0:2::9', '2001:db8:0:2::'],
])('%s counts as %s', (ip, address) => {
  expect(networkOf(ip)).toBe(address)
})
