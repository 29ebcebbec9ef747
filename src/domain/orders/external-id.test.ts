import { expect, test } from 'vitest'
import type { OrderNumber } from '#shared/ids.ts'
import { externalIdsUntil, nextExternalId } from './external-id.ts'

test('a resubmitted order gets its number plus the attempt, and keeps all its external ids', () => {
  const number = 'K7QM-4T2X' as OrderNumber
  expect(nextExternalId(number, number)).toBe('K7QM-4T2X-2')
  expect(nextExternalId(number, 'K7QM-4T2X-2')).toBe('K7QM-4T2X-3')
  expect(nextExternalId(number, 'K7QM-4T2X-9')).toBe('K7QM-4T2X-10')
  expect(externalIdsUntil(number, number)).toEqual(['K7QM-4T2X'])
  expect(externalIdsUntil(number, 'K7QM-4T2X-3')).toEqual(['K7QM-4T2X', 'K7QM-4T2X-2', 'K7QM-4T2X-3'])
})
