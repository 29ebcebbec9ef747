import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.ts'
import { findChromium } from './chromium.ts'
import { filesByAttack, idsIn } from './attacks/named.ts'
import { attacks } from './attacks/rows.ts'

// Runs every test that names an attack in its title, over HTTP and in a browser, and prints a row per attack with its tests and
// results. An attack without a test fails, like an attack that succeeded.

const USAGE = `npm run prove:attacks -- [--rows S01,S42] [--fuzz 100000] [--seed N] [--without-browser] [--list]
  --rows             only these attacks
  --fuzz             number of requests per call, instead of the few that npm test sends
  --seed             seed of those requests, to repeat a run
  --without-browser  skips the tests that need Chromium; their rows count as not run, so the run fails
  --list             lists the attacks and their test files, and runs nothing`

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    fuzz: { type: 'string' },
    seed: { type: 'string' },
    'without-browser': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const ROOT = join(import.meta.dirname, '..')
const requestedRows = values.rows?.split(',') ?? Object.keys(attacks)
const unknownRows = requestedRows.filter((id) => !(id in attacks))
if (unknownRows.length > 0) {
  console.error(`Unknown attack: ${unknownRows.join(', ')}.\n${USAGE}`)
  process.exit(2)
}

type TestResult = { title: string; file: string; hasPassed: boolean | undefined }

const files = filesByAttack()
if (values.list) {
  for (const id of requestedRows)
    console.log(`${id.padEnd(7)}${attacks[id]}\n       ${[...(files.get(id) ?? [])].join(', ')}`)
  process.exit(0)
}

/** For both runners: titles that end with at least one of the requested ids. */
const PATTERN = `\\(([A-Z0-9]+, )*(${requestedRows.join('|')})(, [A-Z0-9]+)*\\)$`
const filesOfRun = [...new Set(requestedRows.flatMap((id) => [...(files.get(id) ?? [])]))]
const ofBrowser = filesOfRun.filter((file) => file.endsWith('.e2e.ts'))
const others = filesOfRun.filter((file) => !file.endsWith('.e2e.ts'))

const folder = mkdtempSync(join(tmpdir(), 'attacks-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

function run(program: string, args: readonly string[], env: Record<string, string>): void {
  spawnSync(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
}

type VitestReport = {
  testResults: { name: string; message: string; assertionResults: { title: string; status: string }[] }[]
}

function tryThroughHttp(): TestResult[] {
  const file = join(folder, 'vitest.json')
  run(
    'vitest',
    [
      ...['run', '--project', 'rules', '--project', 'embedded', '-t', PATTERN],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...others],
    ],
    { ...(values.fuzz && { FUZZ_REQUESTS: values.fuzz }), ...(values.seed && { FUZZ_SEED: values.seed }) },
  )
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status }) => ({
      title,
      file: name.replace(`${ROOT}/`, ''),
      // Skipped tests were left out by the pattern or cannot run on this machine.
      hasPassed: status === 'passed' ? true : status === 'failed' ? false : undefined,
    })),
  )
}

type PlaywrightSuite = {
  file: string
  suites?: PlaywrightSuite[]
  specs: { title: string; ok: boolean }[]
}

function tryInBrowser(chromium: string): TestResult[] {
  const file = join(folder, 'playwright.json')
  run('playwright', ['test', '--reporter=line,json', '--grep', PATTERN, ...ofBrowser], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROMIUM: chromium,
  })
  const { suites } = JSON.parse(readFileSync(file, 'utf8')) as { suites: PlaywrightSuite[] }
  const tried = ({ file: inFile, suites: inner = [], specs }: PlaywrightSuite): TestResult[] => [
    ...specs.map(({ title, ok }) => ({ title, file: `test/e2e/${inFile}`, hasPassed: ok })),
    ...inner.flatMap(tried),
  ]
  return suites.flatMap(tried)
}

await build()
const chromium = values['without-browser'] ? undefined : findChromium()
const all = [
  ...(others.length > 0 ? tryThroughHttp() : []),
  ...(ofBrowser.length > 0 && chromium ? tryInBrowser(chromium) : []),
].filter(({ hasPassed }) => hasPassed !== undefined)

let open = 0
console.log('')
for (const id of requestedRows) {
  const tried = all.filter(({ title }) => idsIn(title).includes(id))
  const missing = [...(files.get(id) ?? [])].filter((file) => !tried.some((result) => result.file === file))
  const broken = tried.filter(({ hasPassed }) => !hasPassed)
  const isProven = tried.length > 0 && broken.length === 0 && missing.length === 0
  if (!isProven) open += 1
  console.log(`${isProven ? '✓' : '✗'} ${id.padEnd(7)}${attacks[id]}`)
  for (const [file, results] of Map.groupBy(tried, (result) => result.file))
    console.log(`          ${results.filter(({ hasPassed }) => hasPassed).length} of ${results.length} passed  ${file}`)
  for (const file of missing) console.log(`          not run   ${file}`)
  for (const { title } of broken) console.log(`          FAILED    ${title}`)
  if (tried.length === 0 && missing.length === 0) console.log('          no test covers it')
}
console.log(`\n${requestedRows.length - open} attacks fended off, ${open} open`)
process.exit(open > 0 ? 1 : 0)
