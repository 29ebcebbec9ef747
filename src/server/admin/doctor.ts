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
import { knownAmong } from '#server/providers/events.ts'
import { isSetUp, type Database } from '#server/db/db.ts'
import { RETURN_EVENTS } from '#server/providers/stripe/stripe.ts'
import {
  NotPermitted,
  ProviderRefusal,
  ProviderUnavailable,
  UnusableAnswer,
} from '#server/providers/provider-errors.ts'
import { saveExceptions } from '#server/reconciliation/exceptions.ts'
import type { Needs } from '#server/shop.ts'
import { withProof } from './address-proof.ts'
import { listPaymentPageViolations } from './policy-reports.ts'

/** What each provider has to tell of; docs/operations.md says the same to whoever sets it up. */
const STRIPE_EVENTS = ['payment_intent.succeeded', 'payment_intent.payment_failed', ...RETURN_EVENTS]
const PAYPAL_EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  ...['COMPLETED', 'PENDING', 'DENIED', 'REFUNDED', 'REVERSED'].map((what) => `PAYMENT.CAPTURE.${what}`),
  ...['CREATED', 'UPDATED', 'RESOLVED'].map((what) => `CUSTOMER.DISPUTE.${what}`),
]
const PRINTFUL_EVENTS = [
  ...['created', 'updated', 'failed', 'canceled', 'put_hold', 'remove_hold'].map((what) => `order_${what}`),
  'package_shipped',
  ...['synced', 'updated', 'deleted'].map((what) => `product_${what}`),
  'stock_updated',
]

/** What can be looked at without a database. */
type ProviderNeeds = Needs<'config' | 'clock' | 'stripe' | 'paypal' | 'printful' | 'mailTransport'>
/** The shop's database; `empty` before the first start, a finding where it cannot be opened. */
type ShopDatabase = Needs<'database' | 'db'> | 'empty' | Finding
type DoctorNeeds = ProviderNeeds & Needs<'database' | 'db' | 'log'>

/**
 * Looks at everything that the shop is given and cannot mend itself: keys, addresses for events, clock, mail, disk, database. What is
 * wrong stands among the exceptions until it is not.
 */
export async function runDoctor(shop: DoctorNeeds): Promise<Finding[]> {
  const findings = await runAllChecks(shop, shop)
  await note(shop, findings)
  return findings
}

async function runAllChecks(shop: ProviderNeeds, home: ShopDatabase): Promise<Finding[]> {
  /** About what only a shop has that was started. */
  const within = (
    name: string,
    who: string,
    ask: (stored: Needs<'database' | 'db'>) => Promise<Finding>,
  ): Promise<Finding[]> =>
    runCheck(name, who, async () =>
      home === 'empty' ? notStarted(name) : 'state' in home ? unreached(name) : ask(home),
    )
  const checked = await Promise.all([
    examineStripe(shop),
    within('stripe signature', 'the database', (stored) => examineSignature({ ...shop, ...stored })),
    examinePaypal(shop),
    within('paypal signature', 'PayPal', (stored) => examineWalletSignature({ ...shop, ...stored })),
    examinePrintful(shop),
    within('mapping', 'the database', (stored) => examineMapping({ ...shop, ...stored })),
    within('content policy', 'the database', async ({ db }) =>
      policyFinding(await listPaymentPageViolations(db, shop.clock.now())),
    ),
    runCheck('mail', 'the mail server', () => examineMail(shop)),
    runCheck('address', 'the shop’s own address', () => examineAddress(shop, home)),
    runCheck('disk', 'the disk', () => examineDisk(shop)),
    runCheck('database', 'the database', async () =>
      home === 'empty'
        ? inconclusive('database', 'It is empty: the first start sets it up.', START)
        : 'state' in home
          ? home
          : examineDatabase({ ...shop, ...home }),
    ),
  ])
  return [modesFinding(kindsOf(shop.config)), ...checked.flat()]
}

const START = 'Start the shop, and ask again.'
const notStarted = (name: string): Finding => inconclusive(name, 'The shop has not been started yet.', START)
const unreached = (name: string): Finding =>
  inconclusive(name, 'It stands in the database, which cannot be read.', 'See to the database first.')

const kindsOf = ({ mode, isRehearsal, stripe, paypal }: ProviderNeeds['config']) => ({
  isLive: mode === 'live',
  isRehearsal,
  stripeLive: stripe.live,
  publishableKey: stripe.publishableKey,
  paypalLive: paypal.live,
})

/** A finding about what could not be asked. @param who it was asked of */
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
    return failed(name, `It refuses: ${error.message}`, `Mend it in the settings of ${who}, or give the right key.`)
  if (error instanceof ProviderUnavailable && !error.isOutage && !(error instanceof UnusableAnswer))
    return failed(
      name,
      `It answers, and not to us: ${causeOf(error)}`,
      `Look whether the key for ${who} is right and may do this.`,
    )
  return inconclusive(
    name,
    `It could not be asked: ${causeOf(error)}`,
    `Ask again later; if it stays so, see to ${who}.`,
  )
}

/** An error, and what it was made of; Stripe's library keeps the latter in `detail`. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error;) {
    yield cause
    cause = cause.cause ?? ('detail' in cause ? cause.detail : undefined)
  }
}

function causeOf(error: unknown): string {
  const innermost = [...causesOf(error)].at(-1)
  return (innermost?.message || String(error)).slice(0, 200)
}

/** @returns the name that could not be looked up, where that is what went wrong */
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
    `The name ${host} does not resolve, so ${who} was not reached.`,
    'Correct the name in the settings, or see to the DNS of this machine.',
  )

async function examineStripe(shop: ProviderNeeds): Promise<Finding[]> {
  const url = `${baseUrlOf(shop.config)}/webhooks/stripe`
  const findings = await Promise.all([
    runCheck('stripe key', 'Stripe', async () => {
      const { canCharge, canPayOut } = await shop.stripe.describeAccount()
      return canCharge && canPayOut
        ? passed('stripe key', 'It is taken, and the account may charge and pay out.')
        : failed(
            'stripe key',
            canCharge ? 'The account may not pay out.' : 'The account may not charge.',
            'Complete what Stripe’s dashboard asks for on its first page.',
          )
    }),
    runCheck('clock', 'Stripe', async () => {
      const { at } = await shop.stripe.describeAccount()
      return clockFinding(at, machineTime())
    }),
    runCheck('stripe tax', 'Stripe', async () =>
      (await shop.stripe.isTaxActive())
        ? passed('stripe tax', 'Tax can be calculated.')
        : failed(
            'stripe tax',
            'Tax cannot be calculated, so nothing can be paid.',
            'Complete the settings of Stripe Tax in the dashboard.',
          ),
    ),
    runCheck('stripe webhook', 'Stripe', async () =>
      webhookFinding(
        'stripe webhook',
        { url, events: STRIPE_EVENTS },
        await shop.stripe.listEndpoints(),
        'at Stripe, Developers, Webhooks',
      ),
    ),
  ])
  return findings.flat()
}

/** By which a signature is judged: the machine's own clock, whatever the shop is told. */
const machineTime = () => new Date()

const SIGNED_WITHIN_MS = 30 * DAY_MS

/** Stripe shows a signing secret once and makes no event on request, so the proof is the last event that fitted it. */
async function examineSignature({ db, clock }: Needs<'db' | 'clock'>): Promise<Finding> {
  const name = 'stripe signature'
  const { rows } = await db.execute<{ at: Date | null }>(
    sql`select max(received_at) as at from provider_event where provider = 'stripe' and type in ('payment_intent.succeeded', 'charge.succeeded')`,
  )
  const at = rows[0]?.at ? new Date(rows[0].at) : undefined
  return at && at > after(clock.now(), -SIGNED_WITHIN_MS)
    ? passed(name, `STRIPE_WEBHOOK_SECRET fitted an event of ${at.toISOString()}; Stripe has no other proof of it.`)
    : inconclusive(
        name,
        'No event has come in 30 days that would show whether STRIPE_WEBHOOK_SECRET fits; Stripe has no other proof of it.',
        'Send a test event from the page of the webhook in Stripe’s dashboard, and run this again.',
      )
}

/** PayPal signs for the id of our address: reading the address by that id is the round trip. Its features are permissions, each of its own. */
async function examinePaypal(shop: ProviderNeeds): Promise<Finding[]> {
  const url = `${baseUrlOf(shop.config)}/webhooks/paypal`
  const findings = await Promise.all([
    runCheck('paypal webhook', 'PayPal', async () => {
      try {
        const endpoint = await shop.paypal.readWebhook()
        return webhookFinding(
          'paypal webhook',
          { url, events: PAYPAL_EVENTS },
          [endpoint],
          'at PayPal, in the app, Webhooks',
        )
      } catch (error) {
        if (!(error instanceof ProviderRefusal)) throw error
        return failed(
          'paypal webhook',
          'PayPal knows no address by PAYPAL_WEBHOOK_ID, so no event’s signature can be right.',
          'Set PAYPAL_WEBHOOK_ID to the id that stands at PayPal, in the app, Webhooks.',
        )
      }
    }),
    runCheck('paypal disputes', 'PayPal', () =>
      examineFeature('paypal disputes', 'Customer disputes', 'Nobody hears of a dispute until its money is gone.', () =>
        Array.fromAsync(shop.paypal.listDisputesSince(shop.clock.now())),
      ),
    ),
    runCheck('paypal transactions', 'PayPal', () =>
      examineFeature(
        'paypal transactions',
        'Transaction search',
        'Refunds made at PayPal, its fees and its payouts are not heard of without their event, and the books cannot be compared.',
        () => {
          const until = shop.clock.now()
          return shop.paypal.listMovements({ since: after(until, -HOUR_MS), until }, null)
        },
      ),
    ),
  ])
  return findings.flat()
}

/** @param feature by its name at PayPal @param otherwise what follows where it is off */
async function examineFeature(
  name: string,
  feature: string,
  otherwise: string,
  ask: () => Promise<unknown>,
): Promise<Finding> {
  try {
    await ask()
    return passed(name, `The app has the feature ‘${feature}’.`)
  } catch (error) {
    if (!(error instanceof NotPermitted)) throw error
    return failed(
      name,
      `The app lacks the feature ‘${feature}’: PayPal answers 403. ${otherwise}`,
      `Turn on ‘${feature}’ at PayPal, in the app, Features; it holds for tokens that are made afterwards, in some hours at most.`,
    )
  }
}

/** What is older may have been before the last backup. */
const MADE_WITHIN_MS = 3 * DAY_MS
/** PayPal tries an event again for days; one that is not here by then was refused, or never got as far as the shop. */
const DELIVERED_WITHIN_MS = 15 * MINUTE_MS

/** Signatures are verified by PayPal's certificate: the proof is its newest event, and the certificate that has signed one. */
async function examineWalletSignature({ db, paypal, clock }: Needs<'db' | 'paypal' | 'clock'>): Promise<Finding> {
  const name = 'paypal signature'
  const made = (await paypal.listEvents(after(clock.now(), -MADE_WITHIN_MS)))
    .filter(({ type, at }) => PAYPAL_EVENTS.includes(type) && at < after(clock.now(), -DELIVERED_WITHIN_MS))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const [newest] = made
  const known = await knownAmong(
    db,
    'paypal',
    made.map(({ id }) => id),
  )
  if (newest && !known.has(newest.id))
    return failed(
      name,
      `PayPal made the event ${newest.id} at ${newest.at.toISOString()}, and it is not here: it was refused, or did not reach the shop.`,
      'See that PAYPAL_WEBHOOK_ID is that of this address, that the shop can reach PayPal’s certificates, and what the log says of events that were not believed.',
    )
  const { rows } = await db.execute<{ certificate: string }>(
    sql`select payload ->> 'certificate' as certificate from provider_event
        where provider = 'paypal' and payload ? 'certificate' order by id desc limit 1`,
  )
  const certificate = rows[0]?.certificate
  if (!certificate)
    return inconclusive(
      name,
      'No event has come yet that would show whether PayPal’s signatures can be verified.',
      'Run this again after the first payment by PayPal.',
    )
  const judged = await paypal.judgeCertificate(certificate)
  if ('wrong' in judged)
    return failed(
      name,
      `PayPal’s certificate at ${certificate} is not good: ${judged.wrong}.`,
      'Ask PayPal whether it has changed its certificates; the sweep finds payments without its events.',
    )
  const until = judged.certificate.validToDate.toISOString().slice(0, 10)
  return passed(
    name,
    judged.isRooted
      ? `Events are verified by PayPal’s certificate, good until ${until}, by its chain.`
      : `Events are verified by PayPal’s certificate, good until ${until}; its chain is not known here, so PayPal is asked once after each start.`,
  )
}

/** Printful signs nothing: the secret is part of the address, which it tells again. */
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
        { url, events: PRINTFUL_EVENTS },
        await shop.printful.listEndpoints(),
        'by POST /webhooks of Printful’s interface',
      ),
    ),
  ])
  return findings.flat()
}

/** Synchronizations of this age were missed several times. */
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
    return passed('mail', 'The mail server takes our sign-in.')
  } catch (error) {
    if (unresolvedIn(error) !== undefined) throw error
    const isSignIn = [...causesOf(error)].some((cause) => 'code' in cause && cause.code === 'EAUTH')
    return failed(
      'mail',
      `The mail server ${isSignIn ? 'does not take our sign-in' : 'cannot be used'}: ${causeOf(error)}`,
      isSignIn ? 'Correct user and password in SMTP_URL.' : 'Correct SMTP_URL, or see to the mail server.',
    )
  }
}

const ADDRESS_TIMEOUT_MS = 8 * SECOND_MS

/** Only a shop on this database knows the answer to a question that was just invented. */
async function examineAddress({ config }: ProviderNeeds, home: ShopDatabase): Promise<Finding> {
  const address = baseUrlOf(config)
  const fix = 'Start the shop, and see that PUBLIC_URL leads to it from outside.'
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
        ? failed('address', `${address} leads to another shop, or to one on another database.`, fix)
        : failed('address', `${address} leads to something else, which answers ${answer.status}.`, fix)
    } catch (error) {
      if (unresolvedIn(error) !== undefined) throw error
      return home === 'empty'
        ? notStarted('address')
        : failed('address', `${address} does not answer: ${causeOf(error)}`, fix)
    }
  }
  return home === 'empty' || 'state' in home ? ask('0'.repeat(32), undefined) : withProof(home.db, ask)
}

async function examineDisk({ config: { dataDir } }: ProviderNeeds): Promise<Finding> {
  if (dataDir.startsWith('memory://')) return passed('disk', 'Nothing is kept on a disk.')
  let folder = dataDir
  // Before the first start there is no folder yet, but the disk that it will lie on.
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

/** Where the shop remembers when it was last examined. */
const EXAMINED_AT = 'examined_at'

/** What is wrong stands on the owner's list until a later look finds it well. */
async function note({ db, clock, log }: DoctorNeeds, findings: readonly Finding[]): Promise<void> {
  const now = clock.now()
  const found = findings.filter(({ state }) => state === 'wrong')
  for (const { name, what, fix } of found) log.warn({ name, what, fix }, 'the doctor found something wrong')
  const judged = findings.filter(({ state }) => state !== 'unknown').map(({ name }) => aboutOf(name))
  await db.transaction(async (tx) => {
    await saveExceptions(
      tx,
      // What could not be asked stays as it was.
      { kinds: ['setup'], abouts: judged },
      found.map(({ name, what, fix = '' }) => ({
        kind: 'setup' as const,
        about: aboutOf(name),
        orderId: null,
        amount: ZERO,
        cause: `${what} ${fix}`,
      })),
      now,
    )
    await tx.execute(sql`
      insert into setting (name, value) values (${EXAMINED_AT}, ${now.toISOString()})
      on conflict (name) do update set value = excluded.value`)
  })
}

const aboutOf = (name: string) => `setup:${name}`

export type Diagnosis = { healthy: boolean; findings: Finding[] }

const diagnosisOf = (findings: Finding[]): Diagnosis => ({
  healthy: findings.every(({ state }) => state !== 'wrong'),
  findings,
})

/** The owner's command `doctor` in a shop that runs. */
export const doctorByOwner = async (shop: DoctorNeeds): Promise<Diagnosis> => diagnosisOf(await runDoctor(shop))

/**
 * The same where no shop runs, which may never have been started. What is wrong is noted where there is something to note it in.
 * @param open gives the database; undefined where the first start makes it. What it throws is a finding
 */
export async function examineAlone(
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
      : failed('database', `It cannot be opened: ${causeOf(error)}`, 'Correct DATABASE_URL, or see to the database.')
    return diagnosisOf(await runAllChecks(shop, finding))
  } finally {
    await database?.close()
  }
}

/** The settings alone can be wrong enough to keep everything else from being looked at. @param mistakes a sentence each */
export const diagnosisOfSettings = (mistakes: readonly string[]): Diagnosis =>
  diagnosisOf(
    mistakes.map((mistake, at) =>
      failed(
        `settings ${at + 1}`,
        mistake,
        'Correct it (docs/operations.md, Settings), and ask again: nothing else was looked at.',
      ),
    ),
  )

const CHECK_EVERY_MS = HOUR_MS
/** What stands before the shop, and what tells its address to providers, may need a moment after a start. */
const AFTER_START_MS = 30 * SECOND_MS

/** The first look after a start. */
export const runDoctorLater = ({ db, jobs, clock }: Needs<'db' | 'jobs' | 'clock'>): Promise<void> =>
  db.transaction((tx) => jobs.enqueue(tx, 'examine-setup', {}, after(clock.now(), AFTER_START_MS)))

async function isDue({ db, clock }: Needs<'db' | 'clock'>): Promise<boolean> {
  const { rows } = await db.execute<{ value: string }>(sql`select value from setting where name = ${EXAMINED_AT}`)
  return rows[0] === undefined || new Date(rows[0].value) <= after(clock.now(), -DAY_MS)
}

/** Looks every hour whether a day has gone by, for as long as the shop lives; what is under way is a job and ends with the jobs. */
export function startDoctorSchedule(shop: Needs<'db' | 'clock' | 'jobs' | 'log'>): { stop(): void } {
  const timer = setInterval(() => {
    void (async () => {
      if (await isDue(shop)) await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'examine-setup', {}))
    })().catch((error: unknown) => shop.log.error({ err: error }, 'the examination could not be begun'))
  }, CHECK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
