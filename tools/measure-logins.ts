import { startOwnWorld } from './own-world.ts'

// Two figures about signing in, for a shop in its own process: how much slower catalog pages get while a hundred people sign in
// at the same time, and whether the duration of a refused login reveals that a name exists.

const LOGINS_AT_ONCE = 100
const ROUNDS = 3
const PAGES_A_ROUND = 60
const GUESSES = 200
const PAGE = '/products'

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

async function timeRequest(send: () => Promise<Response>): Promise<{ ms: number; status: number }> {
  const startedAt = performance.now()
  const answer = await send()
  await answer.arrayBuffer()
  return { ms: performance.now() - startedAt, status: answer.status }
}

/** The p-value of two samples (Mann-Whitney U test, normal approximation). */
function pValue(first: readonly number[], second: readonly number[]): number {
  const all = [...first.map((ms) => ({ ms, isFirst: true })), ...second.map((ms) => ({ ms, isFirst: false }))]
  const ranks = all
    .toSorted((a, b) => a.ms - b.ms)
    .reduce((sum, { isFirst }, index) => sum + (isFirst ? index + 1 : 0), 0)
  const u = ranks - (first.length * (first.length + 1)) / 2
  const z = (u - (first.length * second.length) / 2) / Math.sqrt((first.length * second.length * (all.length + 1)) / 12)
  return 2 * (1 - normal(Math.abs(z)))
}

/** The cumulative normal distribution (Abramowitz and Stegun 26.2.17; accurate to seven digits). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const tail = terms.reduce((sum, term, index) => sum + term * t ** (index + 1), 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}

const world = await startOwnWorld()
try {
  const post = (path: string, body: object) =>
    fetch(world.shop + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const ada = { username: 'ada', password: 'sleeps on ingots' }
  await post('/api/register', ada)
  const page = () => timeRequest(() => fetch(world.shop + PAGE))
  for (let warm = 0; warm < PAGES_A_ROUND; warm += 1) await page()

  const quiet: number[] = []
  const busy: number[] = []
  const logins: { ms: number; status: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let view = 0; view < PAGES_A_ROUND; view += 1) quiet.push((await page()).ms)
    const burst = Promise.all(
      Array.from({ length: LOGINS_AT_ONCE }, async () => {
        logins.push(await timeRequest(() => post('/api/login', ada)))
      }),
    )
    while (logins.length < (round + 1) * LOGINS_AT_ONCE) busy.push((await page()).ms)
    await burst
  }
  const refused = logins.filter(({ status }) => status !== 200).length
  const [alone, during] = [median(quiet), median(busy)]
  console.log(`${PAGE} alone:                     ${alone.toFixed(2)} ms (median of ${quiet.length})`)
  console.log(
    `${PAGE} during ${LOGINS_AT_ONCE} concurrent logins: ${during.toFixed(2)} ms (median of ${busy.length}), ${(during / alone).toFixed(2)} times`,
  )
  console.log(
    `one of ${LOGINS_AT_ONCE} concurrent logins: ${median(logins.map(({ ms }) => ms)).toFixed(0)} ms (median), ${refused} of ${logins.length} refused`,
  )

  const times: Record<'wrong password' | 'unknown name', number[]> = { 'wrong password': [], 'unknown name': [] }
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const wrong = { username: 'ada', password: `a guess ${guess}` }
    // A single name here too: the first try for a name inserts a row, later ones update it.
    const unknown = { username: 'nobody', password: `a guess ${guess}` }
    // The order alternates.
    for (const kind of guess % 2
      ? (['wrong password', 'unknown name'] as const)
      : (['unknown name', 'wrong password'] as const))
      times[kind].push((await timeRequest(() => post('/api/login', kind === 'unknown name' ? unknown : wrong))).ms)
  }
  const [known, unknown] = [times['wrong password'], times['unknown name']]
  console.log(
    `wrong password: ${median(known).toFixed(2)} ms, unknown name: ${median(unknown).toFixed(2)} ms (medians of ${GUESSES})`,
  )
  console.log(
    `difference ${Math.abs(median(known) - median(unknown)).toFixed(2)} ms; p = ${pValue(known, unknown).toFixed(3)}`,
  )
} finally {
  await world.close()
}
