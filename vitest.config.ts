import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

const ofWorlds = ['src/server/**/*.test.ts', 'test/journeys/**/*.test.ts']
// Whoever shares the machine must not decide what passes: limits are for what hangs. A journey that fails is tried once more and
// named as such, so that a race is seen without holding up everything. Files of one process follow each other in it: loading the
// shop and starting an embedded database anew for each took as long as half of the stories.
const settings = { pool: 'forks', isolate: false, testTimeout: 150_000, hookTimeout: 180_000 } as const
const secondTry = { retry: 1 } as const
const database = process.env['TEST_DATABASE_URL']

/**
 * Journeys that also run on a PostgreSQL server, because its many connections, locks, plans, replicas or restarts decide them: races,
 * money, search, jobs. The embedded database is PostgreSQL too, so all others run on it alone.
 */
const alsoOnServer = [
  ...[
    'claims',
    'free-orders',
    'order-changes',
    'shopper-changes',
    'reviews',
    'printer-products',
    'prices',
    'product-imports',
    'several-products',
    'legal',
    'mail-texts',
    'backup',
    'buying',
    'capture',
    'card-testing',
    'cart-changes',
    'catalog-changes',
    'catalog-files',
    'catalog-upload',
    'commission',
    'corrections',
  ],
  ...['exceptions', 'faults', 'instances', 'large-catalog', 'migrating', 'order-trouble', 'outage', 'page-changes'],
  ...['plans', 'process', 'purchases', 'queue-trouble', 'reconciliation', 'refunds', 'report-sums', 'search'],
  ...['settling', 'transactions', 'unused-pictures', 'waiting', 'wallet', 'wallet-trouble'],
]

/** Nothing fails where nothing runs: a title that no test has is a mistake. */
const titleIsKnown: Reporter = {
  onTestRunEnd(modules) {
    if (!process.argv.some((word) => word === '-t' || word.startsWith('--testNamePattern'))) return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    if (tests.some((one) => one.result().state !== 'skipped')) return
    console.error('No test of these files has such a title.')
    process.exitCode = 1
  },
}

export default defineConfig({
  test: {
    // Most of a journey waits for jobs and timers: two a core keep both busy.
    maxWorkers: 4,
    reporters: [['default', { summary: false }], titleIsKnown],
    projects: [
      {
        test: {
          ...settings,
          name: 'rules',
          include: [
            'src/{shared,site,domain,contract,web}/**/*.test.{ts,tsx}',
            'sandbox/**/*.test.ts',
            'tools/**/*.test.ts',
            'pictures/**/*.test.ts',
            'test/{house,conformance,properties}/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...settings,
          ...secondTry,
          name: 'embedded',
          include: ofWorlds,
          globalSetup: 'test/databases.ts',
          env: { TEST_DATABASE: 'embedded' },
        },
      },
      // Only when a server was started for the run.
      ...(database
        ? [
            {
              test: {
                ...settings,
                ...secondTry,
                name: 'postgresql',
                include: alsoOnServer.map((journey) => `test/journeys/${journey}.test.ts`),
                globalSetup: 'test/databases.ts',
                env: { TEST_DATABASE: 'postgresql' },
              },
            },
          ]
        : []),
    ],
  },
})
