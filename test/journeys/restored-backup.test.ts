import { expect, test } from 'vitest'
import { checkoutsByOwner } from '#server/checkout/owner-checkouts.ts'
import { restoreOldBackup } from '../properties/restored-backup.ts'

// `npm run prove:restore` does the same with fifty payments.

test(
  'of six payments made after the restored backup, each is an order or an exception',
  { timeout: 300_000 },
  async () => {
    const { lost, orders, exceptions, violations } = await restoreOldBackup(6)
    expect(violations).toEqual([])
    expect(lost.size).toBe(6)
    // Payments whose checkout is in the backup become orders; the others need a person.
    expect([orders.size, exceptions.size]).toEqual([3, 3])
  },
)

// `npm run prove:recovery` does the same with PostgreSQL’s archive, as docs/operations.md says.
test(
  'with the purchases saved from the lost database, each of four payments is an order under its number',
  { timeout: 300_000 },
  async () => {
    const { orders, exceptions, violations } = await restoreOldBackup(4, true)
    expect(violations).toEqual([])
    expect([orders.size, exceptions.size]).toEqual([4, 0])
  },
)

test('a wrong use of the command for purchases gets its usage', async () => {
  const nothing = { pool: undefined as never }
  for (const wrong of [
    [],
    ['save', 'x.json'],
    ['add'],
    ['add', 'x', '--since', '2026-11-26'],
    ['save', 'x', '--until', 'y'],
  ])
    await expect(checkoutsByOwner(nothing, wrong)).rejects.toThrow(/^Usage: npm run owner -- checkouts save/)
})
