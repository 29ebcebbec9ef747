import { describe, expect, test } from 'vitest'
import {
  backupFinding,
  clockFinding,
  databaseFinding,
  diskFinding,
  mappingFinding,
  modesFinding,
  scopesFinding,
  tokenFinding,
  webhookFinding,
  type Finding,
} from './findings.ts'

const now = new Date('2026-11-21T12:00:00Z')
const DAY = 86_400_000
const later = (ms: number) => new Date(now.getTime() + ms)

const stateOf = ({ state }: Finding) => state

describe('the keys’ modes', () => {
  const kinds = {
    isLive: true,
    isRehearsal: false,
    stripeLive: true,
    publishableKey: 'pk_live_1',
    paypalLive: true,
  }
  test.each([
    ['a live shop with live keys', {}, 'passed'],
    ['Stripe’s keys of two modes', { publishableKey: 'pk_test_1' }, 'failed'],
    ['live cards beside a test wallet', { paypalLive: false }, 'failed'],
    ['test cards beside a live wallet', { stripeLive: false, publishableKey: 'pk_test_1' }, 'failed'],
    ['a live shop with test keys', { stripeLive: false, publishableKey: 'pk_test_1', paypalLive: false }, 'failed'],
    [
      'a rehearsal with test keys',
      { stripeLive: false, publishableKey: 'pk_test_1', paypalLive: false, isRehearsal: true },
      'passed',
    ],
    ['a shop that is not live with live keys', { isLive: false }, 'failed'],
  ])('%s', (_, more, state) => expect(stateOf(modesFinding({ ...kinds, ...more }))).toBe(state))
})

describe('the doctor’s check of a webhook endpoint', () => {
  const wanted = { url: 'https://shop.example/webhooks/stripe', events: ['a.done', 'b.done'] }
  const judged = (endpoints: Parameters<typeof webhookFinding>[2]) => webhookFinding('x', wanted, endpoints, 'there')
  const ours = { url: wanted.url, isOn: true }
  test.each([
    ['passes with every event by name', [{ ...ours, events: ['b.done', 'a.done', 'c.done'] }], 'passed'],
    ['passes with a star', [{ ...ours, events: ['*'] }], 'passed'],
    [
      'passes with the events on two endpoints',
      [
        { ...ours, events: ['a.done'] },
        { ...ours, events: ['b.done'] },
      ],
      'passed',
    ],
    ['fails when it is switched off', [{ ...ours, events: ['*'], isOn: false }], 'failed'],
    [
      'fails when it belongs to somebody else',
      [{ url: 'https://old.example/webhooks/stripe', events: ['*'], isOn: true }],
      'failed',
    ],
    ['fails when it does not exist', [], 'failed'],
  ])('%s', (_, endpoints, state) => expect(stateOf(judged(endpoints))).toBe(state))
  test('names the missing events', () =>
    expect(judged([{ ...ours, events: ['a.done'] }]).what).toBe('It does not send b.done.'))
})

test.each([
  [0, 'passed'],
  [59_000, 'passed'],
  [-61_000, 'failed'],
  [600_000, 'failed'],
])('a clock that is %i ms off: %s', (off, state) => expect(stateOf(clockFinding(now, later(off)))).toBe(state))
test('without a date in the answer, the clock check is inconclusive', () =>
  expect(stateOf(clockFinding(undefined, now))).toBe('inconclusive'))

test.each([
  [undefined, 'inconclusive'],
  [later(15 * DAY), 'passed'],
  [later(14 * DAY), 'failed'],
  [later(-DAY), 'failed'],
])('a token that expires at %s: %s', (expires, state) => expect(stateOf(tokenFinding(expires, now))).toBe(state))

test('read access is enough for webhooks but not for orders', () => {
  expect(stateOf(scopesFinding(['orders', 'sync_products', 'file_library', 'webhooks/read']))).toBe('passed')
  expect(scopesFinding(['orders/read', 'sync_products', 'file_library']).what).toBe(
    'The token has no access to orders (no order is printed), webhooks (the shop cannot check where Printful sends events).',
  )
  expect(stateOf(scopesFinding(['orders', 'sync_products/read', 'file_library', 'webhooks']))).toBe('failed')
})

describe('the mapping to Printful', () => {
  const mapping = { variants: 12, unmapped: [], unseen: 0, missing: 0, comparedAt: later(-DAY / 2) }
  test.each([
    ['passes when complete', {}, 'passed'],
    ['fails without a product', { unmapped: ['hat'] }, 'failed'],
    ['fails with a variant that Printful no longer has', { missing: 1 }, 'failed'],
    ['fails with a variant that was never found', { unseen: 2 }, 'failed'],
    ['fails when it was compared long ago', { comparedAt: later(-2 * DAY) }, 'failed'],
    ['fails when it was never compared', { comparedAt: null }, 'failed'],
    ['passes in a new shop, which has nothing to compare', { variants: 0, comparedAt: null }, 'passed'],
  ])('%s', (_, more, state) => expect(stateOf(mappingFinding({ ...mapping, ...more }, now, DAY))).toBe(state))
})

test.each([
  [900 * 1024 ** 2, 'failed'],
  [3 * 1024 ** 3, 'passed'],
])('a disk with %i free bytes: %s', (free, state) => expect(stateOf(diskFinding(free))).toBe(state))

test.each([
  ['fails when the last one is two days old', -2 * DAY, true, 'failed'],
  ['passes in the night after', -DAY, true, 'passed'],
  ['of a live shop is unknown when none was noted', undefined, true, 'inconclusive'],
  ['is not missed where no money is at stake', undefined, false, 'passed'],
])('the backup %s', (_, ms, isLive, state) =>
  expect(stateOf(backupFinding(ms === undefined ? undefined : later(ms), now, isLive))).toBe(state),
)

describe('the database', () => {
  const database = {
    version: 160_002,
    migrations: { applied: 3, ours: 3 },
    isEmbedded: false,
    isLive: true,
  }
  test.each([
    ['passes when it is new enough', {}, 'passed'],
    ['fails when it is too old', { version: 120_017 }, 'failed'],
    ['fails when migrations are missing', { migrations: { applied: 2, ours: 3 } }, 'failed'],
    ['fails when a newer shop has used it', { migrations: { applied: 4, ours: 3 } }, 'failed'],
    ['fails when embedded in a live shop', { isEmbedded: true }, 'failed'],
    ['passes when embedded in a shop that is not live', { isEmbedded: true, isLive: false }, 'passed'],
  ])('%s', (_, more, state) => expect(stateOf(databaseFinding({ ...database, ...more }))).toBe(state))
})
