import { parseArgs } from 'node:util'
import { build } from './build.ts'
import { findChromium } from './chromium.ts'
import { attacks } from './attacks/rows.ts'
import { filesById, runNamedTests } from './named-tests.ts'

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

const requestedRows = values.rows?.split(',') ?? Object.keys(attacks)
const unknownRows = requestedRows.filter((id) => !(id in attacks))
if (unknownRows.length > 0) {
  console.error(`Unknown attack: ${unknownRows.join(', ')}.\n${USAGE}`)
  process.exit(2)
}

const files = filesById()
if (values.list) {
  for (const id of requestedRows)
    console.log(`${id.padEnd(7)}${attacks[id]}\n       ${[...(files.get(id) ?? [])].join(', ')}`)
  process.exit(0)
}

await build()
const all = runNamedTests(requestedRows, values['without-browser'] ? undefined : findChromium(), {
  ...(values.fuzz && { FUZZ_REQUESTS: values.fuzz }),
  ...(values.seed && { FUZZ_SEED: values.seed }),
})

let open = 0
console.log('')
for (const id of requestedRows) {
  const tried = all.filter(({ ids }) => ids.includes(id))
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
