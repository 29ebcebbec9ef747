import { describe, expect, test } from 'vitest'
import {
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

describe('modes', () => {
  const kinds = {
    isLive: true,
    isRehearsal: false,
    stripeLive: true,
    publishableKey: 'pk_live_1',
    paypalLive: true,
  }
  test.each([
    ['a live shop with live keys', {}, 'well'],
    ['Stripe’s keys of two modes', { publishableKey: 'pk_test_1' }, 'wrong'],
    ['live cards beside a test wallet', { paypalLive: false }, 'wrong'],
    ['test cards beside a live wallet', { stripeLive: false, publishableKey: 'pk_test_1' }, 'wrong'],
    ['a live shop with test keys', { stripeLive: false, publishableKey: 'pk_test_1', paypalLive: false }, 'wrong'],
    [
      'a rehearsal with test keys',
      { stripeLive: false, publishableKey: 'pk_test_1', paypalLive: false, isRehearsal: true },
      'well',
    ],
    ['a shop that is not live with live keys', { isLive: false }, 'wrong'],
  ])('%s', (_, more, state) => expect(stateOf(modesFinding({ ...kinds, ...more }))).toBe(state))
})

describe('an address for events', () => {
  const wanted = { url: 'https://shop.example/webhooks/stripe', events: ['a.done', 'b.done'] }
  const judged = (endpoints: Parameters<typeof webhookFinding>[2]) => webhookFinding('x', wanted, endpoints, 'there')
  const ours = { url: wanted.url, isOn: true }
  test.each([
    ['of ours with all events by name', [{ ...ours, events: ['b.done', 'a.done', 'c.done'] }], 'well'],
    ['of ours with a star', [{ ...ours, events: ['*'] }], 'well'],
    [
      'of ours in two parts',
      [
        { ...ours, events: ['a.done'] },
        { ...ours, events: ['b.done'] },
      ],
      'well',
    ],
    ['of ours that is off', [{ ...ours, events: ['*'], isOn: false }], 'wrong'],
    ['of somebody else', [{ url: 'https://old.example/webhooks/stripe', events: ['*'], isOn: true }], 'wrong'],
    ['that does not exist', [], 'wrong'],
  ])('%s', (_, endpoints, state) => expect(stateOf(judged(endpoints))).toBe(state))
  test('names the events that are missing', () =>
    expect(judged([{ ...ours, events: ['a.done'] }]).what).toBe('It does not tell of b.done.'))
})

test.each([
  [0, 'well'],
  [59_000, 'well'],
  [-61_000, 'wrong'],
  [600_000, 'wrong'],
])('a clock that is %i ms off', (off, state) => expect(stateOf(clockFinding(now, later(off)))).toBe(state))
test('an answer without a date leaves the clock unknown', () =>
  expect(stateOf(clockFinding(undefined, now))).toBe('unknown'))

test.each([
  [undefined, 'unknown'],
  [later(15 * DAY), 'well'],
  [later(14 * DAY), 'wrong'],
  [later(-DAY), 'wrong'],
])('a token that ends at %s', (expires, state) => expect(stateOf(tokenFinding(expires, now))).toBe(state))

test('what a token may only read does not do for orders, and does for webhooks', () => {
  expect(stateOf(scopesFinding(['orders', 'sync_products', 'webhooks/read']))).toBe('well')
  expect(scopesFinding(['orders/read', 'sync_products']).what).toBe('The token may not touch orders, webhooks.')
})

describe('the mapping', () => {
  const mapping = { variants: 12, unmapped: [], unseen: 0, missing: 0, comparedAt: later(-DAY / 2) }
  test.each([
    ['is whole', {}, 'well'],
    ['lacks a product', { unmapped: ['hat'] }, 'wrong'],
    ['has a variant that the partner has no more', { missing: 1 }, 'wrong'],
    ['has one that was never seen', { unseen: 2 }, 'wrong'],
    ['is of long ago', { comparedAt: later(-2 * DAY) }, 'wrong'],
    ['was never made', { comparedAt: null }, 'wrong'],
  ])('%s', (_, more, state) => expect(stateOf(mappingFinding({ ...mapping, ...more }, now, DAY))).toBe(state))
})

test.each([
  [900 * 1024 ** 2, 'wrong'],
  [3 * 1024 ** 3, 'well'],
])('%i free bytes', (free, state) => expect(stateOf(diskFinding(free))).toBe(state))

describe('the database', () => {
  const database = {
    version: 160_002,
    migrations: { applied: 3, ours: 3 },
    isEmbedded: false,
    isLive: true,
  }
  test.each([
    ['is new enough', {}, 'well'],
    ['is too old', { version: 120_017 }, 'wrong'],
    ['waits for migrations', { migrations: { applied: 2, ours: 3 } }, 'wrong'],
    ['was used by a newer shop', { migrations: { applied: 4, ours: 3 } }, 'wrong'],
    ['is embedded in a live shop', { isEmbedded: true }, 'wrong'],
    ['is embedded in a shop that is not live', { isEmbedded: true, isLive: false }, 'well'],
  ])('%s', (_, more, state) => expect(stateOf(databaseFinding({ ...database, ...more }))).toBe(state))
})
