import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { listUnansweredCalls } from '../sandbox/answered-calls.ts'
import { writeSnapshot } from '../test/databases.ts'
import { findChromium, findHeadlessShell } from './chromium.ts'
import { startPostgres } from './postgres.ts'

// Runs every check: types, lint, format, unused code, rules, HTTP, both databases, browsers. Prints `N passed, N failed` at the end
// and fails when anything failed.

const onlyStatic = process.argv.includes('--static')
const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 }
/** Repeated at the end of the run: thousands of lines lie between a failure and the count. */
const failures: string[] = []
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** More than twice what a step takes on two busy cores. A step that hangs fails here, by name, and the others still run. */
const STEP_MINUTES_MAX = 5
const SUITE_MINUTES_MAX = 45

/** A larger space for new objects: with the default one, collecting them took a seventh of the tests' time. */
const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --max-semi-space-size=64`

/** Ends a program and all that it started. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

type Running = { env?: Record<string, string>; isQuiet?: boolean; minutesMax?: number }

/** @returns the exit code; the program's output goes to this terminal, whole at the end when `isQuiet` */
function run(
  program: string,
  args: readonly string[],
  { env = {}, isQuiet = false, minutesMax = STEP_MINUTES_MAX }: Running = {},
): Promise<number> {
  return new Promise((resolve) => {
    const output = isQuiet ? 'pipe' : 'inherit'
    // A group of its own, which can be ended whole.
    const started = spawn(bin(program), args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, NODE_OPTIONS, ...env },
      detached: true,
    })
    const endNow = () => end(started.pid)
    process.once('exit', endNow)
    const limit = setTimeout(() => {
      console.log(`${program} ${args.join(' ')} was ended after ${minutesMax} minutes`)
      endNow()
    }, minutesMax * 60_000)
    const told: Buffer[] = []
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk: Buffer) => told.push(chunk))
    started.once('error', () => resolve(127))
    started.once('close', (code) => {
      clearTimeout(limit)
      process.off('exit', endNow)
      process.stdout.write(Buffer.concat(told))
      resolve(code ?? 1)
    })
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Runs a step that counts as one test. @param tries for a step that depends on chance; a later success counts as flaky */
async function check(title: string, program: string, args: readonly string[], tries = 1): Promise<void> {
  const startedAt = performance.now()
  let hasPassed = false
  for (let attempt = 1; attempt <= tries && !hasPassed; attempt += 1) {
    hasPassed = (await run(program, args, { isQuiet: true })) === 0
    if (hasPassed && attempt > 1) counts.flaky += 1
  }
  report(hasPassed, title, `(${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
}

/** A step that counts as one test. */
function report(hasPassed: boolean, title: string, ...details: string[]): void {
  counts[hasPassed ? 'passed' : 'failed'] += 1
  if (!hasPassed) failures.push([title, ...details].join(' '))
  console.log(hasPassed ? '✓' : '✗', title, ...details)
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}
type Suite = { file: string; suites?: Suite[]; specs: { ok: boolean; title: string }[] }
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: Suite[]
}

const failedSpecs = ({ file, suites = [], specs }: Suite): string[] => [
  ...specs.flatMap(({ ok, title }) => (ok ? [] : `${file}: ${title}`)),
  ...suites.flatMap(failedSpecs),
]

/** @returns the JSON report of Vitest or Playwright; undefined when the runner died first, which counts as one failure */
function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** What was expected, without the stack. */
const headOf = (message = 'no message') => message.split(/\n\s+at /, 1)[0]?.slice(0, 500)

async function runVitest(env: Record<string, string>): Promise<void> {
  const file = join(tmpdir(), `vitest-${process.pid}.json`)
  const code = await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], {
    env,
    minutesMax: SUITE_MINUTES_MAX,
  })
  const result = readReport(file) as VitestReport | undefined
  rmSync(file, { force: true })
  counts.passed += result?.numPassedTests ?? 0
  counts.failed += result?.numFailedTests ?? 0
  counts.skipped += result?.numPendingTests ?? 0
  for (const { name, assertionResults } of result?.testResults ?? [])
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed')
        failures.push(`${relative(root, name)}: ${fullName}\n  ${headOf(failureMessages.at(-1))}`)
  // A file that does not load or an unhandled rejection fails no test, but the run must fail.
  if (code !== 0 && !result?.numFailedTests) {
    counts.failed += 1
    failures.push('Vitest failed outside of a test')
  }
}

async function runPlaywright(chromium: string): Promise<void> {
  const file = join(tmpdir(), `playwright-${process.pid}.json`)
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROMIUM: chromium,
    CHROMIUM_HEADLESS_SHELL: findHeadlessShell() ?? chromium,
  }
  const code = await run('playwright', ['test', '--reporter=list,json'], { env, minutesMax: SUITE_MINUTES_MAX })
  const result = readReport(file) as PlaywrightReport | undefined
  rmSync(file, { force: true })
  counts.passed += (result?.stats.expected ?? 0) + (result?.stats.flaky ?? 0)
  counts.failed += result?.stats.unexpected ?? 0
  counts.flaky += result?.stats.flaky ?? 0
  counts.skipped += result?.stats.skipped ?? 0
  failures.push(...(result?.suites.flatMap(failedSpecs) ?? []))
  if (code !== 0 && !result?.stats.unexpected) {
    counts.failed += 1
    failures.push('Playwright failed outside of a test')
  }
}

async function checkStatically(): Promise<void> {
  for (const project of ['pure', 'server', 'web', 'tools'])
    await check(`types: ${project}`, 'tsc', ['-p', `tsconfig.${project}.json`])
  await check('lint and dependency rule', 'oxlint', ['--type-aware'])
  await check('style sheets', 'stylelint', ['src/**/*.css'])
  await check('format', 'oxfmt', ['--check'])
  await check('unused files, exports and packages', 'knip', ['--no-progress'])
  await check('spelling and banned words', 'cspell', ['--no-progress'])
}

async function checkInLaboratory(database: 'killed' | 'embedded'): Promise<void> {
  const laboratory = ['tools/prove-faults.ts', '--without-tests']
  await check('the two quickest planted defects are found', 'node', [...laboratory, '--planted', '--quick'])
  // Each run draws a new plan and prints its seed. A second run distinguishes an unlucky plan from a broken shop.
  const crowd = ['--only', database, '--seconds', '20']
  await check('every payment becomes an order while the shop is killed', 'node', [...laboratory, ...crowd], 2)
}

/** Processes that are ended at once leave what they wrote: all of it is in one folder, which goes with this process. */
function keepPassingFiles(): void {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-test-'))
  // Like the folder it stands for: PostgreSQL runs as another user.
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

keepPassingFiles()
if (onlyStatic) await checkStatically()
else {
  await check('build', 'node', ['tools/build.ts'])
  // First, because tests that find no browser are only skipped.
  const chromium = findChromium()
  const postgres = await startPostgres()
  if (!postgres) {
    report(false, 'PostgreSQL is missing and could not be installed; the HTTP tests ran only on the embedded database')
  }
  // The laboratory often waits, and most static checks use one core.
  await Promise.all([checkStatically(), checkInLaboratory(postgres ? 'killed' : 'embedded')])
  try {
    // For Vitest and for the browser tests with worlds of their own: each would begin with migrations otherwise.
    process.env['WORLD_SNAPSHOT'] = await writeSnapshot()
    const answered = mkdtempSync(join(tmpdir(), 'pawtelier-calls-'))
    await runVitest({
      ANSWERED_CALLS: answered,
      ...(postgres && { TEST_DATABASE_URL: postgres.url }),
      ...(chromium && { CHROMIUM: chromium }),
    })
    const unanswered = listUnansweredCalls(answered)
    rmSync(answered, { recursive: true })
    report(unanswered.length === 0, 'every call of the contract is answered in a test', ...unanswered)
    if (chromium) await runPlaywright(chromium)
    else report(false, 'Chromium is missing and could not be installed; no browser test ran')
    await check('links within a page and a purchase in Firefox and WebKitGTK', 'node', [
      'tools/prove-browsers.ts',
      '--short',
    ])
  } finally {
    await postgres?.stop()
  }
}

for (const failure of failures) console.log(`✗ ${failure}`)
if (counts.flaky) console.log(`${counts.flaky} tests passed only on retry; they are listed above.`)
console.log(`${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`)
process.exit(counts.failed ? 1 : 0)
