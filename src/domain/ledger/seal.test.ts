import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { followPath, leafOf, pathsOf, rootOf, textOf, type Hash } from './seal.ts'

const hash: Hash = (text) => createHash('sha256').update(text).digest('hex')
const leaves = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    hash: leafOf(hash, `posting ${at}`),
    partnerId: at % 3 === 0 ? null : (at * 7) % 5,
  }))

test('from each partner’s postings, among 1 to 70 of all, a path leads to the same root, and from no other posting', () => {
  for (let count = 1; count <= 70; count += 1) {
    const all = leaves(count)
    const root = rootOf(hash, all)
    for (const partnerId of [0, 1, 2, 3, 4]) {
      const own = all.filter((leaf) => leaf.partnerId === partnerId)
      const paths = pathsOf(hash, all, partnerId)
      expect(paths).toHaveLength(own.length)
      for (const [at, path] of paths.entries()) {
        expect(followPath(hash, own[at]?.hash ?? '', path)).toBe(root)
        expect(followPath(hash, leafOf(hash, 'another'), path)).not.toBe(root)
      }
    }
  }
})

test('a posting that is missing, added, doubled, moved or given to another partner makes another root', () => {
  const all = leaves(7)
  const [first = all[6], second = all[6], ...rest] = all
  if (!first || !second) throw new Error('seven leaves')
  const last = all.slice(-1)
  const changed = [
    ...[[second, ...rest], all.slice(0, -1), [...all, first], [...all, ...last]],
    ...[
      [...rest, second, first],
      [{ ...first, partnerId: 4 }, second, ...rest],
    ],
  ]
  const roots = new Set([all, ...changed].map((some) => rootOf(hash, some)))
  expect(roots.size).toBe(changed.length + 1)
})

test('a path reveals nothing about how many postings others have', () => {
  const own = { hash: leafOf(hash, 'own'), partnerId: 2 }
  const others = (count: number) => leaves(count).map((leaf) => ({ ...leaf, partnerId: null }))
  expect(pathsOf(hash, [...others(1), own], 2)[0]).toHaveLength(1)
  expect(pathsOf(hash, [...others(1000), own], 2)[0]).toHaveLength(1)
})

test('the text of a posting has its entries and lines in a fixed order, and hides its payment', () => {
  const entries = [
    { account: 'expense:commission', amount: 120 },
    { account: 'liability:commission', amount: -120 },
  ]
  const lines = [
    { position: 0, productId: 4, base: 500, rate: 1200, amount: 60 },
    { position: 1, productId: 7, base: 500, rate: 1200, amount: 60 },
  ]
  const posting = {
    ...{ id: 9, kind: 'commission', key: 'commission:sale:stripe:pi_1', orderId: null, paymentKey: 'stripe:pi_1' },
    ...{ partnerId: 2, bookedAt: new Date('2026-11-23T10:00:00Z') },
  }
  const text = textOf(hash, { ...posting, entries, lines })
  expect(textOf(hash, { ...posting, entries: entries.toReversed(), lines: lines.toReversed() })).toBe(text)
  expect(text).not.toContain('pi_1')
  expect(text).toContain('[0,4,500,1200,60]')
})
