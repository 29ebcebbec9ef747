import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { runPurchases } from '../properties/purchases.ts'

/** Another seed plays other shoppers; a failure names its seed. */
const seed = Number(process.env['PURCHASES_SEED'] ?? 1121)
const COUNT = 50

test(
  `${COUNT} purchases agree while one call in five fails and webhooks are lost, doubled and shuffled (seed ${seed})`,
  { timeout: 240_000 },
  async () => {
    const { verdicts, figures } = await runPurchases(openWorld, { count: COUNT, atOnce: 10, faults: 0.2, seed })
    const violations = verdicts.flatMap((verdict) =>
      verdict.violations.slice(0, 3).map((text) => `${verdict.id}: ${text}`),
    )
    expect(violations, `seed ${seed}`).toEqual([])
    expect(figures.orders).toBeGreaterThan(COUNT / 2)
    for (const { id, checked } of verdicts) expect(checked, id).toBeGreaterThan(0)
  },
)
