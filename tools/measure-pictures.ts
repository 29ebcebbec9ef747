import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Composition, StoredPicture } from '#contract/admin-pictures.ts'
import { openWorld } from '#sandbox/world.ts'

// A preview of a placed drawing; then all pictures of a product in six colors and three views, and what shoppers feel meanwhile. One
// shop process over the embedded database, answering from its API in this process; pictures are made in a process of their own.

const PREVIEW_MS = 2000
const ALL_MS = 60_000
/** Pages may take a quarter longer while pictures are made. */
const SLOWER_MAX = 1.25
const READ_EVERY_MS = 20
const CALM_MS = 10_000

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await using world = await openWorld()
const owner = world.shopper()
await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
const svg = readFileSync(new URL('../pictures/designs/pip-round.svg', import.meta.url))
const upload = await owner.send<StoredPicture>('POST', '/api/admin/pictures?kind=drawing&alt=Pip', svg)
const drawing = upload.body.file

const placement = { x: 0.5, y: 0.43, width: 0.98, height: 0.68 }
const previewOf = async (view: string, hex: string) => {
  const startedAt = performance.now()
  const query = { model: 't-shirt', view, hex, technique: 'print' }
  const where = Object.entries(placement).map(([name, value]): [string, string] => [name, String(value)])
  const search = new URLSearchParams([...Object.entries(query), ...where])
  await owner.send('GET', `/api/admin/pictures/${drawing}/preview?${search.toString()}`)
  return Math.round(performance.now() - startedAt)
}
const [first, again] = [await previewOf('front', '#1f2a44'), await previewOf('front', '#f3eee2')]
console.log(
  `preview: ${first} ms with a view that is not open yet, ${again} ms in another color (at most ${PREVIEW_MS})`,
)

/** Reads searches until told otherwise, each up to a price that no other had, so that none is cached. @returns milliseconds of each */
async function readUntil(isOver: () => boolean): Promise<number[]> {
  const reader = world.shopper()
  const taken: number[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    await reader.send('GET', `/api/search?q=hat&priceTo=${100_000_000 + Math.round(startedAt)}`)
    taken.push(performance.now() - startedAt)
    await pause(READ_EVERY_MS)
  }
  return taken
}

const calmUntil = performance.now() + CALM_MS
const calm = median(await readUntil(() => performance.now() > calmUntil))

const startedAt = performance.now()
const dyes = ['#2b2b2e', '#f3eee2', '#1f2a44', '#cdbfa6', '#46332a', '#a6b39a']
const started = await owner.send<Composition>('POST', '/api/admin/compositions', {
  ...{ drawing, model: 't-shirt', technique: 'print', placement, views: ['front', 'detail', 'lifestyle'] },
  colors: dyes.map((hex) => ({ name: hex, hex })),
})
let made = started.body
const reading = readUntil(() => made.state !== 'working')
while (made.state === 'working') {
  await pause(500)
  made = (await owner.send<Composition>('GET', `/api/admin/compositions/${made.id}`)).body
}
const ms = performance.now() - startedAt
const busy = median(await reading)
const seconds = (ms / 1000).toFixed(1)
console.log(`${made.made} of ${made.total} pictures in ${seconds} s (at most ${ALL_MS / 1000})`)
console.log(`median search: ${calm.toFixed(1)} ms before, ${busy.toFixed(1)} ms meanwhile (at most a quarter more)`)
if (Math.max(first, again) > PREVIEW_MS || ms > ALL_MS || busy > calm * SLOWER_MAX || made.state !== 'done')
  process.exitCode = 1
