import { expect, test } from 'vitest'
import type { Call } from '#contract/call.ts'
import { callGroups } from '#contract/calls.ts'
import { rateLimits } from './rate-limits.ts'

test('each call that the link of an order opens has a limit of its own, in case the link leaks', () => {
  const opened = Object.values(callGroups)
    .flatMap((group) => Object.values<Call>(group))
    .filter(({ access, path }) => access === 'anyone' && /^\/api\/order(?:\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect(opened.length).toBeGreaterThan(20)
  expect(opened.filter((call) => !(call in rateLimits))).toEqual([])
})
