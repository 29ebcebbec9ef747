import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { runPurchases, type RunOptions } from '../properties/purchases.ts'

const onServer = process.env['TEST_DATABASE'] === 'postgresql'
/** Another seed plays other shoppers; a failure names its seed. */
const seed = Number(process.env['PURCHASES_SEED'] ?? 1121)

async function expectNoViolation(options: Omit<RunOptions, 'seed'>): Promise<void> {
  const { verdicts, figures } = await runPurchases(openWorld, { ...options, seed })
  const violations = verdicts.flatMap((verdict) =>
    verdict.violations.slice(0, 3).map((text) => `${verdict.id}: ${text}`),
  )
  expect(violations, `seed ${seed}`).toEqual([])
  expect(figures.orders).toBeGreaterThan(options.count / 2)
  for (const { id, checked } of verdicts) expect(checked, id).toBeGreaterThan(0)
}

test.skipIf(onServer)(
  `60 concurrent purchases: shown, charged, booked and printed agree to the cent (seed ${seed})`,
  { timeout: 180_000 },
  () => expectNoViolation({ count: 60, atOnce: 8, faults: 0 }),
)

test(
  `50 purchases agree while one call in five fails and webhooks are lost, doubled and shuffled (seed ${seed})`,
  { timeout: 240_000 },
  () => expectNoViolation({ count: 50, atOnce: 10, faults: 0.2 }),
)
