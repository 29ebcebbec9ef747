import { parseArgs } from 'node:util'
import { plantAll } from './faults/planted-faults.ts'
import { simulatorBugs } from './simulators/planted-bugs.ts'

// Plants bugs into the simulators, one at a time, and runs the conformance tests of that provider on each. A bug that no test finds is
// a difference that a shop would learn wrongly. Exits 1 when too many go unnoticed, or when one no longer fits the code.

const USAGE = `npm run prove:simulators -- [--only WORDS] [--list]
  --only   only bugs whose name contains these words
  --list   lists the bugs and runs nothing
PROVIDER_CONTRACTS names the folder of the providers' published schemas; without it, their tests are skipped.`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const bugs = simulatorBugs.filter(({ name }) => name.includes(values.only))
if (values.list) {
  for (const { name } of bugs) console.log(name)
  process.exit(0)
}

const missed: string[] = []
await plantAll(bugs, ({ name, isCaught, by, remark, seconds }) => {
  if (!isCaught) missed.push(name)
  console.log(`${isCaught ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)\n    ${remark ?? 'found by'} ${by}`)
})
console.log(`\n${bugs.length - missed.length} of ${bugs.length} planted bugs found`)
process.exit(missed.length > 0 ? 1 : 0)
