import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createShopper } from '#sandbox/world.ts'
import { readBooks, readCatalog } from '../../test/properties/books.ts'
import { check, stragglersIn, type Verdict } from '../../test/properties/checker.ts'
import { openLab, type Lab } from './laboratory.ts'
import type { LabProof } from './rows.ts'

/** The result of a scenario. @property notRun what the machine lacks; then nothing was tried */
export type Outcome = { tried: string; figures: string; violations: string[]; notRun?: string }

const SETTLED_WITHIN_MS = 60_000

/** Faults that need no crowd of shoppers, each in its own lab. */
export const scenarios: Partial<Record<LabProof, (seed: number) => Promise<Outcome>>> = {
  clock: clockAhead,
  rolling: rollingRestart,
  slow: slowDatabase,
  full: fullDisk,
}

const violationsOf = (verdicts: readonly Verdict[]): string[] =>
  verdicts.flatMap(({ id, violations }) => violations.map((violation) => `${id}: ${violation}`))

/** Pays by card and closes the browser. */
async function buyByCard(lab: Lab): Promise<string> {
  const shopper = createShopper(lab.shopUrl, lab.simulators)
  await shopper.adds('hat')
  const { status, body } = await shopper.startsPayment()
  if (status !== 200) throw new Error(`payment start answered ${status}: ${JSON.stringify(body)}`)
  await shopper.confirms(body)
  return body.payment_intent
}

/** Waits until nothing is left to do, then runs the checker. */
async function settleAndCheck(lab: Lab): Promise<{ seconds: number; violations: string[] }> {
  const startedAt = performance.now()
  const witness = () => readFileSync(lab.simulators.witnessFile, 'utf8')
  while (stragglersIn({ audit: await lab.audit() }, readBooks(witness())).length > 0) {
    if (performance.now() - startedAt > SETTLED_WITHIN_MS) break
    await wait(300)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const verdicts = check({
    audit: await lab.audit(),
    witness: witness(),
    mails: lab.simulators.mailbox.list(),
    diaries: [],
    killedAt: lab.killedAt,
    traces: new Map(),
    forged: [],
    catalog: readCatalog(),
  })
  return { seconds, violations: violationsOf(verdicts) }
}

/** A shop whose clock is ahead refuses genuine webhooks as too old; the sweep creates the orders. */
async function clockAhead(seed: number): Promise<Outcome> {
  const aheadMs = 600_000
  await using lab = await openLab({
    database: 'postgresql',
    instances: 1,
    seed,
    env: {
      CLOCK_SKEW_MS: String(aheadMs),
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'skewed-clock.ts')).href}`,
    },
  })
  await lab.instances[0]?.whenReady()
  const paid = await Promise.all([buyByCard(lab), buyByCard(lab), buyByCard(lab)])
  const { seconds, violations } = await settleAndCheck(lab)
  const { deliveries } = readBooks(readFileSync(lab.simulators.witnessFile, 'utf8'))
  const refused = deliveries.filter(({ provider, answer }) => provider === 'stripe' && answer === 400).length
  const { audit_orders: orders } = await lab.audit()
  const doctor = await lab.asOwner(['doctor'])
  return {
    tried: `${paid.length} card payments on a clock ${aheadMs / 60_000} minutes ahead, browsers closed`,
    figures: `${refused} genuine webhooks refused, ${orders.length} orders by the sweep within ${seconds.toFixed(1)} s`,
    violations: [
      ...violations,
      ...(orders.length === paid.length ? [] : [`${orders.length} orders of ${paid.length} payments`]),
      ...(refused > 0 ? [] : ['no webhook was refused: the clock was not ahead']),
      ...(/clock/i.test(doctor) ? [] : [`the doctor does not report the clock: ${doctor.slice(0, 300)}`]),
    ],
  }
}

/** Restarts two instances one after the other, as in a deploy, while people browse and buy. */
async function rollingRestart(seed: number): Promise<Outcome> {
  const perSecond = 100
  await using lab = await openLab({ database: 'postgresql', instances: 2, seed, env: { DRAIN_S: '1' } })
  await Promise.all(lab.instances.map((instance) => instance.whenReady()))
  const requests: Promise<number>[] = []
  const failures: string[] = []
  const shopper = createShopper(lab.shopUrl, lab.simulators)
  const hat = await shopper.find('hat')
  const variantId = await shopper.firstVariant(hat)
  const request = async (number: number): Promise<number> => {
    const path = number % 3 === 0 ? '/products' : number % 3 === 1 ? '/api/products' : '/api/cart'
    try {
      const answer =
        number % 3 === 2
          ? await fetch(lab.shopUrl + path, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ productId: String(hat.id), variantId, quantity: 1 }),
            })
          : await fetch(lab.shopUrl + path)
      await answer.arrayBuffer()
      if (answer.status !== 200) failures.push(`${path}: ${answer.status}`)
      return answer.status
    } catch (error) {
      failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
      return 0
    }
  }
  const over = new AbortController()
  const loading = (async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      requests.push(request(number))
      await wait(1000 / perSecond)
    }
  })()
  await wait(1000)
  for (const instance of lab.instances) {
    await instance.restart()
    await wait(500)
  }
  over.abort()
  await loading
  await Promise.all(requests)
  return {
    tried: `two instances restarted one after the other under about ${perSecond} requests a second`,
    figures: `${requests.length} requests, ${failures.length} failed`,
    violations: failures.slice(0, 10),
  }
}

/** Every answer of the database is two seconds late: the shop sheds load early, and nothing happens twice. */
async function slowDatabase(seed: number): Promise<Outcome> {
  const atOnce = 60
  const lateMs = 2000
  await using lab = await openLab({ database: 'postgresql', instances: 1, seed })
  await lab.instances[0]?.whenReady()
  const shoppers = Array.from({ length: atOnce }, () => createShopper(lab.shopUrl, lab.simulators))
  const hat = await shoppers[0]?.find('hat')
  const variantId = hat && (await shoppers[0]?.firstVariant(hat))
  const cartLine = { productId: String(hat?.id), variantId, quantity: 1 }
  // Everybody has a cart before the slowdown.
  for (const shopper of shoppers) await shopper.send('POST', '/api/cart', cartLine)
  lab.slowDatabase(lateMs)
  const answers = await Promise.all(
    shoppers.map(async (shopper) => {
      const startedAt = performance.now()
      const { status, headers } = await shopper.send('POST', '/api/cart', cartLine, {
        'idempotency-key': shopper.cookie(),
      })
      return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - startedAt }
    }),
  )
  lab.slowDatabase(0)
  const shed = answers.filter(({ status }) => status === 503)
  const served = answers.filter(({ status }) => status === 200)
  const slowest = Math.max(0, ...shed.map(({ ms }) => ms))
  const shedEarly = shed.filter(({ ms }) => ms < lateMs).length
  const again = performance.now()
  const { status: after } = await createShopper(lab.shopUrl, lab.simulators).send('GET', '/api/products')
  const paid = await buyByCard(lab)
  const { violations } = await settleAndCheck(lab)
  return {
    tried: `${atOnce} concurrent writes while every database answer is 2 s late`,
    figures: `${served.length} served, ${shed.length} rejected with 503: ${shedEarly} before the database answered, the last after ${(slowest / 1000).toFixed(1)} s; served again after ${((performance.now() - again) / 1000).toFixed(1)} s (${paid.slice(0, 3)}…)`,
    violations: [
      ...violations,
      ...answers.filter(({ status }) => status !== 200 && status !== 503).map(({ status }) => `answered ${status}`),
      ...shed.filter(({ retryAfter }) => retryAfter === null).map(() => '503 without Retry-After'),
      // A request that got a first database answer waits at most another second.
      ...(slowest > lateMs + 2000 ? [`the last refusal came after ${(slowest / 1000).toFixed(1)} s`] : []),
      ...(after === 200 ? [] : [`afterward the shop answers ${after}`]),
    ],
  }
}

/** The database's disk is full for a while: honest refusals, no acknowledged write is lost, and the shop recovers by itself. */
async function fullDisk(seed: number): Promise<Outcome> {
  const tried = 'purchases while the database’s disk is full'
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return { tried, figures: '', violations: [], notRun: 'this user may not mount a small file system' }
  }
  try {
    await using lab = await openLab({ database: 'postgresql', instances: 1, seed, serverFolder: folder })
    await lab.instances[0]?.whenReady()
    await buyByCard(lab)
    const filler = join(folder, 'filler')
    const { bavail, bsize } = statfsSync(folder)
    try {
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize)))
    } catch (error) {
      // The database used the rest: the disk is full too.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
    const statuses = new Map<number, number>()
    const acknowledged: string[] = []
    for (let time = 0; time < 400; time += 1) {
      const shopper = createShopper(lab.shopUrl, lab.simulators)
      const { status } = await shopper.adds('mug').catch(() => ({ status: 599 }))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) acknowledged.push(shopper.cookie())
      if ((statuses.get(503) ?? 0) > 20) break
    }
    rmSync(filler)
    const freedAt = performance.now()
    let isBack = false
    while (!isBack && performance.now() - freedAt < 60_000) {
      isBack = await buyByCard(lab).then(
        () => true,
        () => false,
      )
      // A supervisor would restart a server that gave up.
      if (!isBack) await (lab.isServerUp() ? wait(500) : lab.crash())
    }
    const seconds = (performance.now() - freedAt) / 1000
    const lost = await Promise.all(
      acknowledged.map(async (cookie) => {
        const shopper = createShopper(lab.shopUrl, lab.simulators)
        shopper.usesCookie(cookie)
        return (await shopper.cart()).length === 0
      }),
    )
    const { violations } = await settleAndCheck(lab)
    const others = [...statuses].filter(([status]) => status !== 200 && status !== 503)
    return {
      tried,
      figures: `${statuses.get(200) ?? 0} carts acknowledged, ${statuses.get(503) ?? 0} rejected with 503; recovered ${seconds.toFixed(1)} s after space was freed`,
      violations: [
        ...violations,
        ...others.map(([status, times]) => `${times} times answered ${status}`),
        ...((statuses.get(503) ?? 0) > 0 ? [] : ['nothing was refused: the disk was not full']),
        ...(lost.includes(true) ? [`${lost.filter(Boolean).length} acknowledged carts were lost`] : []),
        ...(seconds > 30 ? [`recovered only after ${seconds.toFixed(1)} s`] : []),
      ],
    }
  } finally {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}
