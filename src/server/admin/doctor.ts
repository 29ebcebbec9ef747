import { existsSync } from 'node:fs'
import { readFile, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'drizzle-orm'
import {
  clockFinding,
  databaseFinding,
  diskFinding,
  mappingFinding,
  modesFinding,
  policyFinding,
  scopesFinding,
  tokenFinding,
  inconclusive,
  webhookFinding,
  passed,
  failed,
  type Finding,
} from '#domain/doctor/findings.ts'
import { ZERO } from '#shared/money.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import {
  neededTypes,
  paypalEvents,
  printfulEvents,
  stripeEvents,
  typesThatMean,
} from '#server/providers/event-types.ts'
import { filterStored, findLastEventTime } from '#server/providers/events.ts'
import { isSetUp, type Database } from '#server/db/db.ts'
import {
  NotPermitted,
  ProviderRefusal,
  ProviderUnavailable,
  UnusableResponse,
} from '#server/providers/provider-errors.ts'
import { saveExceptions } from '#server/reconciliation/exceptions.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import { withProof } from './public-url-proof.ts'
import { listPaymentPageViolations } from './policy-reports.ts'

/** What the checks that work without a database need. */
type ProviderNeeds = Needs<'config' | 'clock' | 'stripe' | 'paypal' | 'printful' | 'mailTransport'>
/** The shop's database; `empty` before the first start, a finding when it cannot be opened. */
type ShopDatabase = Needs<'database' | 'db'> | 'empty' | Finding
type DoctorNeeds = ProviderNeeds & Needs<'database' | 'db' | 'log'>

/**
 * Checks what the shop depends on and cannot fix itself: keys, webhooks, clock, mail, disk, database. A failed check is an exception
 * on the owner's list until a later run passes.
 */
export async function runDoctor(shop: DoctorNeeds): Promise<Finding[]> {
  const findings = await runAllChecks(shop, shop)
  await saveFindings(shop, findings)
  return findings
}

async function runAllChecks(shop: ProviderNeeds, database: ShopDatabase): Promise<Finding[]> {
  /** A check that needs the database of a shop that was started before. */
  const checkStored = (
    name: string,
    who: string,
    ask: (stored: Needs<'database' | 'db'>) => Promise<Finding>,
  ): Promise<Finding[]> =>
    runCheck(name, who, async () =>
      database === 'empty' ? notStarted(name) : 'state' in database ? unreached(name) : ask(database),
    )
  const checked = await Promise.all([
    examineStripe(shop),
    checkStored('stripe signature', 'the database', (stored) => examineSignature({ ...shop, ...stored })),
    examinePaypal(shop),
    checkStored('paypal signature', 'PayPal', (stored) => examineWalletSignature({ ...shop, ...stored })),
    examinePrintful(shop),
    checkStored('mapping', 'the database', (stored) => examineMapping({ ...shop, ...stored })),
    checkStored('content policy', 'the database', async ({ db }) =>
      policyFinding(await listPaymentPageViolations(db, shop.clock.now())),
    ),
    runCheck('mail', 'the mail server', () => examineMail(shop)),
    runCheck('address', 'the shop’s own address', () => examineAddress(shop, database)),
    runCheck('disk', 'the disk', () => examineDisk(shop)),
    runCheck('database', 'the database', async () =>
      database === 'empty'
        ? inconclusive('database', 'The database is empty. The first start sets it up.', START)
        : 'state' in database
          ? database
          : examineDatabase({ ...shop, ...database }),
    ),
  ])
  return [modesFinding(kindsOf(shop.config)), ...checked.flat()]
}

const START = 'Start the shop, then run this again.'
const notStarted = (name: string): Finding => inconclusive(name, 'The shop has not been started yet.', START)
const unreached = (name: string): Finding =>
  inconclusive(name, 'This check reads the database, which cannot be opened.', 'Fix the database first.')

const kindsOf = ({ mode, isRehearsal, stripe, paypal }: ProviderNeeds['config']) => ({
  isLive: mode === 'live',
  isRehearsal,
  stripeLive: stripe.live,
  publishableKey: stripe.publishableKey,
  paypalLive: paypal.live,
})

/** Turns an error of a check into a finding. @param who was contacted */
async function runCheck(name: string, who: string, ask: () => Promise<Finding>): Promise<Finding[]> {
  try {
    return [await ask()]
  } catch (error) {
    return [findingForError(name, who, error)]
  }
}

function findingForError(name: string, who: string, error: unknown): Finding {
  const host = unresolvedIn(error)
  if (host !== undefined) return unresolved(name, host, who)
  if (error instanceof ProviderRefusal)
    return failed(
      name,
      `${who} refused the request: ${error.message}`,
      `Correct the settings at ${who}, or set the right key.`,
    )
  if (error instanceof ProviderUnavailable && !error.isOutage && !(error instanceof UnusableResponse))
    return failed(
      name,
      `${who} answered, but denied access: ${attentionCauseOf(error)}`,
      `Check that the key for ${who} is right and has permission for this.`,
    )
  return inconclusive(
    name,
    `The check could not reach ${who}: ${attentionCauseOf(error)}`,
    `Run this again later. If it keeps failing, look into ${who}.`,
  )
}

/** An error and its causes; Stripe's library keeps a cause in `detail`. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error;) {
    yield cause
    cause = cause.cause ?? ('detail' in cause ? cause.detail : undefined)
  }
}

function attentionCauseOf(error: unknown): string {
  const innermost = [...causesOf(error)].at(-1)
  return (innermost?.message || String(error)).slice(0, 200)
}

/** @returns the host name that did not resolve, if that was the cause */
function unresolvedIn(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { message } = cause
    const found = /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/.exec(message)
    if (found) return found[1]
  }
  return undefined
}

const unresolved = (name: string, host: string, who: string): Finding =>
  failed(
    name,
    `The host name ${host} does not resolve, so ${who} was not reached.`,
    'Correct the name in the settings, or fix this machine’s DNS.',
  )

async function examineStripe(shop: ProviderNeeds): Promise<Finding[]> {
  const url = `${baseUrlOf(shop.config)}/webhooks/stripe`
  const findings = await Promise.all([
    runCheck('stripe key', 'Stripe', async () => {
      const { canCharge, canPayOut } = await shop.stripe.describeAccount()
      return canCharge && canPayOut
        ? passed('stripe key', 'The key works, and the account can charge cards and pay out.')
        : failed(
            'stripe key',
            canCharge ? 'The Stripe account cannot pay out.' : 'The Stripe account cannot charge cards.',
            'Complete the tasks on the home page of Stripe’s dashboard.',
          )
    }),
    runCheck('clock', 'Stripe', async () => {
      const { at } = await shop.stripe.describeAccount()
      return clockFinding(at, machineTime())
    }),
    runCheck('stripe tax', 'Stripe', async () =>
      (await shop.stripe.isTaxActive())
        ? passed('stripe tax', 'Stripe Tax can calculate tax.')
        : failed(
            'stripe tax',
            'Stripe Tax cannot calculate tax, so nobody can check out.',
            'Complete the settings of Stripe Tax in Stripe’s dashboard.',
          ),
    ),
    runCheck('stripe webhook', 'Stripe', async () =>
      webhookFinding(
        'stripe webhook',
        { url, events: neededTypes(stripeEvents) },
        await shop.stripe.listEndpoints(),
        'at Stripe, under Developers, Webhooks',
      ),
    ),
  ])
  return findings.flat()
}

/** Signatures are checked against the machine's real clock, even when the shop runs on another. */
const machineTime = () => new Date()

const SIGNED_WITHIN_MS = 30 * DAY_MS

/** Stripe shows a signing secret once and sends no event on request, so the proof is the last event that matched it. */
async function examineSignature({ db, clock }: Needs<'db' | 'clock'>): Promise<Finding> {
  const name = 'stripe signature'
  const at = await findLastEventTime(db, 'stripe', typesThatMean(stripeEvents, 'payment'))
  return at && at > after(clock.now(), -SIGNED_WITHIN_MS)
    ? passed(name, `STRIPE_WEBHOOK_SECRET matched an event on ${at.toISOString()}; Stripe offers no other proof.`)
    : inconclusive(
        name,
        'No payment event in 30 days has shown that STRIPE_WEBHOOK_SECRET matches; Stripe offers no other proof.',
        'Send a test event from the webhook’s page in Stripe’s dashboard, then run this again.',
      )
}

/** PayPal signs with our webhook's id, so reading the webhook by that id is the round trip. Each feature is a permission of its own. */
async function examinePaypal(shop: ProviderNeeds): Promise<Finding[]> {
  const url = `${baseUrlOf(shop.config)}/webhooks/paypal`
  const findings = await Promise.all([
    runCheck('paypal webhook', 'PayPal', async () => {
      try {
        const endpoint = await shop.paypal.readWebhook()
        return webhookFinding(
          'paypal webhook',
          { url, events: neededTypes(paypalEvents) },
          [endpoint],
          'at PayPal, in the app, under Webhooks',
        )
      } catch (error) {
        if (!(error instanceof ProviderRefusal)) throw error
        return failed(
          'paypal webhook',
          'PayPal does not know PAYPAL_WEBHOOK_ID, so no event’s signature can be verified.',
          'Set PAYPAL_WEBHOOK_ID to the id shown at PayPal, in the app, under Webhooks.',
        )
      }
    }),
    runCheck('paypal disputes', 'PayPal', () =>
      examineFeature('paypal disputes', 'Customer disputes', 'A dispute stays unnoticed until its money is gone.', () =>
        Array.fromAsync(shop.paypal.listDisputesSince(shop.clock.now())),
      ),
    ),
    runCheck('paypal transactions', 'PayPal', () =>
      examineFeature(
        'paypal transactions',
        'Transaction search',
        'Without it the shop cannot reconcile PayPal, and misses refunds, fees and payouts whose event did not arrive.',
        () => {
          const until = shop.clock.now()
          return shop.paypal.listMovements({ since: after(until, -HOUR_MS), until }, null)
        },
      ),
    ),
  ])
  return findings.flat()
}

/** @param feature as PayPal names it @param otherwise what happens while it is off */
async function examineFeature(
  name: string,
  feature: string,
  otherwise: string,
  ask: () => Promise<unknown>,
): Promise<Finding> {
  try {
    await ask()
    return passed(name, `The PayPal app has the feature ‘${feature}’.`)
  } catch (error) {
    if (!(error instanceof NotPermitted)) throw error
    return failed(
      name,
      `The PayPal app lacks the feature ‘${feature}’ (PayPal answers 403). ${otherwise}`,
      `Turn on ‘${feature}’ at PayPal, in the app, under Features. New tokens pick it up within a few hours.`,
    )
  }
}

/** Older events may be from before the last restored backup. */
const MADE_WITHIN_MS = 3 * DAY_MS
/** An event this old that is not here was refused or never reached the shop, though PayPal retries for days. */
const DELIVERED_WITHIN_MS = 15 * MINUTE_MS

/** The proof is that PayPal's newest event was accepted and that the certificate of the last one is valid. */
async function examineWalletSignature({ db, paypal, clock }: Needs<'db' | 'paypal' | 'clock'>): Promise<Finding> {
  const name = 'paypal signature'
  const made = (await paypal.listEvents(after(clock.now(), -MADE_WITHIN_MS)))
    .filter(({ type, at }) => paypalEvents[type]?.isNeeded && at < after(clock.now(), -DELIVERED_WITHIN_MS))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const [newest] = made
  const known = await filterStored(
    db,
    'paypal',
    made.map(({ id }) => id),
  )
  if (newest && !known.has(newest.id))
    return failed(
      name,
      `PayPal created the event ${newest.id} at ${newest.at.toISOString()}, but the shop does not have it: it was refused or never arrived.`,
      'Check that PAYPAL_WEBHOOK_ID belongs to this shop’s address and that the shop can download PayPal’s certificates, and look for refused events in the log.',
    )
  const { rows } = await db.execute<{ certificate: string }>(
    sql`select payload ->> 'certificate' as certificate from provider_event
        where provider = 'paypal' and payload ? 'certificate' order by id desc limit 1`,
  )
  const certificate = rows[0]?.certificate
  if (!certificate)
    return inconclusive(
      name,
      'No event has arrived yet that would prove PayPal’s signatures.',
      'Run this again after the first PayPal payment.',
    )
  const judged = await paypal.checkCertificate(certificate)
  if ('wrong' in judged)
    return failed(
      name,
      `PayPal’s certificate at ${certificate} is not valid: ${judged.wrong}.`,
      'Ask PayPal whether its certificates changed. Payments are still found, by the regular sweep.',
    )
  const until = judged.certificate.validToDate.toISOString().slice(0, 10)
  return passed(
    name,
    judged.isRooted
      ? `PayPal’s certificate verifies events, is valid until ${until}, and its chain is trusted.`
      : `PayPal’s certificate verifies events and is valid until ${until}. Its chain is unknown here, so the shop confirms it with PayPal after each start.`,
  )
}

/** Printful signs nothing: the secret is part of the webhook's address, which Printful returns. */
async function examinePrintful(shop: ProviderNeeds): Promise<Finding[]> {
  const { tokenExpires, webhookSecret } = shop.config.printful
  const url = `${baseUrlOf(shop.config)}/webhooks/printful/${webhookSecret.reveal()}`
  const findings = await Promise.all([
    runCheck('printful token', 'Printful', async () => {
      await shop.printful.ping()
      return tokenFinding(tokenExpires, shop.clock.now())
    }),
    runCheck('printful scopes', 'Printful', async () => scopesFinding(await shop.printful.listScopes())),
    runCheck('printful webhook', 'Printful', async () =>
      webhookFinding(
        'printful webhook',
        { url, events: neededTypes(printfulEvents) },
        await shop.printful.listEndpoints(),
        'with POST /webhooks of Printful’s API',
      ),
    ),
  ])
  return findings.flat()
}

/** A sync this many intervals old was missed several times. */
const COMPARED_WITHIN_INTERVALS = 8

async function examineMapping({ db, clock, config }: Needs<'db' | 'clock' | 'config'>): Promise<Finding> {
  const { rows } = await db.execute<{
    variants: number
    unmapped: string[] | null
    unseen: number
    gone: number
    compared_at: Date | null
  }>(sql`
    select (select count(*)::int from variant where gone_at is null) as variants,
           (select array_agg(p.slug order by p.slug) from product p where p.visible and (p.sync_product_id is null
              or not exists (select 1 from variant v where v.product_id = p.id and v.gone_at is null))) as unmapped,
           (select count(*)::int from variant where gone_at is null and blank_id is null) as unseen,
           (select count(*)::int from catalog_change where state = 'waiting' and kind = 'gone') as gone,
           (select max(started_at) from catalog_sync where whole and state = 'done') as compared_at`)
  const [found] = rows
  const { variants = 0, unseen = 0, gone = 0 } = found ?? {}
  const comparedAt = found?.compared_at ? new Date(found.compared_at) : null
  return mappingFinding(
    { variants, unseen, missing: gone, unmapped: found?.unmapped ?? [], comparedAt },
    clock.now(),
    Math.max(COMPARED_WITHIN_INTERVALS * config.sync.intervalMs, DAY_MS),
  )
}

async function examineMail({ mailTransport }: ProviderNeeds): Promise<Finding> {
  try {
    await mailTransport.verify()
    return passed('mail', 'The mail server accepts the user and password.')
  } catch (error) {
    if (unresolvedIn(error) !== undefined) throw error
    const isSignIn = [...causesOf(error)].some((cause) => 'code' in cause && cause.code === 'EAUTH')
    return failed(
      'mail',
      `The mail server ${isSignIn ? 'refuses the user or password' : 'cannot be used'}: ${attentionCauseOf(error)}`,
      isSignIn ? 'Correct the user and password in SMTP_URL.' : 'Correct SMTP_URL, or fix the mail server.',
    )
  }
}

const ADDRESS_TIMEOUT_MS = 8 * SECOND_MS

/** Only a shop on this database knows the answer to the new question. */
async function examineAddress({ config }: ProviderNeeds, database: ShopDatabase): Promise<Finding> {
  const address = baseUrlOf(config)
  const fix = 'Start the shop, and check that PUBLIC_URL reaches it from outside.'
  const ask = async (question: string, expected: string | undefined): Promise<Finding> => {
    try {
      const answer = await fetch(`${address}/api/address-proof/${question}`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(ADDRESS_TIMEOUT_MS),
      })
      const text = await answer.text()
      if (expected !== undefined && answer.status === 200 && text.includes(expected))
        return passed('address', `${address} leads to this shop.`)
      if (expected === undefined) return notStarted('address')
      return text.includes('"unknown_call"')
        ? failed('address', `${address} leads to a different shop or database.`, fix)
        : failed('address', `${address} leads to something else, which answers with status ${answer.status}.`, fix)
    } catch (error) {
      if (unresolvedIn(error) !== undefined) throw error
      return database === 'empty'
        ? notStarted('address')
        : failed('address', `${address} does not answer: ${attentionCauseOf(error)}`, fix)
    }
  }
  return database === 'empty' || 'state' in database ? ask('0'.repeat(32), undefined) : withProof(database.db, ask)
}

async function examineDisk({ config: { dataDir } }: ProviderNeeds): Promise<Finding> {
  if (dataDir.startsWith('memory://')) return passed('disk', 'The shop stores nothing on disk.')
  let folder = dataDir
  // Before the first start only a parent folder exists, on the same disk.
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  return diskFinding(bavail * bsize)
}

const JOURNAL = new URL('../db/migrations/meta/_journal.json', import.meta.url)

async function examineDatabase({
  database: { pool, embedded },
  config: { mode },
}: Needs<'database' | 'config'>): Promise<Finding> {
  const { rows } = await pool.query<{ version: string; applied: number }>(
    `select current_setting('server_version_num') as version, (select count(*)::int from drizzle.__drizzle_migrations) as applied`,
  )
  const { entries } = JSON.parse(await readFile(JOURNAL, 'utf8')) as { entries: unknown[] }
  return databaseFinding({
    version: Number(rows[0]?.version),
    migrations: { applied: rows[0]?.applied ?? 0, ours: entries.length },
    isEmbedded: embedded,
    isLive: mode === 'live',
  })
}

/** The setting with the time of the last run. */
const EXAMINED_AT = 'examined_at'

/** Failed checks stay on the owner's list until a later run passes. */
async function saveFindings({ db, clock, log }: DoctorNeeds, findings: readonly Finding[]): Promise<void> {
  const now = clock.now()
  const problems = findings.filter(({ state }) => state === 'failed')
  for (const { name, what, fix } of problems) log.warn({ name, what, fix }, 'doctor check failed')
  const conclusive = findings.filter(({ state }) => state !== 'inconclusive').map(({ name }) => aboutOf(name))
  await db.transaction(async (tx) => {
    await saveExceptions(
      tx,
      // Inconclusive checks keep their former state.
      { kinds: ['setup'], abouts: conclusive },
      problems.map(({ name, what, fix = '' }) => ({
        kind: 'setup' as const,
        about: aboutOf(name),
        orderId: null,
        amount: ZERO,
        cause: `${what} ${fix}`,
      })),
      now,
    )
    await saveSetting(tx, EXAMINED_AT, now.toISOString())
  })
}

const aboutOf = (name: string) => `setup:${name}`

export type Diagnosis = { healthy: boolean; findings: Finding[] }

const diagnosisOf = (findings: Finding[]): Diagnosis => ({
  healthy: findings.every(({ state }) => state !== 'failed'),
  findings,
})

/** The owner command `doctor` in a running shop. */
export const doctorByOwner = async (shop: DoctorNeeds): Promise<Diagnosis> => diagnosisOf(await runDoctor(shop))

/**
 * The command without a running shop, which may never have been started. Findings are saved if the database is set up.
 * @param open returns the database; undefined before the first start. What it throws becomes a finding
 */
export async function runDoctorOffline(
  shop: ProviderNeeds & Needs<'log'>,
  open: () => Promise<Database | undefined>,
): Promise<Diagnosis> {
  let database: Database | undefined
  try {
    database = await open()
    if (!database || !(await isSetUp(database))) return diagnosisOf(await runAllChecks(shop, 'empty'))
    return diagnosisOf(await runDoctor({ ...shop, database, db: database.db }))
  } catch (error) {
    const host = unresolvedIn(error)
    const finding = host
      ? unresolved('database', host, 'the database')
      : failed(
          'database',
          `The database cannot be opened: ${attentionCauseOf(error)}`,
          'Correct DATABASE_URL, or fix the database.',
        )
    return diagnosisOf(await runAllChecks(shop, finding))
  } finally {
    await database?.close()
  }
}

/** With wrong settings no other check can run. @param mistakes one sentence each */
export const diagnosisOfSettings = (mistakes: readonly string[]): Diagnosis =>
  diagnosisOf(
    mistakes.map((mistake, at) =>
      failed(
        `settings ${at + 1}`,
        mistake,
        'Correct it (docs/operations.md, Settings), then run this again. Nothing else was checked.',
      ),
    ),
  )

const CHECK_EVERY_MS = HOUR_MS
/** Gives a proxy or tunnel in front of the shop time to come up. */
const AFTER_START_MS = 30 * SECOND_MS

export const runDoctorLater = ({ db, jobs, clock }: Needs<'db' | 'jobs' | 'clock'>): Promise<void> =>
  db.transaction((tx) => jobs.enqueue(tx, 'examine-setup', {}, after(clock.now(), AFTER_START_MS)))

async function isDue({ db, clock }: Needs<'db' | 'clock'>): Promise<boolean> {
  const last = await findSetting(db, EXAMINED_AT)
  return last === undefined || new Date(last) <= after(clock.now(), -DAY_MS)
}

/** Checks hourly whether the last run is a day old; the run itself is a job. */
export function startDoctorSchedule(shop: Needs<'db' | 'clock' | 'jobs' | 'log'>): { stop(): void } {
  const timer = setInterval(() => {
    void (async () => {
      if (await isDue(shop)) await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'examine-setup', {}))
    })().catch((error: unknown) => shop.log.error({ err: error }, 'could not queue the doctor'))
  }, CHECK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
