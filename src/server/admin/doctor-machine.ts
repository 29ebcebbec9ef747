import { existsSync } from 'node:fs'
import { readFile, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Finding, databaseFinding, diskFinding, failed, passed } from '#domain/doctor/findings.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { withMailbox } from '#server/mail/mailbox-reader.ts'
import type { Needs } from '#server/shop.ts'
import { SECOND_MS } from '#shared/time.ts'
import {
  type ProviderNeeds,
  type ShopDatabase,
  attentionCauseOf,
  causesOf,
  notStarted,
  unresolvedIn,
} from './doctor-check.ts'
import { withProof } from './public-url-proof.ts'

export async function examineMail({ mailTransport }: ProviderNeeds): Promise<Finding> {
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

/** Whether customers' replies by email reach their conversations. */
export async function examineMailbox({ config: { mailbox }, clock }: ProviderNeeds): Promise<Finding> {
  if (!mailbox) return passed('mailbox', 'IMAP_URL is not set: replies to emails stay in the support mailbox.')
  try {
    const mails = await withMailbox(mailbox, (reader) => reader.list(clock.now()))
    return passed('mailbox', `The support mailbox opens; it has ${mails.length} emails of the last three days.`)
  } catch (error) {
    if (unresolvedIn(error) !== undefined) throw error
    return failed(
      'mailbox',
      `The support mailbox cannot be read: ${attentionCauseOf(error)}`,
      'Correct IMAP_URL; many mail providers ask for an app password and for IMAP to be switched on.',
    )
  }
}

const ADDRESS_TIMEOUT_MS = 8 * SECOND_MS

/** Only a shop on this database knows the answer to the new question. */
export async function examineAddress({ config }: ProviderNeeds, database: ShopDatabase): Promise<Finding> {
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

export async function examineDisk({ config: { dataDir } }: ProviderNeeds): Promise<Finding> {
  if (dataDir.startsWith('memory://')) return passed('disk', 'The shop stores nothing on disk.')
  let folder = dataDir
  // Before the first start only a parent folder exists, on the same disk.
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  return diskFinding(bavail * bsize)
}

const JOURNAL = new URL('../db/migrations/meta/_journal.json', import.meta.url)

export async function examineDatabase({
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
