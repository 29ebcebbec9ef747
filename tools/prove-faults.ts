import { parseArgs } from 'node:util'
import { build } from './build.ts'
import { readCatalog } from '../test/properties/books.ts'
import { check, type Verdict } from '../test/properties/checker.ts'
import { runExperiment, type Experiment, type Findings } from './faults/laboratory.ts'
import { faults, invariants, type LabProof } from './faults/rows.ts'
import { runMatrix, type Cell } from './faults/matrix.ts'
import { plantedFaults, plantAll, quickestFaults } from './faults/planted-faults.ts'
import { scenarios, type Outcome } from './faults/scenarios.ts'
import { findChromium } from './chromium.ts'
import { filesById, runNamedTests, type NamedTest } from './named-tests.ts'
import { startPostgres } from './postgres.ts'

// The crash laboratory: people buy from the built shop while its processes are killed at random and at every named step and
// everything around it fails; a separate checker judges the result. Exits 1 when anything broke, or when a row was not tried and
// does not state why.

const USAGE = `npm run prove:faults -- [--seconds 60] [--only killed,three,embedded,clock,rolling,slow,full,matrix] [--seed N] [--without-tests]
  --seconds        how long people buy under faults, divided among the runs on PostgreSQL, three instances and the embedded database
  --only           only these runs
  --seed           of the plan: who buys what, what fails, and when instances are killed
  --without-tests  skips the rows that npm test proves
npm run prove:faults -- --checkouts 500 [--database postgresql|embedded] [--instances 3] [--kills 60] [--faults 0.2] [--at-once 12] [--seeds 1]
  one long run with this many purchases; --seeds repeats it with the following seeds
npm run prove:faults -- --planted [--quick]
  plants ten defects in a copy of the tree, one at a time; each must be found. --quick: only the two found fastest`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'without-tests': { type: 'boolean', default: false },
    checkouts: { type: 'string' },
    database: { type: 'string', default: 'postgresql' },
    instances: { type: 'string', default: '1' },
    kills: { type: 'string' },
    faults: { type: 'string', default: '0.2' },
    'at-once': { type: 'string', default: '12' },
    seeds: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const numbers = ['seconds', 'seed', 'checkouts', 'instances', 'kills', 'faults', 'at-once', 'seeds'] as const
const isWrong =
  numbers.some((name) => Number.isNaN(Number(values[name] ?? 0))) ||
  !['postgresql', 'embedded'].includes(values.database) ||
  (values.database === 'embedded' && values.instances !== '1')
if (values.help || isWrong) {
  console.log(USAGE)
  process.exit(isWrong ? 2 : 0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

const seed = Number(values.seed)
const share = Number(values.faults)
const atOnce = Number(values['at-once'])
/** More than any timed run reaches. */
const MANY = 100_000
/** Kills for a number of purchases (F01: 60 for 500). */
const killsFor = (checkouts: number) => Math.ceil((checkouts * 60) / 500)

const READY_MAX_MS = { postgresql: 5000, embedded: 8000 }
const READY_AFTER_DATABASE_MAX_MS = 5000
const SETTLED_MAX_S = 60
const FAILURES_IN_A_ROW_MAX = 2

type JudgedRun = { verdicts: Verdict[]; misses: string[]; figures: Findings['figures'] }

async function runOne(experiment: Experiment): Promise<JudgedRun> {
  const { database, instances } = experiment
  const where =
    database === 'embedded' ? 'the embedded database' : `PostgreSQL, ${instances} instance${instances > 1 ? 's' : ''}`
  const until = experiment.seconds ? `${experiment.seconds} s` : `${experiment.checkouts} checkouts`
  console.log(`\n${where}: ${until}, ${experiment.faults * 100} % of provider calls fail, seed ${experiment.seed}`)
  const findings = await runExperiment(experiment)
  const verdicts = check({ ...findings, catalog: readCatalog() })
  const misses = missesOf(findings, experiment)
  printRun(findings, verdicts, misses)
  return { verdicts, misses, figures: findings.figures }
}

const worstOf = (diaries: Findings['diaries']): readonly string[] =>
  diaries.map(({ failuresInARow }) => failuresInARow).toSorted((a, b) => b.length - a.length)[0] ?? []

/** @returns figures that miss their limits */
function missesOf({ figures, diaries }: Findings, { database, instances, killsMin }: Experiment): string[] {
  const slowest = Math.max(0, ...figures.readyAfterKillMs)
  const slowestDatabase = Math.max(0, ...figures.readyAfterDatabaseMs)
  const worst = worstOf(diaries)
  return [
    figures.secondsUntilSettled > SETTLED_MAX_S && `settled only after ${figures.secondsUntilSettled.toFixed(0)} s`,
    slowest > READY_MAX_MS[database] && `ready only ${(slowest / 1000).toFixed(1)} s after a kill`,
    slowestDatabase > READY_AFTER_DATABASE_MAX_MS &&
      `ready only ${(slowestDatabase / 1000).toFixed(1)} s after the database was back`,
    figures.kills < killsMin && `${figures.kills} kills, not ${killsMin}`,
    instances > 1 &&
      worst.length > FAILURES_IN_A_ROW_MAX &&
      `a shopper had ${worst.length} failures in a row: ${[...Map.groupBy(worst, (failure) => failure)].map(([failure, times]) => `${failure} ${times.length} times`).join(', ')}`,
  ].filter((miss) => miss !== false)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function printRun(
  { figures, diaries, audit }: Findings,
  verdicts: readonly Verdict[],
  misses: readonly string[],
): void {
  const { readyAfterKillMs: ready, readyAfterDatabaseMs: back } = figures
  const median = ready.toSorted((a, b) => a - b)[Math.floor(ready.length / 2)] ?? 0
  const worst = worstOf(diaries).length
  console.log(
    `  ${figures.checkouts} checkouts, ${audit.audit_orders.length} orders in ${figures.secondsOfFaults.toFixed(0)} s of faults`,
  )
  console.log(
    `  ${figures.kills} kills, ${figures.stepsReached.length} of them at named steps; ready after a kill: median ${seconds(median)}, longest ${seconds(Math.max(0, ...ready))}`,
  )
  if (back.length > 0)
    console.log(`  ${back.length} kills of the database; ready after a kill: longest ${seconds(Math.max(...back))}`)
  console.log(
    `  everything settled ${figures.secondsUntilSettled.toFixed(1)} s after the faults ended; at most ${worst} failures in a row for a shopper`,
  )
  if (figures.last.length > 0) console.log(`  finished last: ${figures.last.slice(0, 3).join('; ')}`)
  for (const { id, title, checked, violations } of verdicts) {
    console.log(
      `  ${violations.length ? '✗' : '✓'} ${id.padEnd(9)}${String(checked).padStart(6)} checked ${String(violations.length).padStart(4)} broken  ${title}`,
    )
    for (const violation of violations.slice(0, 8)) console.log(`        ${violation}`)
  }
  for (const miss of misses) console.log(`  ✗ ${miss}`)
}

const holds = ({ verdicts }: JudgedRun): boolean => verdicts.every(({ violations }) => violations.length === 0)
/** Figures count only in long runs: other load on the machine must not fail a short one. */
const hasPassed = (judged: JudgedRun): boolean => holds(judged) && judged.misses.length === 0

/** The result of a row; `undefined` if it was not run. */
type Row = { hasPassed: boolean | undefined; how: string[] }

/** Runs only the requested long run, once per seed. */
async function proveLong(checkouts: number): Promise<boolean> {
  let allPassed = true
  for (let more = 0; more < Number(values.seeds); more += 1) {
    const judged = await runOne({
      seed: seed + more,
      database: values.database as Experiment['database'],
      instances: Number(values.instances),
      checkouts,
      killsMin: Number(values.kills ?? killsFor(checkouts)),
      faults: share,
      atOnce,
    })
    allPassed &&= hasPassed(judged)
  }
  return allPassed
}

const crowds: Partial<Record<LabProof, { experiment: Pick<Experiment, 'database' | 'instances'>; part: number }>> = {
  killed: { experiment: { database: 'postgresql', instances: 1 }, part: 0.4 },
  three: { experiment: { database: 'postgresql', instances: 3 }, part: 0.3 },
  embedded: { experiment: { database: 'embedded', instances: 1 }, part: 0.3 },
}

async function proveAll(): Promise<boolean> {
  const wanted = values.only?.split(',') ?? [...Object.keys(crowds), ...Object.keys(scenarios), 'matrix']
  const inLab = new Map<LabProof, Row>()
  const laws = new Map<string, boolean>()
  const ofCrowds = wanted.filter((name) => name in crowds) as LabProof[]
  const parts = ofCrowds.reduce((sum, name) => sum + (crowds[name]?.part ?? 0), 0)
  for (const name of ofCrowds) {
    const crowd = crowds[name]
    if (!crowd) continue
    const lasting = Math.round((Number(values.seconds) * crowd.part) / parts)
    const judged = await runOne({
      ...crowd.experiment,
      seed,
      checkouts: MANY,
      seconds: lasting,
      killsMin: 1,
      faults: share,
      atOnce,
    })
    const { figures, verdicts } = judged
    for (const { id, violations } of verdicts) laws.set(id, (laws.get(id) ?? true) && violations.length === 0)
    const how = [
      `${figures.checkouts} checkouts, ${figures.kills} kills, settled after ${figures.secondsUntilSettled.toFixed(1)} s`,
    ]
    inLab.set(name, {
      hasPassed: holds(judged),
      how: [...how, ...judged.misses.map((miss) => `does not count in a short run: ${miss}`)],
    })
    if (figures.databaseCrashes > 0)
      inLab.set('database', {
        hasPassed: holds(judged),
        how: [
          `${figures.databaseCrashes} kills of the server, ready again after ${seconds(Math.max(...figures.readyAfterDatabaseMs))}`,
        ],
      })
  }
  for (const name of wanted) {
    const scenario = scenarios[name as LabProof]
    if (scenario) inLab.set(name as LabProof, rowOf(await scenario(seed)))
  }
  const cells = wanted.includes('matrix') ? await runMatrix(seed) : []
  const tried = values['without-tests'] ? undefined : await runTests()
  const isTableWell = printTable(inLab, laws, tried)
  return printMatrix(cells) && isTableWell
}

/** The tests that name a fault; moving to PostgreSQL needs a server. */
async function runTests(): Promise<NamedTest[]> {
  const ids = [...filesById().keys()].filter((id) => /^[FR]\d\d$/.test(id))
  const url = process.env['TEST_DATABASE_URL']
  const server = url === undefined ? await startPostgres() : undefined
  try {
    return runNamedTests(ids, findChromium(), { TEST_DATABASE_URL: url ?? server?.url ?? '' })
  } finally {
    await server?.stop()
  }
}

/** @returns whether every cell keeps its promise */
function printMatrix(cells: readonly Cell[]): boolean {
  if (cells.length > 0) console.log('\nResiliency: what still works during an outage')
  for (const [dependency, row] of Map.groupBy(cells, (cell) => cell.dependency)) {
    console.log(dependency)
    for (const { column, promised, saw, holds } of row)
      console.log(`  ${holds ? '✓' : '✗'} ${column.padEnd(13)}${promised}  ${saw}`)
  }
  return cells.every(({ holds }) => holds)
}

const rowOf = ({ tried, figures, violations, notRun }: Outcome): Row =>
  notRun === undefined
    ? {
        hasPassed: violations.length === 0,
        how: [`${tried}: ${figures}`, ...violations.map((violation) => `FAILED  ${violation}`)],
      }
    : { hasPassed: undefined, how: [`not run: ${notRun}`] }

const longRuns: Readonly<Record<string, string>> = {
  F04: 'on request: npm run prove:faults -- --checkouts 250 --seeds 20',
  F48: 'on request: npm run prove:faults -- --checkouts 500 --database embedded --kills 150',
}

/** @returns whether every row that was tried passed */
function printTable(
  inLab: ReadonlyMap<LabProof, Row>,
  laws: ReadonlyMap<string, boolean>,
  tried: readonly NamedTest[] | undefined,
): boolean {
  let allPassed = true
  const print = (id: string, title: string, { hasPassed, how }: Row) => {
    if (hasPassed === false) allPassed = false
    console.log(`${hasPassed === undefined ? '–' : hasPassed ? '✓' : '✗'} ${id.padEnd(5)}${title}`)
    for (const line of how) console.log(`        ${line}`)
  }
  const byTests = (id: string): Row | undefined => {
    const named = tried?.filter(({ ids }) => ids.includes(id)) ?? []
    if (named.length === 0) return undefined
    return {
      hasPassed: named.every(({ hasPassed }) => hasPassed),
      how: named.map(({ title, file, hasPassed }) => `${hasPassed ? '' : 'FAILED  '}${file}: ${title}`),
    }
  }

  console.log('\nFaults')
  for (const [id, { title, inLab: proof }] of Object.entries(faults)) {
    const row =
      proof === 'long' ? { hasPassed: undefined, how: [longRuns[id] ?? ''] } : proof ? inLab.get(proof) : byTests(id)
    if (row) print(id, title, row)
    else if (proof || values['without-tests'])
      print(id, title, { hasPassed: undefined, how: [proof ? 'not run this time' : 'proven by npm test'] })
    else print(id, title, { hasPassed: false, how: ['no test covers it'] })
  }

  console.log('\nInvariants')
  for (const [id, { title, law, tests = [] }] of Object.entries(invariants)) {
    const hasPassed = law ? laws.get(law) : undefined
    const judges = [...(law ? ['the checker'] : []), ...tests.map((test) => `tests with ${test} in their title`)]
    print(id, title, { hasPassed, how: [`judged by ${judges.join(', ')}`] })
  }
  return allPassed
}

/** @returns whether every planted defect was found */
async function provePlanted(): Promise<boolean> {
  const wanted = values.quick ? plantedFaults.filter(({ name }) => quickestFaults.includes(name)) : plantedFaults
  const caught: boolean[] = []
  await plantAll(wanted, ({ name, isCaught, by, seconds: took, remark }) => {
    caught.push(isCaught)
    console.log(`${isCaught ? '✓' : '✗'} ${name} (${took.toFixed(1)} s)\n        ${remark ?? 'found by'} ${by}`)
  })
  console.log(`\n${caught.filter(Boolean).length} of ${wanted.length} planted defects found`)
  return caught.length === wanted.length && !caught.includes(false)
}

// Tests run against the production build.
await build()
const proves = values.planted
  ? await provePlanted()
  : values.checkouts
    ? await proveLong(Number(values.checkouts))
    : await proveAll()
if (values.planted) process.exit(proves ? 0 : 1)
const allPassed = proves
console.log(`\nSeed ${seed}: ${allPassed ? 'everything that was tried passed' : 'something FAILED'}`)
process.exit(allPassed ? 0 : 1)
