import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { roundAbove } from './chart-scale.ts'

test.each([
  [0, 100],
  [100, 100],
  [101, 200],
  [4_999, 5_000],
  [5_001, 10_000],
  [123_456, 200_000],
])('a chart of at most %i cents reaches to %i', (most, top) => expect(roundAbove(cents(most))).toBe(cents(top)))
