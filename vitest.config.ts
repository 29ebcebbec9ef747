import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'

const ofWorlds = ['src/server/**/*.test.ts', 'test/journeys/**/*.test.ts']
// Whoever shares the machine must not decide what passes: limits are for what hangs. A journey that fails is tried once more and
// named as such, so that a race is seen without holding up everything. Files of one process follow each other in it: loading the
// shop and starting an embedded database anew for each took as long as half of the stories.
const settings = { pool: 'forks', isolate: false, testTimeout: 150_000, hookTimeout: 180_000 } as const
const secondTry = { retry: 1 } as const
const database = process.env['TEST_DATABASE_URL']

/** Journeys of money that race, and of what differs between the databases: they run on a PostgreSQL server too. */
const onBoth = [
  ...[
    'backup',
    'buying',
    'capture',
    'cart-changes',
    'drops',
    'express',
    'faults',
    'gift-cards',
    'migrating',
    'process',
  ],
  ...['purchases', 'queue-trouble', 'refunds', 'settling', 'wallet'],
]

/**
 * Journeys that the many connections, locks and plans of a server decide, or that follow others of the same code: on the embedded database
 * they run only without a server. It is PostgreSQL too, and the browser tests walk through the same pages on it. Its own danger, a call that
 * waits for the only connection while its transaction holds it, shows there, in the journeys above and in the laboratories.
 */
const onServerAlone = [
  ...['admin-products', 'imports', 'invoices', 'order-changes', 'owner-fulfillment', 'parcels', 'shopper-changes'],
  ...['bank', 'card-testing', 'catalog-changes', 'catalog-files', 'catalog-upload', 'claims', 'codes', 'commission'],
  ...[
    'corrections',
    'disputes',
    'exceptions',
    'free-orders',
    'gift-cards-bought',
    'instances',
    'large-catalog',
    'legal',
  ],
  ...[
    'mail-texts',
    'month-close',
    'newsletter',
    'order-trouble',
    'outage',
    'own-changes',
    'page-changes',
    'parcel-trouble',
  ],
  ...['phone-orders', 'plans', 'prices', 'printer-products', 'product-imports', 'reconciliation', 'report-sums'],
  ...[
    'queues',
    'raffles',
    'reviews',
    'search',
    'search-order',
    'several-products',
    'transactions',
    'tax-report',
    'unused-pictures',
    'waiting',
    'wallet-trouble',
  ],
]

const filesOf = (journeys: readonly string[]) => journeys.map((journey) => `test/journeys/${journey}.test.ts`)

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
            'src/{shared,site,domain,contract,web,words}/**/*.test.{ts,tsx}',
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
          exclude: database ? filesOf(onServerAlone) : [],
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
                include: filesOf([...onBoth, ...onServerAlone]),
                globalSetup: 'test/databases.ts',
                env: { TEST_DATABASE: 'postgresql' },
              },
            },
          ]
        : []),
    ],
  },
})
