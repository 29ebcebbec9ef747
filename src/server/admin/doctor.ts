import {
  type Finding,
  failed,
  inconclusive,
  invoicesFinding,
  modesFinding,
  policyFinding,
} from '#domain/doctor/findings.ts'
import { type Database, isSetUp } from '#server/db/db.ts'
import { saveExceptions } from '#server/reconciliation/exceptions.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import { ZERO } from '#shared/money.ts'
import { DAY_MS, SECOND_MS, after } from '#shared/time.ts'
import { examineBackup } from './backup-note.ts'
import {
  type ProviderNeeds,
  START,
  type ShopDatabase,
  attentionCauseOf,
  notStarted,
  runCheck,
  unreached,
  unresolved,
  unresolvedIn,
} from './doctor-check.ts'
import { examineAddress, examineDatabase, examineDisk, examineMail, examineMailbox } from './doctor-machine.ts'
import {
  examineBeacon,
  examineMapping,
  examinePaypal,
  examinePrintful,
  examineSignature,
  examineStripe,
  examineWalletSignature,
} from './doctor-providers.ts'
import { listPaymentPageViolations } from './policy-reports.ts'

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
    checkStored('raffle beacon', 'drand', ({ db }) => examineBeacon({ ...shop, db })),
    checkStored('mapping', 'the database', (stored) => examineMapping({ ...shop, ...stored })),
    checkStored('content policy', 'the database', async ({ db }) =>
      policyFinding(await listPaymentPageViolations(db, shop.clock.now())),
    ),
    runCheck('mail', 'the mail server', () => examineMail(shop)),
    runCheck('mailbox', 'the support mailbox', () => examineMailbox(shop)),
    runCheck('address', 'the shop’s own address', () => examineAddress(shop, database)),
    checkStored('invoices', 'the database', async ({ db }) => invoicesFinding(await readSiteSettings(db))),
    runCheck('disk', 'the disk', () => examineDisk(shop)),
    checkStored('backup', 'the database', ({ db }) => examineBackup({ ...shop, db })),
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

const kindsOf = ({ mode, isRehearsal, stripe, paypal }: ProviderNeeds['config']) => ({
  isLive: mode === 'live',
  isRehearsal,
  stripeLive: stripe.live,
  publishableKey: stripe.publishableKey,
  paypalLive: paypal.live,
})

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

/** Gives a proxy or tunnel in front of the shop time to come up. */
const AFTER_START_MS = 30 * SECOND_MS

export const runDoctorLater = ({ db, jobs, clock }: Needs<'db' | 'jobs' | 'clock'>): Promise<void> =>
  db.transaction((tx) => jobs.enqueue(tx, 'examine-setup', {}, after(clock.now(), AFTER_START_MS)))

/** Whether the last run is a day old. */
export async function isExaminationDue({ db, clock }: Needs<'db' | 'clock'>): Promise<boolean> {
  const last = await findSetting(db, EXAMINED_AT)
  return last === undefined || new Date(last) <= after(clock.now(), -DAY_MS)
}
