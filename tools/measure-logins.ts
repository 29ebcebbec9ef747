import { startOwnWorld } from './own-world.ts'

// Two figures about signing in, of a shop in a process of its own: how much slower catalog pages get while a hundred people
// sign in at once, and whether the time of a refused login tells that a name exists.

const LOGINS_AT_ONCE = 100
const ROUNDS = 3
const PAGES_A_ROUND = 60
const GUESSES = 200
const PAGE = '/products'

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

async function timeRequest(send: () => Promise<Response>): Promise<{ ms: number; status: number }> {
  const begun = performance.now()
  const answer = await send()
  await answer.arrayBuffer()
  return { ms: performance.now() - begun, status: answer.status }
}

/** The chance that two samples as different as these come from one source (Mann-Whitney, with the normal approximation). */
function likeness(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))]
  const ranks = all.toSorted((a, b) => a.ms - b.ms).reduce((sum, { isOne }, index) => sum + (isOne ? index + 1 : 0), 0)
  const u = ranks - (one.length * (one.length + 1)) / 2
  const z = (u - (one.length * other.length) / 2) / Math.sqrt((one.length * other.length * (all.length + 1)) / 12)
  return 2 * (1 - normal(Math.abs(z)))
}

/** The normal distribution up to `z` (Abramowitz and Stegun 26.2.17; good to seven digits). */
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
    for (let one = 0; one < PAGES_A_ROUND; one += 1) quiet.push((await page()).ms)
    const burst = Promise.all(
      Array.from({ length: LOGINS_AT_ONCE }, async () => {
        logins.push(await timeRequest(() => post('/api/login', ada)))
      }),
    )
    while (logins.length < (round + 1) * LOGINS_AT_ONCE) busy.push((await page()).ms)
    await burst
  }
  const refused = logins.filter(({ status }) => status !== 200).length
  const [calm, stirred] = [median(quiet), median(busy)]
  console.log(`${PAGE} alone:                     ${calm.toFixed(2)} ms (median of ${quiet.length})`)
  console.log(
    `${PAGE} beside ${LOGINS_AT_ONCE} logins at once: ${stirred.toFixed(2)} ms (median of ${busy.length}), ${(stirred / calm).toFixed(2)} times`,
  )
  console.log(
    `a login among ${LOGINS_AT_ONCE}: ${median(logins.map(({ ms }) => ms)).toFixed(0)} ms (median), ${refused} of ${logins.length} not let in`,
  )

  const times: Record<'wrong password' | 'unknown name', number[]> = { 'wrong password': [], 'unknown name': [] }
  for (let one = 0; one < GUESSES; one += 1) {
    const wrong = { username: 'ada', password: `a guess ${one}` }
    // One name as well: the first try for a name is counted in a row that is new.
    const unknown = { username: 'nobody', password: `a guess ${one}` }
    // Whoever goes first goes second next time.
    for (const kind of one % 2
      ? (['wrong password', 'unknown name'] as const)
      : (['unknown name', 'wrong password'] as const))
      times[kind].push((await timeRequest(() => post('/api/login', kind === 'unknown name' ? unknown : wrong))).ms)
  }
  const [known, nobody] = [times['wrong password'], times['unknown name']]
  console.log(
    `wrong password: ${median(known).toFixed(2)} ms, unknown name: ${median(nobody).toFixed(2)} ms (medians of ${GUESSES})`,
  )
  console.log(
    `difference ${Math.abs(median(known) - median(nobody)).toFixed(2)} ms; likeness p = ${likeness(known, nobody).toFixed(3)}`,
  )
} finally {
  await world.close()
}
