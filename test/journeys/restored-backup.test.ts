import { expect, test } from 'vitest'
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
