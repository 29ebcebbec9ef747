import { expect, test } from 'vitest'
import { restoreOldBackup } from '../properties/restored-backup.ts'

// `npm run prove:restore` does the same with fifty payments.

test(
  'of ten payments made after the restored backup, each is an order or an exception',
  { timeout: 120_000 },
  async () => {
    const { lost, orders, exceptions, violations } = await restoreOldBackup(10)
    expect(violations).toEqual([])
    expect(lost.size).toBe(10)
    // Payments whose checkout is in the backup become orders; the others need a person.
    expect([orders.size, exceptions.size]).toEqual([5, 5])
  },
)
