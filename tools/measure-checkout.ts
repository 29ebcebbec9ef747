import { addresses, openWorld } from '#sandbox/world.ts'

// How long a quote and a payment start take, with simulators that answer at once: the middle one of many, from the
// request to its answer, and what this whole process (shop, simulators, shopper) reckoned meanwhile.

const ROUNDS = 150
const WARM_UP = 30

const times = new Map<string, { wall: number; cpu: number }[]>()

async function measure(name: string, send: () => Promise<{ status: number }>): Promise<void> {
  const cpuBefore = process.cpuUsage()
  const begun = performance.now()
  const { status } = await send()
  const { user, system } = process.cpuUsage(cpuBefore)
  if (status !== 200) throw new Error(`${name} answered ${status}`)
  times.set(name, [...(times.get(name) ?? []), { wall: performance.now() - begun, cpu: (user + system) / 1000 }])
}

const median = (numbers: readonly number[]): string =>
  (numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0).toFixed(1)

await using world = await openWorld({ database: 'embedded', fromScratch: true })
for (let round = 0; round < ROUNDS; round += 1) {
  const shopper = world.shopper()
  await shopper.adds('hat')
  await shopper.adds('mug')
  const quote = { customerAddress: addresses.newYork }
  await measure('quote', () => shopper.send('POST', '/api/calculate-taxes', quote))
  await measure('payment start by card', () => shopper.startsPayment())
  await measure('the same again', () => shopper.startsPayment())
  await measure('payment start by wallet', () => shopper.startsWallet())
}
for (const [name, all] of times) {
  const warm = all.slice(WARM_UP)
  console.log(
    `${name.padEnd(26)}${median(warm.map(({ wall }) => wall))} ms, of which reckoned ${median(warm.map(({ cpu }) => cpu))} ms`,
  )
}
