import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { hashOfBooks } from '#sandbox/demo-life/books-hash.ts'
import { DEMO, type DemoFacts } from '#sandbox/demo-life/files.ts'
import { LIFE, playLife } from '#sandbox/demo-life/play.ts'
import { openWorld } from '#sandbox/world.ts'
import { writeBackup } from '#server/db/backup.ts'

// Plays the demo's 90 days and saves them as `npm start` begins with them; with --check only compares the books.

const EARLY_DAYS = 4

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const { seed, days, startsAt } = LIFE
const startedAt = performance.now()
await using world = await openWorld({ fromScratch: true, startsAt, env: LIFE.env })
let early = ''
await playLife(world, { seed, days }, async (day) => {
  if (day === EARLY_DAYS - 1) early = await hashOfBooks(world.shop)
  process.stdout.write(`\rDay ${day + 1} of ${days}`)
})
const facts: DemoFacts = { seed, days, early: { days: EARLY_DAYS, hash: early }, hash: await hashOfBooks(world.shop) }
console.log(`\nPlayed in ${Math.round((performance.now() - startedAt) / 1000)} s; the books' hash is ${facts.hash}.`)
if (values.check) {
  const saved = JSON.parse(await readFile(DEMO.facts, 'utf8')) as DemoFacts
  if (saved.hash !== facts.hash) throw new Error(`The saved books have another hash: ${saved.hash}.`)
} else {
  await mkdir(dirname(DEMO.facts), { recursive: true })
  await rm(DEMO.backup, { force: true })
  await writeBackup(world.shop.database, DEMO.backup)
  await writeFile(DEMO.books, world.simulators.save())
  await writeFile(DEMO.facts, `${JSON.stringify(facts, null, 2)}\n`)
}
