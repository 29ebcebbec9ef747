import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGenuine } from '#server/providers/drand/drand.ts'
import { DAY_MS } from '#shared/time.ts'
import { checkDraw, entryOf } from './draw-check.mjs'
import { commitmentOf, drawOrder, entriesHashOf } from '#domain/raffles/draw.ts'
import {
  areEntriesDue,
  entrantOf,
  latestBirthday,
  nextRaffle,
  objectionToEntry,
  raffleStates,
  roundAt,
  roundTime,
  type RaffleEvent,
} from '#domain/raffles/raffle.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Round 1000 of quicknet, as the network published it. */
const QUICKNET = {
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
}
const ROUND = 1000
const SIGNATURE = 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'
const RANDOMNESS = 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd'

const published = (entries: string[], winners = drawOrder(sha256, entries, RANDOMNESS).slice(0, 1)) => ({
  beacon: { ...QUICKNET, round: ROUND, signature: SIGNATURE, randomness: RANDOMNESS },
  entriesHash: entriesHashOf(sha256, entries),
  ...{ entries, winners },
})

test('the signature of a published round of quicknet is genuine; of another round, key or with another byte it is not', () => {
  expect(isGenuine(QUICKNET.publicKey, ROUND, SIGNATURE)).toBe(true)
  expect(isGenuine(QUICKNET.publicKey, ROUND + 1, SIGNATURE)).toBe(false)
  expect(isGenuine(QUICKNET.publicKey, ROUND, `b5${SIGNATURE.slice(2)}`)).toBe(false)
  expect(isGenuine(bls12_381.shortSignatures.keygen().publicKey.toHex(), ROUND, SIGNATURE)).toBe(false)
})

const entry = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const entries = fc.uniqueArray(entry, { minLength: 1, maxLength: 40 })

test('the published program finds the winner of the shop, in any order of the entries', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (all) => {
      const draw = published(all)
      const found = await checkDraw({ ...draw, entries: all.toReversed() }, bls12_381)
      expect(found).toMatchObject({ isSameEntries: true, isSigned: true, isSameRandomness: true, isSameWinner: true })
      expect(found.winners).toEqual(draw.winners)
    }),
    { numRuns: 5 },
  )
})

test('one entry more, less or changed has another hash, and the program says so', async () => {
  await fc.assert(
    fc.asyncProperty(entries, entry, fc.nat(), async (all, other, place) => {
      fc.pre(!all.includes(other))
      const draw = published(all)
      for (const changed of [[...all, other], all.with(place % all.length, other)]) {
        expect(entriesHashOf(sha256, changed)).not.toBe(draw.entriesHash)
        expect(await checkDraw({ ...draw, entries: changed })).toMatchObject({ isSameEntries: false })
      }
    }),
    { numRuns: 50 },
  )
})

test('the program refuses a forged signature and another winner', async () => {
  const all = ['a', 'b', 'c'].map(sha256)
  const draw = published(all)
  const forged = { ...draw, beacon: { ...draw.beacon, round: ROUND + 1 } }
  expect(await checkDraw(forged, bls12_381)).toMatchObject({ isSigned: false })
  const loser = all.find((one) => one !== draw.winners[0]) ?? ''
  expect(await checkDraw({ ...draw, winners: [loser] }, bls12_381)).toMatchObject({ isSameWinner: false })
})

test('an entrant finds the own entry by code and email, however it is typed', async () => {
  const mine = { secret: 'ab12', email: 'Ada@Example.com' }
  expect(await entryOf(' ab12 ', ' ada@example.com ')).toBe(commitmentOf(sha256, mine))
  expect(await entryOf('ab13', mine.email)).not.toBe(commitmentOf(sha256, mine))
})

test('every entry can win', () => {
  const all = ['a', 'b', 'c'].map(sha256)
  const wins = Array.from({ length: 300 }, (_, round) => drawOrder(sha256, all, sha256(String(round)))[0])
  for (const one of all) expect(wins.filter((winner) => winner === one).length).toBeGreaterThan(60)
})

test('the round of a draw is the first one at or after its time', () => {
  const at = (ms: number) => new Date(roundTime(QUICKNET, ROUND) + ms)
  expect([-1, 0, 1, 2999, 3000].map((ms) => roundAt(QUICKNET, at(ms)))).toEqual([1000, 1000, 1001, 1001, 1001])
})

test('states change only by the table', () => {
  const events: RaffleEvent[] = ['announce', 'freeze', 'draw', 'claim', 'close']
  const moves = raffleStates.map((state) => [state, ...events.flatMap((event) => nextRaffle(state, event) ?? [])])
  expect(moves).toEqual([
    ['draft', 'open', 'closed'],
    ['open', 'frozen', 'closed'],
    ['frozen', 'drawn', 'closed'],
    ['drawn', 'drawn', 'claimed', 'closed'],
    ['claimed'],
    ['closed'],
  ])
})

const raffle = {
  ...{ state: 'open' as const, countries: ['US'], ageMin: 18 },
  ...{ startsAt: new Date('2026-11-01T00:00:00Z'), endsAt: new Date('2026-12-01T00:00:00Z') },
}
test.each([
  ['2008-11-26', 'US', '2026-11-26T12:00:00Z', undefined],
  ['2008-11-27', 'US', '2026-11-26T12:00:00Z', 'raffle_age'],
  ['1980-01-01', 'FR', '2026-11-26T12:00:00Z', 'raffle_country'],
  ['1980-01-01', 'US', '2026-10-31T23:59:59Z', 'raffle_not_open'],
  ['1980-01-01', 'US', '2026-12-01T00:00:00Z', 'raffle_not_open'],
] as const)('born on %s, in %s, at %s: %s', (bornOn, country, at, expected) => {
  const now = new Date(at)
  expect(objectionToEntry(raffle, { bornOn, country }, now, at.slice(0, 10))).toBe(expected)
})

test('who is born on February 29 may enter from March 1 of other years', () => {
  expect('2008-02-29' > latestBirthday('2026-02-28', 18)).toBe(true)
  expect('2008-02-29' > latestBirthday('2026-03-01', 18)).toBe(false)
})

test('addresses of one inbox are one entrant', () => {
  expect(['Ada@Example.com', 'ada+x@example.com', ' ada@example.com'].map(entrantOf)).toEqual(
    Array.from({ length: 3 }, () => 'ada@example.com'),
  )
})

test('entries are deleted when the prize was delivered, 60 days after the claim, or when nobody gets it', () => {
  const now = new Date('2026-12-31T00:00:00Z')
  const due = (state: (typeof raffleStates)[number], days: number | null, isDelivered = false) =>
    areEntriesDue(
      { state, isDelivered, settledAt: days === null ? null : new Date(now.getTime() - days * DAY_MS) },
      now,
    )
  expect([
    due('claimed', 1),
    due('claimed', 1, true),
    due('claimed', 60),
    due('closed', 0),
    due('drawn', null),
  ]).toEqual([...[false, true, true, true, false]])
})
