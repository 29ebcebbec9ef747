import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { seededRandom } from '#sandbox/kit/random.ts'
import { startSimulators } from '#sandbox/simulators.ts'
import { readAudit, type Audit } from '#server/db/audit.ts'
import { sendToShop } from '#server/db/owner-socket.ts'
import { readBooks } from '../../test/properties/books.ts'
import { stragglersIn, type Evidence } from '../../test/properties/checker.ts'
import { oneOf, runVisits, type Diary } from '../../test/properties/shopper.ts'
import { endTrouble, forgeEvent, noteStatuses, webhookTrouble } from '../../test/properties/trouble.ts'
import { freePort } from '../free-port.ts'
import { startPostgres, type PostgresServer } from '../postgres.ts'
import { superviseInstance, type Instance } from './instance.ts'
import { namedTables, stepsFor, type LineName, type Step } from './steps.ts'
import {
  databaseListener,
  mailListener,
  openLine,
  openRawLine,
  type Crossing,
  type Line,
  type Moment,
  type RawLine,
  type Trick,
  type Watch,
} from './wire.ts'

export type Experiment = {
  seed: number
  database: 'embedded' | 'postgresql'
  instances: number
  /** Purchases started. */
  checkouts: number
  /** Stops starting purchases after this time; unset: only after `checkouts`. */
  seconds?: number
  /** Kills before the last purchase starts, spread over the purchases. */
  killsMin: number
  /** Share of provider calls that fail, 0 to 1. */
  faults: number
  atOnce: number
}

/** What the checker judges, and figures. */
export type Findings = Omit<Evidence, 'catalog'> & {
  figures: {
    checkouts: number
    kills: number
    stepsReached: readonly string[]
    stepsMissed: readonly string[]
    databaseCrashes: number
    /** From the end of each database outage until all instances were ready. */
    readyAfterDatabaseMs: readonly number[]
    readyAfterKillMs: readonly number[]
    secondsOfFaults: number
    /** From the end of the faults until nothing was left to do; infinite if something was left. */
    secondsUntilSettled: number
    left: readonly string[]
    /** What finished last. */
    last: readonly string[]
  }
  /** Has the instances' logs. */
  folder: string
}

/** The printer's real limit has its own test. The simulator announces this one, and the shop follows it. */
const PRINTER_CALLS_PER_MINUTE = 1_000_000
const SETTLED_WITHIN_MS = 120_000
const STEP_WAIT_MS = 4000
const POLL_MS = 1500
const INJECT_EVERY_MS = 250
const READY_ANSWER_MS = 5000
const LAST_PURCHASE_WITHIN_MS = 120_000
const LOG_TAIL_CHARS = 2000
/** Far beyond what counts as a pass: without an end, a run that cannot go on would wait in silence. */
const READY_AGAIN_WITHIN_MS = 90_000

/**
 * Shoppers buy from the built shop while its processes are killed, providers fail and send wrong answers, webhooks are lost and
 * the database crashes. Then the faults end, and everything has time to settle.
 */
export async function runExperiment(experiment: Experiment): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-lab-'))
  await using lab = await openLab(experiment, folder)
  const { simulators, instances } = lab
  await simulators.printful.change({ change: 'rate_limit', perMinute: PRINTER_CALLS_PER_MINUTE })
  await Promise.all(instances.map((instance) => instance.whenReady()))

  const startedAt = performance.now()
  const over = new AbortController()
  const isOver = () =>
    over.signal.aborted ||
    (experiment.seconds !== undefined && performance.now() - startedAt > experiment.seconds * 1000)
  const killing = killOn(lab, experiment, isOver)
  const injecting = injectFaults(lab, experiment, isOver)
  const crashing = crashDatabase(lab, experiment, isOver)
  const settled = new AbortController()
  const watching = watchStatuses(lab, settled.signal)
  const diaries = await withinLimit(lab, experiment, runShoppers(lab, experiment, isOver))
  over.abort()
  await Promise.all([killing, injecting, crashing])
  const shoppedAt = performance.now()

  const { settledAt, audit, left, last } = await settleAll(lab)
  settled.abort()
  const traces = await watching
  return {
    // Of the moment when nothing was left: the shop's regular work goes on.
    audit,
    witness: readFileSync(simulators.witnessFile, 'utf8'),
    mails: simulators.mailbox.list(),
    diaries,
    killedAt: [...lab.killedAt, ...lab.crashedAt],
    traces,
    forged: lab.forged,
    figures: {
      checkouts: diaries.length,
      kills: lab.killedAt.length,
      stepsReached: lab.stepsReached,
      stepsMissed: lab.stepsMissed,
      databaseCrashes: lab.crashes.length,
      readyAfterDatabaseMs: lab.crashes,
      readyAfterKillMs: instances.flatMap((one) => [...one.readyAfterKillMs]),
      secondsOfFaults: (shoppedAt - startedAt) / 1000,
      secondsUntilSettled: left.length > 0 ? Infinity : (settledAt - shoppedAt) / 1000,
      left,
      last,
    },
    folder,
  }
}

export type Lab = Awaited<ReturnType<typeof openLab>>

type LabOptions = Pick<Experiment, 'database' | 'instances' | 'seed'> & {
  /** More of the instances' environment. */
  env?: Record<string, string>
  /** Where the database server keeps its data, when not in a folder of its own. */
  serverFolder?: string
}

/** Simulators in this process; the shop's instances as children, each on lines of its own; a door before them all. */
export async function openLab(
  { database, instances: count, seed, env = {}, serverFolder }: LabOptions,
  folder: string = mkdtempSync(join(tmpdir(), 'pawtelier-lab-')),
) {
  const simulators = await startSimulators({ speed: 0, firstPort: 0, folder })
  const server = database === 'postgresql' ? await startPostgres(serverFolder) : undefined
  if (database === 'postgresql' && !server) throw new Error('PostgreSQL is missing and could not be installed.')
  const killedAt: Date[] = []
  const crashedAt: Date[] = []
  const stepsReached: string[] = []
  const stepsMissed: string[] = []
  const crashes: number[] = []
  const forged: string[] = []
  const lines: Line[] = []
  const paypalLines: string[] = []
  const rawLines: Record<'mail' | 'database', RawLine[]> = { mail: [], database: [] }
  const instances: Instance[] = []
  let armed: { step: Step; reached: () => void } | undefined
  let chooseTrick: ((line: LineName, call: Crossing) => Trick | undefined) | undefined
  let isDatabaseAway = false
  let awayUntil = 0
  let databaseDelayMs = 0
  let firstEnv: Record<string, string> | undefined
  const logOf = (index: number) => join(folder, `instance-${index + 1}.log`)

  function kill(index: number): void {
    if (instances[index]?.kill()) killedAt.push(new Date())
  }

  const watchFor =
    (index: number, line: LineName): Watch =>
    (moment: Moment, call) => {
      if (armed?.step.line === line && armed.step.moment === moment && armed.step.fits(call)) {
        const { step, reached } = armed
        armed = undefined
        kill(index)
        stepsReached.push(step.name)
        reached()
      }
      return moment === 'requested' ? chooseTrick?.(line, call) : undefined
    }

  /** Round robin over the instances that listen. */
  let turn = 0
  const entryLine = await openLine(
    (tried) => {
      for (let step = 0; step < count; step += 1) {
        const index = (turn += 1) % count
        const address = instances[index]?.address()
        if (address !== undefined && !tried.includes(address)) return address
      }
      return undefined
    },
    (moment, call) => {
      const target = instances.findIndex((instance) => instance.address() === call.to)
      return watchFor(target === -1 ? (turn + 1) % count : target, 'shop')(moment, call)
    },
    // An instance trusts certificates from the PayPal host it calls, which here is the proxy.
    (headers, target) => {
      const paypal = paypalLines[instances.findIndex((instance) => instance.address() === target)]
      const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'paypal-cert-url')
      const certificate = headers[at + 1]
      if (paypal === undefined || at === -1 || certificate === undefined) return headers
      return headers.with(at + 1, `${paypal}${new URL(certificate).pathname}`)
    },
  )
  lines.push(entryLine)
  simulators.announceShop(entryLine.url)

  for (let index = 0; index < count; index += 1) {
    const lineTo = async (name: 'stripe' | 'paypal' | 'printful') => {
      const line = await openLine((tried) => (tried.length ? undefined : simulators[name].url), watchFor(index, name))
      lines.push(line)
      if (name === 'paypal') paypalLines[index] = line.url
      return line.url
    }
    const mailTo = new URL(simulators.mailbox.url)
    const mail = await openRawLine(
      () => ({ host: mailTo.hostname, port: Number(mailTo.port) }),
      mailListener,
      watchFor(index, 'mail'),
    )
    lines.push(mail)
    rawLines.mail.push(mail)
    const databaseLine = server && (await lineToDatabase(server, watchFor(index, 'database'), () => databaseDelayMs))
    if (databaseLine) {
      lines.push(databaseLine.line)
      rawLines.database.push(databaseLine.line)
    }
    const dataDir = join(folder, `instance-${index + 1}`)
    mkdirSync(dataDir)
    const ofInstance: Record<string, string> = {
      ...simulators.settings,
      STRIPE_API_BASE: await lineTo('stripe'),
      PAYPAL_API_BASE: await lineTo('paypal'),
      PRINTFUL_API_BASE: await lineTo('printful'),
      SMTP_URL: `smtp://${mail.url}`,
      ...(databaseLine && { DATABASE_URL: databaseLine.url }),
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000',
      SWEEP_INTERVAL_S: '3',
      JOB_LEASE_S: '10',
      SYNC_INTERVAL_S: '86400',
      CHANGE_WINDOW_S: '0',
      ...env,
    }
    firstEnv ??= ofInstance
    instances.push(
      superviseInstance({
        port: await freePort(),
        logFile: logOf(index),
        env: ofInstance,
      }),
    )
  }

  const pool = server && new pg.Pool({ connectionString: server.url, max: 2 })
  pool?.on('error', () => {})

  const lab = {
    simulators,
    instances,
    shopUrl: entryLine.url,
    server,
    killedAt,
    /** When the database server was killed. */
    crashedAt,
    stepsReached,
    stepsMissed,
    crashes,
    forged,
    pool,
    kill,
    random: (stream: number) => seededRandom(seed * 1009 + stream),
    /** Kills at the next occurrence of a step. @returns false when it did not occur in time */
    async killAt(step: Step): Promise<boolean> {
      const reached = new Promise<boolean>((resolve) => {
        armed = { step, reached: () => resolve(true) }
      })
      const isReached = await Promise.race([reached, wait(STEP_WAIT_MS).then(() => false)])
      if (!isReached) armed = undefined
      return isReached
    },
    setTricks(choose: typeof chooseTrick) {
      chooseTrick = choose
    },
    folder,
    /** Cuts a connection of every instance, or restores it. */
    cut(name: 'mail' | 'database', isCut: boolean) {
      for (const line of rawLines[name]) line.cut(isCut)
    },
    /** Unfinished work, by the checker's rules. */
    stragglers: (audit: Audit) => stragglersIn({ audit }, readBooks(readFileSync(simulators.witnessFile, 'utf8'))),
    /** Charges the card at the provider, without a browser. */
    payAtProvider: (paymentIntent: string) =>
      simulators.stripe.change({ change: 'succeed', payment_intent: paymentIntent }),
    slowDatabase(ms: number) {
      databaseDelayMs = ms
    },
    isExcused: () => isDatabaseAway || Date.now() < awayUntil,
    async crash(): Promise<void> {
      if (!server) return
      isDatabaseAway = true
      crashedAt.push(new Date())
      await server.crash()
      isDatabaseAway = false
      const backAt = performance.now()
      await Promise.all(
        instances.map(async (instance) => {
          while (!(await isReady(instance.address()))) {
            if (performance.now() - backAt > READY_AGAIN_WITHIN_MS)
              throw new Error(`The instance at ${instance.address() ?? 'no port'} did not recover from the database.`)
            await wait(25)
          }
        }),
      )
      crashes.push(performance.now() - backAt)
      awayUntil = Date.now() + 1000
    },
    isServerUp: () => server?.isUp() ?? false,
    /** Runs an owner command. @returns its stdout and stderr */
    async asOwner(args: readonly string[]): Promise<string> {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['src/owner.ts', ...args], {
        env: { PATH: process.env['PATH'], ...firstEnv },
      }).catch((error: unknown) => error as { stdout: string; stderr: string })
      return stdout + stderr
    },
    async audit(): Promise<Audit> {
      if (pool) return readAudit(pool)
      const reply = await sendToShop(join(folder, 'instance-1'), ['audit', '--json'])
      if (!reply) throw new Error('The shop does not answer the owner command.')
      return reply.answer as Audit
    },
    /** The end of each instance's log, and what the database server is doing. */
    async situation(): Promise<string> {
      const logs = instances.map((_, index) => readFileSync(logOf(index), 'utf8').slice(-LOG_TAIL_CHARS))
      const working = `SELECT state, wait_event, left(query, 200) AS query, (now() - xact_start)::text AS since
        FROM pg_stat_activity WHERE state IS NOT NULL AND state <> 'idle'`
      const sessions = await pool?.query<Record<string, unknown>>(working).catch(() => undefined)
      return [...logs, ...(sessions?.rows ?? []).map((session) => JSON.stringify(session))].join('\n')
    },
    async [Symbol.asyncDispose]() {
      await pool?.end()
      await Promise.all(instances.map((instance) => instance.stop()))
      await Promise.all(lines.map((line) => line.close()))
      await simulators.close()
      await server?.stop()
      if (process.env['LAB_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
  return lab
}

async function lineToDatabase(
  server: PostgresServer,
  watch: Watch,
  delayMs: () => number,
): Promise<{ line: RawLine; url: string }> {
  const far = new URL(server.url)
  const line = await openRawLine(
    () => ({ host: far.hostname, port: Number(far.port) }),
    () => databaseListener(namedTables),
    watch,
    delayMs,
  )
  const url = new URL(server.url)
  url.port = String(line.port)
  return { line, url: url.href }
}

const isReady = (address: string | undefined): Promise<boolean> =>
  address === undefined
    ? Promise.resolve(false)
    : fetch(`${address}/readyz`, { signal: AbortSignal.timeout(READY_ANSWER_MS) }).then(
        ({ ok }) => ok,
        () => false,
      )

/** Runs shoppers concurrently; each starts only after its share of the kills. */
async function runShoppers(lab: Lab, experiment: Experiment, isOver: () => boolean): Promise<Diary[]> {
  const { checkouts, atOnce, killsMin, seed } = experiment
  const { simulators, shopUrl, isExcused } = lab
  let next = 0
  const starts = async () => {
    if (next >= checkouts || isOver()) return undefined
    const shopper = (next += 1)
    while (!isOver() && lab.killedAt.length < Math.floor((shopper / checkouts) * killsMin) - 1) await wait(50)
    return shopper
  }
  const visits = await runVisits(
    { simulators, shopUrl, isExcused, mayRefuse: true },
    { seed, atOnce: Math.min(atOnce, checkouts), starts },
  )
  return visits.map(({ diary }) => diary)
}

/** Purchases that never end fail with what instances and database are doing: an outer limit would end them without a word. */
async function withinLimit<T>(lab: Lab, { seconds }: Experiment, shopping: Promise<T>): Promise<T> {
  if (seconds === undefined) return shopping
  const limit = new AbortController()
  const tooLong = async () => {
    await wait(seconds * 1000 + LAST_PURCHASE_WITHIN_MS, undefined, { signal: limit.signal })
    throw new Error(
      `Purchases still wait ${LAST_PURCHASE_WITHIN_MS / 1000} s after the last one began.\n${await lab.situation()}`,
    )
  }
  try {
    return await Promise.race([shopping, tooLong()])
  } finally {
    limit.abort()
  }
}

/** Kills at times drawn from the seed: immediately or at the next occurrence of a named step, sometimes before the new process is ready. */
async function killOn(lab: Lab, { instances, killsMin, database }: Experiment, isOver: () => boolean): Promise<void> {
  if (killsMin === 0) return
  const random = lab.random(1)
  const steps = stepsFor(database === 'postgresql', lab.random(2))
  const missedOnce = new Set<string>()
  for (let round = 0; !isOver(); round += 1) {
    const index = Math.floor(random() * instances)
    const delay = 200 + random() * 2800
    const isAtStart = random() < 0.15
    // Only one instance is down at a time; a starting one may be killed again.
    const awaited = lab.instances.filter((_, other) => other !== index || !isAtStart)
    await Promise.all(awaited.map((instance) => instance.whenReady()))
    await wait(delay)
    const step = round % 3 === 0 || isAtStart ? undefined : steps.shift()
    if (!step) {
      lab.kill(index)
      continue
    }
    if (await lab.killAt(step)) continue
    if (missedOnce.has(step.name)) lab.stepsMissed.push(step.name)
    else steps.push(step)
    missedOnce.add(step.name)
  }
  lab.stepsMissed.push(...steps.map(({ name }) => name))
  await Promise.all(lab.instances.map((instance) => instance.whenReady()))
}

/** Makes providers fail or send wrong answers, and webhooks lost, doubled, shuffled, late, badly signed or forged, as drawn from the seed. */
async function injectFaults(lab: Lab, { faults, seed }: Experiment, isOver: () => boolean): Promise<void> {
  if (faults === 0) return
  const { kit } = lab.simulators
  const random = lab.random(3)
  const tricks = lab.random(4)
  kit.chaos.set({ seed, rate: faults })
  lab.setTricks((line) => {
    if (line === 'shop' || tricks() >= faults / 4) return undefined
    return tricks() < 0.7 ? 'twice' : 'other'
  })
  const injections = [
    ...webhookTrouble(lab.simulators, random),
    () => forgeEvent(lab.simulators, lab.shopUrl, lab.forged, random),
    () => shipOne(lab, random),
    async () => hangOnce(lab, random),
  ]
  while (!isOver()) {
    await oneOf(random, injections)()
    await wait(INJECT_EVERY_MS)
  }
  kit.rules.clear()
  lab.setTricks(undefined)
  // Events meant to be lost that never occurred.
  for (const order of kit.webhooks.orders()) delete order.drop
  await endTrouble(lab.simulators)
  // Reviews end, most of them approved.
  for (const { provider, id, status } of lab.simulators.paypal.ledger().payments ?? [])
    if (provider === 'paypal' && status === 'PENDING')
      await lab.simulators.paypal.change({ change: random() < 0.66 ? 'release' : 'deny', order: id })
}

/** The printer ships a parcel. */
async function shipOne({ simulators: { printful } }: Lab, random: () => number): Promise<void> {
  const made = (printful.ledger().partner_orders ?? []).filter(({ status }) => status === 'pending')
  if (made.length > 0) await printful.change({ change: 'ship', external_id: oneOf(random, made).external_id })
}

/** One call to a provider is never answered; the caller times out. */
function hangOnce({ simulators: { kit } }: Lab, random: () => number): void {
  const provider = oneOf(random, ['stripe', 'paypal', 'printful'] as const)
  if (random() < 0.3) kit.rules.add({ provider, match: {}, when: random() < 0.5 ? 'before' : 'after', do: 'hang' })
}

/** Kills and restarts the database server now and then. */
async function crashDatabase(lab: Lab, { faults }: Experiment, isOver: () => boolean): Promise<void> {
  if (!lab.server || faults === 0) return
  const random = lab.random(5)
  for (;;) {
    const until = Date.now() + 8000 + random() * 14_000
    while (Date.now() < until) {
      if (isOver()) return
      await wait(200)
    }
    await lab.crash()
  }
}

/** Records the statuses of orders until everything has settled. */
async function watchStatuses(lab: Lab, ended: AbortSignal): Promise<Map<string, string[]>> {
  const traces = new Map<string, string[]>()
  const { pool } = lab
  if (!pool) return traces
  for (;;) {
    await noteStatuses(pool, traces).catch(() => {})
    if (ended.aborted) break
    await wait(POLL_MS)
  }
  return traces
}

/** Waits until nothing is left to do. @returns also what the shop's books say then, and what finished last */
async function settleAll(lab: Lab): Promise<{ settledAt: number; audit: Audit; left: string[]; last: string[] }> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  let last: string[] = []
  for (;;) {
    await lab.simulators.kit.idle()
    const audit = await lab.audit()
    const left = lab.stragglers(audit)
    if (left.length === 0 || Date.now() > giveUpAt) return { settledAt: performance.now(), audit, left, last }
    last = left
    await wait(500)
  }
}
