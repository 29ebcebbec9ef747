import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSnapshot } from '../../test/databases.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A plausible defect, and the quickest test that must find it. Without a title it is any test whose file begins like this. */
export type PlantedFault = {
  name: string
  edits: readonly { file: string; from: string; to: string }[]
  caughtBy: {
    project: 'rules' | 'embedded'
    file: string
    title: string
    /** Tried first: a program and its arguments, which prints a line per mistake. */
    judge?: readonly string[]
    /** Of those files, these do not count. */
    leavingOut?: string
  }
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'settling without its unique key',
    edits: [
      {
        file: 'src/server/payments/store.ts',
        from: '.returning({ id: paymentProcessingLog.id })\n  return rows.length > 0',
        to: '.returning({ id: paymentProcessingLog.id })\n  return rows.length >= 0',
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/settling.test.ts',
      title: 'a webhook, the browser and the sweep together make one order',
    },
  },
  {
    name: 'a retry without a lookup at the printer',
    edits: [
      {
        file: 'src/server/fulfillment/fulfillment.ts',
        from: "first ? undefined : await printful.findOrder(order.externalId, 'submission')",
        to: 'undefined as PrinterOrder | undefined',
      },
      {
        file: 'src/server/fulfillment/fulfillment.ts',
        from: 'const existing = await printful.findOrder(order.externalId)\n',
        to: 'const existing = undefined as PrinterOrder | undefined\n',
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/settling.test.ts',
      title: 'an order whose answer from the printer was lost is looked up, and made once (F27)',
    },
  },
  {
    name: 'a refund without its own idempotency key and without a lookup',
    edits: [
      { file: 'src/server/payments/refunds.ts', from: '`refund:${key}:${id}`', to: '`refund:${Math.random()}`' },
      {
        file: 'src/server/payments/refunds.ts',
        from: '.refunds.find(({ ours }) => ours === id)',
        to: '.refunds.find(() => false)',
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/refunds.test.ts',
      title: 'a refund whose answer was lost is looked up after a day, when the provider has deleted its key',
    },
  },
  {
    name: 'a payment of the wrong amount accepted',
    edits: [
      {
        file: 'src/domain/payments/objection.ts',
        from: "  if (payment.amount !== offered.total) return 'amount_differs'\n",
        to: '',
      },
    ],
    caughtBy: { project: 'rules', file: 'src/domain/payments/objection.test.ts', title: '' },
  },
  {
    name: 'a payment under review that is never checked again',
    edits: [
      {
        file: 'src/domain/payments/next-check.ts',
        from: 'return after(now, age < REVIEWED_OFTEN_MS ? HOUR_MS : DAY_MS)',
        to: 'return null',
      },
    ],
    caughtBy: { project: 'rules', file: 'src/domain/payments/next-check.test.ts', title: '' },
  },
  {
    name: 'an owner route open to everybody',
    edits: [
      {
        file: 'src/contract/reports.ts',
        from: "path: '/api/reports/summary',\n    access: 'read_figures',",
        to: "path: '/api/reports/summary',\n    access: 'anyone',",
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/reports.test.ts',
      title: 'only the owner can read a report, by any route (S28)',
    },
  },
  {
    name: 'a leaked column: order numbers shown to any session',
    edits: [
      {
        file: 'src/server/payments/wallet.ts',
        from: 'const isPayer = order !== undefined && order.sessionId === sessionId',
        to: 'const isPayer = order !== undefined',
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/wallet.test.ts',
      title: 'shows its numbers only to the session that paid',
    },
  },
  {
    name: 'cross-site requests accepted',
    edits: [
      {
        file: 'src/server/http/app.ts',
        from: 'if (isSafe(request) || request.routeOptions.config.signed) return false',
        to: 'if (request.method !== "TRACE") return false',
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/bad-input.test.ts',
      title: 'a request the browser marks as cross-site is refused, even without an origin (S75)',
    },
  },
  {
    name: 'an event accepted without verifying its signature',
    edits: [
      {
        file: 'src/server/providers/stripe/stripe.ts',
        from: '      client.webhooks.signature?.verifyHeader(body, signature, secret, SIGNED_MAX_S)\n',
        to: '',
      },
    ],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/settling.test.ts',
      title: 'an event with an invalid signature is refused and not stored (S50, S52)',
    },
  },
  {
    name: 'a missing security header',
    edits: [{ file: 'src/server/http/security.ts', from: "    'x-content-type-options': 'nosniff',\n", to: '' }],
    caughtBy: {
      project: 'embedded',
      file: 'test/journeys/bad-input.test.ts',
      title: 'every answer carries the security headers and names no software (S76, S78)',
    },
  },
]

/** The two found fastest: their tests need no sandbox. */
export const quickestFaults: readonly string[] = [
  'a payment of the wrong amount accepted',
  'a payment under review that is never checked again',
]

/** @property by the tests that had to find it, or the first that did */
export type Catch = { name: string; isCaught: boolean; by: string; seconds: number; remark?: string }

/** What the tests need. */
const COPIED_PATHS = [
  'src',
  'sandbox',
  'test',
  'tools',
  'pictures',
  'docs',
  'package.json',
  'vitest.config.ts',
  'vite.config.ts',
]

/** Copies the working tree to a temporary folder. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pawtelier-planted-'))
  for (const name of [...COPIED_PATHS, ...globSync('tsconfig*.json', { cwd: ROOT })])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(copy, name))
  return copy
}

const JUDGED_WITHIN_MS = 300_000

type Report = { testResults: { assertionResults: { fullName: string; status: string }[] }[] }

/** Runs tests in the copy. @returns by title, whether each test that ran passed */
function runTests(copy: string, tests: readonly PlantedFault['caughtBy'][], snapshot: string): Map<string, boolean> {
  const report = join(copy, 'report.json')
  const titles = tests.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const projects = [...new Set(tests.map(({ project }) => project))].flatMap((project) => ['--project', project])
  const files = [...new Set(tests.map(({ file }) => file))]
  spawnSync(
    join(ROOT, 'node_modules/.bin/vitest'),
    [
      ...[
        'run',
        ...projects,
        '--retry=0',
        '--bail=1',
        // The rest of a busy machine must not decide what fails.
        '--maxWorkers=1',
        ...tests.flatMap(({ leavingOut }) => (leavingOut === undefined ? [] : ['--exclude', leavingOut])),
        ...files,
        ...(titles.includes('') ? [] : ['-t', titles.join('|')]),
      ],
      ...['--reporter=json', `--outputFile.json=${report}`],
    ],
    { cwd: copy, stdio: 'ignore', env: { ...process.env, TEST_DATABASE_URL: '', WORLD_SNAPSHOT: snapshot } },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(report)
  return new Map(
    testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => [fullName, status === 'passed']),
  )
}

/**
 * Plants each defect in a copy of the tree and runs its test there. A defect counts as missed when its code has changed or its
 * test did not run.
 * @param onResult called after each defect
 */
export async function plantAll(faults: readonly PlantedFault[], onResult: (result: Catch) => void): Promise<void> {
  const needsWorld = faults.some(({ caughtBy }) => caughtBy.project === 'embedded')
  const snapshot = needsWorld ? await writeSnapshot() : ''
  const copy = copyTree()
  try {
    for (const fault of faults) {
      const startedAt = performance.now()
      const { foundBy, remark } = tryFault(copy, fault, snapshot)
      onResult({
        name: fault.name,
        isCaught: foundBy !== undefined,
        by: `${fault.caughtBy.file}: ${foundBy ?? (fault.caughtBy.title || 'one of its tests')}`,
        seconds: (performance.now() - startedAt) / 1000,
        ...(remark && { remark }),
      })
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
    if (snapshot) rmSync(snapshot, { force: true })
  }
}

/** @returns the first mistake that a program prints; undefined when it prints none, or fails for another reason */
function firstLine(copy: string, program: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(process.execPath, program, {
    cwd: copy,
    encoding: 'utf8',
    timeout: JUDGED_WITHIN_MS,
  })
  return status === 0 ? stdout.split('\n')[0] : undefined
}

/** @returns the first test that found it, or why none did */
function tryFault(
  copy: string,
  { edits, caughtBy }: PlantedFault,
  snapshot: string,
): { foundBy?: string; remark?: string } {
  const lost = edits.find(({ file, from }) => readFileSync(join(copy, file), 'utf8').split(from).length !== 2)
  if (lost) return { remark: `${lost.file} has changed, so update the planted defect:` }
  for (const { file, from, to } of edits)
    writeFileSync(
      join(copy, file),
      readFileSync(join(copy, file), 'utf8').replace(from, () => to),
    )
  const line = caughtBy.judge && firstLine(copy, caughtBy.judge)
  const ended = line ? new Map([[line, false]]) : runTests(copy, [caughtBy], snapshot)
  for (const { file } of edits) cpSync(join(ROOT, file), join(copy, file))
  const foundBy = [...ended].find(([, hasPassed]) => !hasPassed)?.[0]
  if (foundBy !== undefined) return { foundBy }
  return { remark: ended.size === 0 ? 'missed, the test did not run:' : 'missed, the test passed:' }
}
