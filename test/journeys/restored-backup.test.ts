import { expect, test } from 'vitest'
import { restoreOldBackup } from '../properties/restored-backup.ts'

// `npm run prove:restore` does the same with fifty payments.

test(
  'of ten payments that came after the backup that is restored, each is an order or an exception',
  { timeout: 120_000 },
  async () => {
    const { lost, orders, exceptions, violations } = await restoreOldBackup(10)
    expect(violations).toEqual([])
    expect(lost.size).toBe(10)
    // Those whose checkout the backup knows can be made; the others need somebody.
    expect([orders.size, exceptions.size]).toEqual([5, 5])
  },
)
