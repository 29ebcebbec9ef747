import { parseArgs } from 'node:util'
import { openWorld } from '#sandbox/world.ts'
import { differenceKinds } from '#domain/reconciliation/differences.ts'
import { formatUsd } from '#shared/money.ts'
import { readSums } from '#server/reconciliation/book-pairs.ts'
import { compareNow, inject, makeOrders, repairTwice } from '../test/properties/reconciliation.ts'

// Creates many orders and injects every kind of difference; each must be found, and repaired by two clicks. Exits 1 on a missed
// difference, a false alarm, a second click that changes anything, or a cent left over.

const { values } = parseArgs({
  options: { count: { type: 'string', default: '500' }, each: { type: 'string', default: '12' } },
})
const [count, each] = [Number(values.count), Number(values.each)]
if (!(each >= 1) || !(count * 0.8 >= each * differenceKinds.length)) {
  console.error(
    `npm run prove:reconciliation -- [--count 500] [--each 12]\nThere are ${differenceKinds.length} kinds of differences: --count must be at least ${differenceKinds.length} × --each / 0.8.`,
  )
  process.exit(2)
}

let failures = 0
const printResult = (isGood: boolean, message: string) => {
  if (!isGood) failures += 1
  console.log(`${isGood ? '✓' : '✗'} ${message}`)
}
const secondsSince = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const world = await openWorld({ database: 'embedded', fromScratch: true, env: { SWEEP_INTERVAL_S: '300' } })
try {
  const startedAt = performance.now()
  await makeOrders(world, count)
  console.log(`${count} orders made in ${secondsSince(startedAt)}`)
  const before = await compareNow(world)
  printResult(before.length === 0, `before injecting: ${before.length} differences`)
  for (const { kind, about } of before.slice(0, 10)) console.log(`    ${kind} ${about}`)

  const injected = await inject(world, each)
  const comparingAt = performance.now()
  const found = await compareNow(world)
  const names = new Set(found.map(({ kind, about }) => `${kind} ${about}`))
  console.log(`${injected.size} differences injected, compared in ${secondsSince(comparingAt)}`)
  for (const kind of differenceKinds) {
    const expected = [...injected].filter((name) => name.startsWith(`${kind} `))
    const missed = expected.filter((name) => !names.has(name))
    printResult(missed.length === 0, `${kind}: ${expected.length - missed.length} of ${expected.length} found`)
  }
  const falseAlarms = [...names].filter((name) => !injected.has(name))
  printResult(falseAlarms.length === 0, `${falseAlarms.length} false alarms`)
  for (const name of falseAlarms.slice(0, 10)) console.log(`    ${name}`)

  const repairingAt = performance.now()
  const more = await repairTwice(world, found)
  printResult(
    more === 0,
    `${found.length} repairs clicked twice in ${secondsSince(repairingAt)}: the second clicks changed ${more} things`,
  )
  const left = await compareNow(world)
  printResult(left.length === 0, `after the repairs: ${left.length} differences`)
  for (const { kind, about } of left.slice(0, 10)) console.log(`    ${kind} ${about}`)
  for (const { provider, theirs, ours } of await readSums(world.shop.db, world.shop.config.reportTimeZone))
    printResult(theirs === ours, `${provider}: ${formatUsd(theirs)} at the provider, ${formatUsd(ours)} in our books`)
} finally {
  await world[Symbol.asyncDispose]()
}
process.exit(failures > 0 ? 1 : 0)
