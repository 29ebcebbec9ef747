import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setup } from '../test/databases.ts'
import { crowdForPieces, openDropWorld, raceForLastPiece, RACES_MAX } from '../test/properties/drops.ts'
import { rushForDrop } from './drop-rush.ts'
import { startPostgres } from './postgres.ts'

// Two buyers of the last piece, again and again, and a crowd against N pieces, on PostgreSQL. Exits 1 when a piece was sold twice, a number
// is missing or double, somebody paid without a piece, or was not told.

const USAGE = `npm run prove:drop -- [--races 1000] [--crowd 400] [--pieces 50] [--at-once 20] [--json FILE]
  [--rush 0] [--rush-seconds 60] [--rush-pieces 500] [--pace 600] [--instances 1] [--kills 0] [--slowdown-max 2]
PostgreSQL runs at TEST_DATABASE_URL, otherwise on a server of its own; a rush always has its own.`

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '1000' },
    crowd: { type: 'string', default: '400' },
    pieces: { type: 'string', default: '50' },
    'at-once': { type: 'string', default: '20' },
    rush: { type: 'string', default: '0' },
    'rush-seconds': { type: 'string', default: '60' },
    'rush-pieces': { type: 'string', default: '500' },
    pace: { type: 'string', default: '600' },
    instances: { type: 'string', default: '1' },
    kills: { type: 'string', default: '0' },
    'slowdown-max': { type: 'string', default: '2' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const [races, crowd, pieces, atOnce] = [values.races, values.crowd, values.pieces, values['at-once']].map(Number)
const rush = {
  ...{ shoppers: Number(values.rush), seconds: Number(values['rush-seconds']), pieces: Number(values['rush-pieces']) },
  ...{ perMinute: Number(values.pace), instances: Number(values.instances), kills: Number(values.kills) },
  slowdownMax: Number(values['slowdown-max']),
}
if (
  values.help ||
  Object.values(rush).some(Number.isNaN) ||
  ![races, crowd, pieces, atOnce].every((number) => Number.isInteger(number))
) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const server = process.env['TEST_DATABASE_URL'] ? undefined : await startPostgres()
if (server) process.env['TEST_DATABASE_URL'] = server.url
process.env['TEST_DATABASE'] = 'postgresql'
const dropTemplate = await setup({ config: { env: { TEST_DATABASE: 'postgresql' } } })
const start = Date.now()
const secondsSoFar = () => Math.round((Date.now() - start) / 1000)
const wrong: string[] = []
const report: Record<string, unknown> = {}
try {
  if (races) {
    const raced = { told: 0, refunded: 0, wrong: 0 }
    for (let done = 0; done < races; done += RACES_MAX) {
      // Everybody has a card of their own, so more of them need a shop that has seen none.
      await using world = await openDropWorld()
      const found = await raceForLastPiece(world, Math.min(RACES_MAX, races - done), (more) => {
        if (more % 50 === 0) console.log(`${done + more} of ${races} races, ${secondsSoFar()} s`)
      })
      wrong.push(...found.wrong)
      raced.told += found.told
      raced.refunded += found.refunded
      raced.wrong += found.wrong.length
    }
    report['races'] = { count: races, told: raced.told, refunded: raced.refunded }
    console.log(
      `${races} races: ${raced.told} told before paying, ${raced.refunded} refunded and told why, ${raced.wrong} wrong`,
    )
  }
  if (crowd) {
    await using world = await openDropWorld()
    const rushed = await crowdForPieces(world, { crowd: crowd ?? 0, pieces: pieces ?? 0, atOnce: atOnce ?? 1 })
    wrong.push(...rushed.wrong)
    report['crowd'] = { crowd, pieces, ...rushed }
    console.log(
      `${crowd} against ${pieces} pieces: ${rushed.sold} sold, ${rushed.told} told, ${rushed.wrong.length} wrong, ${rushed.seconds} s`,
    )
  }
  if (rush.shoppers > 0) {
    const found = await rushForDrop(rush)
    wrong.push(...found.wrong)
    report['rush'] = { ...rush, ...found }
    const { quietMs, rushMs, slowdown, load } = found
    console.log(
      [
        `${rush.shoppers} within ${rush.seconds} s against ${rush.pieces} pieces, ${rush.instances} instances, ${found.kills} killed, ${found.cores} cores: ` +
          `${found.sold} sold, ${found.told} told, ${found.wrong.length} wrong, ${found.seconds} s, longest silence ${found.longestSilenceS} s (statuses ${found.silence.join(', ') || 'none'})`,
        `requests to the rest of the shop: median ${quietMs.median} ms quiet and ${rushMs.median} ms then (${slowdown.median} times), p95 ${quietMs.p95} and ${rushMs.p95} ms (${slowdown.p95} times)`,
        `waiting room: ${load.capacityPerS} answers a second at saturation; offered ${load.offeredPerS} requests a second (${load.ratio} times that), ${load.busiestPerS} in the busiest second (${load.busiestRatio} times), ${load.answeredPerS} answered`,
      ].join('\n'),
    )
  }
} finally {
  await dropTemplate()
  await server?.stop()
}
for (const one of wrong) console.error(one)
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ ...report, wrong, seconds: secondsSoFar() }, null, 2)}\n`)
process.exit(wrong.length > 0 ? 1 : 0)
