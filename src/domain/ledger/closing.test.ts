import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import { hashOfClosing, rootOfMonth, standingOf, type Closing } from './closing.ts'
import type { Hash } from './seal.ts'

const hash: Hash = (text) => createHash('sha256').update(text).digest('hex')
const at = (iso: string) => new Date(iso)

test('a counter-entry takes back the last closed month', () => {
  const row = (kind: Closing['kind'], month: string) => ({ kind, month })
  const rows = [
    ...[row('closed', '2026-01'), row('closed', '2026-02'), row('reopened', '2026-02'), row('closed', '2026-02')],
    ...[row('closed', '2026-03'), row('reopened', '2026-03')],
  ]
  expect(standingOf(rows).map(({ month }) => month)).toEqual(['2026-01', '2026-02'])
})

const closing: Closing = {
  ...{
    number: 1,
    kind: 'closed',
    month: '2026-03',
    from: at('2026-03-01T05:00:00Z'),
    until: at('2026-04-01T04:00:00Z'),
  },
  ...{ at: at('2026-04-02T00:00:00Z'), reason: null, seal: { number: 7, hash: 'a'.repeat(64) } },
  figures: [
    { account: 'bank', opening: cents(0), change: cents(500) },
    { account: 'print_partner', opening: cents(10), change: cents(-500) },
  ],
  files: [
    { name: 'books.xlsx', partnerId: null, hash: 'b'.repeat(64) },
    { name: 'statement.pdf', partnerId: 3, hash: 'c'.repeat(64) },
  ],
}

test('each part of a closing changes its hash, and the order of files does not', () => {
  const changed: Closing[] = [
    { ...closing, number: 2 },
    { ...closing, kind: 'reopened' },
    { ...closing, month: '2026-04' },
    { ...closing, from: new Date(closing.from.getTime() + HOUR_MS) },
    { ...closing, until: new Date(closing.until.getTime() + HOUR_MS) },
    { ...closing, at: new Date(closing.at.getTime() + 1) },
    { ...closing, reason: 'why' },
    { ...closing, seal: { ...closing.seal, number: 8 } },
    { ...closing, seal: { ...closing.seal, hash: 'd'.repeat(64) } },
    { ...closing, figures: closing.figures.slice(1) },
    { ...closing, files: closing.files.slice(1) },
    { ...closing, files: closing.files.map((file) => ({ ...file, partnerId: 4 })) },
  ]
  const hashes = changed.map((one) => hashOfClosing(hash, 'previous', one))
  expect(
    new Set([hashOfClosing(hash, 'previous', closing), hashOfClosing(hash, 'other', closing), ...hashes]).size,
  ).toBe(changed.length + 2)
  expect(rootOfMonth(hash, { ...closing, files: closing.files.toReversed() })).toBe(rootOfMonth(hash, closing))
})
