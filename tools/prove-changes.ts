import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { setup } from '../test/databases.ts'
import { runChangeHistories } from '../test/properties/change-histories.ts'
import { runChangeRaces } from '../test/properties/change-races.ts'
import { startPostgres } from './postgres.ts'

// Many random histories of changed orders; after each step a separate checker reads audit views, books and the simulators' ledgers.
// With --races instead, orders that are canceled or changed in the moment in which they go to the printer. Exits 1 when something differed.

const USAGE = `npm run prove:changes -- [--count 10000] [--seed N] [--at-once 4] [--threads N] [--database embedded|postgresql]
npm run prove:changes -- --races 1000 [--database embedded|postgresql]
PostgreSQL runs at TEST_DATABASE_URL, otherwise on a server of its own.`

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    races: { type: 'string' },
    'at-once': { type: 'string', default: '4' },
    threads: { type: 'string', default: String(availableParallelism()) },
    database: { type: 'string', default: 'embedded' },
    help: { type: 'boolean', default: false },
  },
})
const [count, seed, threads] = [Number(values.count), Number(values.seed), Number(values.threads)]
/** In each thread. */
const atOnce = Number(values['at-once'])
const races = values.races === undefined ? undefined : Number(values.races)
const { database } = values
const isDatabase = database === 'embedded' || database === 'postgresql'
if (values.help || !isDatabase || [count, seed, threads, atOnce, races ?? 0].some(Number.isNaN)) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const start = Date.now()
const secondsSoFar = () => `${Math.round((Date.now() - start) / 1000)} s`

/** `seed`: every thread has the same. */
type Share = { index: number; seed: number }
type Progress = { added: number; failures: readonly string[]; isLast: boolean }

/** What a thread does: its share of the histories. */
async function proveShare(kind: 'embedded' | 'postgresql', { index, seed: ofAll }: Share): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const tell = (progress: Progress) => parentPort?.postMessage(progress)
  let before = 0
  const options = { count, seed: ofAll, atOnce, database: kind, share: { index, of: threads } }
  await runChangeHistories(options, (done, failures) => {
    tell({ added: done - before, failures, isLast: false })
    before = done
  })
  tell({ added: 0, failures: [], isLast: true })
}

/** @returns how many histories differ */
async function proveHistories(kind: 'embedded' | 'postgresql'): Promise<number> {
  let [done, wrong] = [0, 0]
  const runThread = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const share: Share = { index, seed }
      const thread = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: share })
      thread.on('message', ({ added, failures, isLast }: Progress) => {
        if (isLast) return void thread.terminate()
        done += added
        wrong += failures.length
        console.log(`${done} of ${count} histories, ${secondsSoFar()}`)
        for (const one of failures) console.error(one)
      })
      thread.once('error', reject)
      thread.once('exit', () => resolve())
    })
  await Promise.all(Array.from({ length: threads }, (_, index) => runThread(index)))
  console.log(`${done} histories on ${kind}, seed ${seed}: ${wrong} differ`)
  return done === count ? wrong : wrong + 1
}

/** @returns how many differ */
async function proveRaces(kind: 'embedded' | 'postgresql', count: number): Promise<number> {
  const { granted, refused, wrong } = await runChangeRaces({ count, database: kind }, (done) =>
    console.log(`${done} of ${count} races, ${secondsSoFar()}`),
  )
  for (const one of wrong) console.error(one)
  console.log(`${count} races on ${kind}: ${wrong.length} differ`)
  console.table({ granted, refused })
  return wrong.length
}

if (isMainThread) {
  const server = database === 'postgresql' && !process.env['TEST_DATABASE_URL'] ? await startPostgres() : undefined
  if (server) process.env['TEST_DATABASE_URL'] = server.url
  const drop = await setup({ config: { env: { TEST_DATABASE: database } } })
  const wrong = races === undefined ? await proveHistories(database) : await proveRaces(database, races)
  await drop()
  await server?.stop()
  process.exit(wrong > 0 ? 1 : 0)
}
await proveShare(database, workerData as Share)
