import { parseArgs } from 'node:util'
import { openWorld } from '#sandbox/world.ts'
import { differenceKinds } from '#domain/reconciliation/differences.ts'
import { formatUsd } from '#shared/money.ts'
import { readSums } from '#server/reconciliation/book-pairs.ts'
import { compareNow, inject, makeOrders, repairTwice } from '../test/properties/reconciliation.ts'

// Many orders, every kind of difference brought about among them, found, and repaired with two presses each. Exits 1 when
// one is missed, when something else is called wrong, when a second press does anything, or when a cent is left.

const { values } = parseArgs({
  options: { count: { type: 'string', default: '500' }, each: { type: 'string', default: '12' } },
})
const [count, each] = [Number(values.count), Number(values.each)]
if (!(each >= 1) || !(count * 0.8 >= each * differenceKinds.length)) {
  console.error(
    `npm run prove:reconciliation -- [--count 500] [--each 12]: the orders must be enough for ${differenceKinds.length} kinds, each so many times.`,
  )
  process.exit(2)
}

let failures = 0
const printResult = (isGood: boolean, words: string) => {
  if (!isGood) failures += 1
  console.log(`${isGood ? '✓' : '✗'} ${words}`)
}
const inS = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const world = await openWorld({ database: 'embedded', fromScratch: true, env: { SWEEP_INTERVAL_S: '300' } })
try {
  const begun = performance.now()
  await makeOrders(world, count)
  console.log(`${count} orders made in ${inS(begun)}`)
  const before = await compareNow(world)
  printResult(before.length === 0, `before anything went wrong: ${before.length} differences`)
  for (const { kind, about } of before.slice(0, 10)) console.log(`    ${kind} ${about}`)

  const injected = await inject(world, each)
  const comparing = performance.now()
  const found = await compareNow(world)
  const names = new Set(found.map(({ kind, about }) => `${kind} ${about}`))
  console.log(`${injected.size} differences brought about, compared in ${inS(comparing)}`)
  for (const kind of differenceKinds) {
    const wanted = [...injected].filter((name) => name.startsWith(`${kind} `))
    const missed = wanted.filter((name) => !names.has(name))
    printResult(missed.length === 0, `${kind}: ${wanted.length - missed.length} of ${wanted.length} found`)
  }
  const falseAlarms = [...names].filter((name) => !injected.has(name))
  printResult(falseAlarms.length === 0, `${falseAlarms.length} false alarms`)
  for (const name of falseAlarms.slice(0, 10)) console.log(`    ${name}`)

  const repairing = performance.now()
  const more = await repairTwice(world, found)
  printResult(
    more === 0,
    `${found.length} repairs pressed twice in ${inS(repairing)}: the second presses changed ${more} things`,
  )
  const left = await compareNow(world)
  printResult(left.length === 0, `after the repairs: ${left.length} differences`)
  for (const { kind, about } of left.slice(0, 10)) console.log(`    ${kind} ${about}`)
  for (const { provider, theirs, ours } of await readSums(world.shop.db))
    printResult(theirs === ours, `${provider}: ${formatUsd(theirs)} by its book, ${formatUsd(ours)} by ours`)
} finally {
  await world[Symbol.asyncDispose]()
}
process.exit(failures > 0 ? 1 : 0)
