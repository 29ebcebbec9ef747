import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { chartMaximumFor } from './chart-scale.ts'

test.each([
  [0, 100],
  [100, 100],
  [101, 200],
  [4_999, 5_000],
  [5_001, 10_000],
  [123_456, 200_000],
])('a chart whose highest value is %i cents has a scale up to %i cents', (highest, top) =>
  expect(chartMaximumFor(cents(highest))).toBe(cents(top)),
)
