import { parseArgs } from 'node:util'
import { restoreOldBackup } from '../test/properties/restored-backup.ts'

// Restores a backup that lacks the last payments; the providers still know them. Exits 1 when one is lost or doubled.

const { values } = parseArgs({ options: { payments: { type: 'string', default: '50' } } })
const count = Number(values.payments)
if (!(Number.isInteger(count) && count >= 2)) {
  console.error('npm run prove:restore -- [--payments 50]\n--payments: a whole number, at least 2.')
  process.exit(2)
}

const startedAtMs = performance.now()
const { lost, orders, exceptions, violations } = await restoreOldBackup(count)
console.log(
  `${lost.size} payments after the backup: ${orders.size} came back as orders, ${exceptions.size} as exceptions, in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`,
)
for (const violation of violations) console.log(`✗ ${violation}`)
process.exit(violations.length > 0 || lost.size !== count ? 1 : 0)
