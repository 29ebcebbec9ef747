import { addresses, openWorld } from '#sandbox/world.ts'

// How long a quote and a payment start take with simulators that answer immediately: the median from request to answer, and the
// CPU time that the whole process (shop, simulators, shopper) used meanwhile.

const ROUNDS = 150
const WARM_UP = 30

const times = new Map<string, { wall: number; cpu: number }[]>()

async function measure(name: string, send: () => Promise<{ status: number }>): Promise<void> {
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const { status } = await send()
  const { user, system } = process.cpuUsage(cpuBefore)
  if (status !== 200) throw new Error(`${name} answered ${status}`)
  times.set(name, [...(times.get(name) ?? []), { wall: performance.now() - startedAt, cpu: (user + system) / 1000 }])
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
  await measure('the same payment start, repeated', () => shopper.startsPayment())
  await measure('payment start by wallet', () => shopper.startsWallet())
}
for (const [name, all] of times) {
  const warm = all.slice(WARM_UP)
  console.log(
    `${name.padEnd(34)}${median(warm.map(({ wall }) => wall))} ms, ${median(warm.map(({ cpu }) => cpu))} ms of it CPU`,
  )
}
