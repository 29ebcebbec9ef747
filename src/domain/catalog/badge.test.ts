import { expect, test } from 'vitest'
import { metalOf } from './badge.ts'

test.each([
  ['BEST SELLER', 'gold'],
  ['NEW ARRIVAL', 'silver'],
  ['LIMITED EDITION', 'bronze'],
  ['best seller', 'bronze'],
] as const)('%s is %s', (badge, metal) => expect(metalOf(badge)).toBe(metal))
