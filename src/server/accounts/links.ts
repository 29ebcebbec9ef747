import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { mailRequestLater, mailAccountChangeLater } from './account-mails.ts'
import { checkNewPassword } from './new-password.ts'
import { hashPassword } from './passwords.ts'
import {
  addAccountLink,
  addRequest,
  changeUser,
  countRequests,
  endSessionsOf,
  findRequest,
  findRequestOfLink,
  findUserByNameOrEmail,
  setProvenEmail,
  removeExpiredRequests,
  removeRequestsOf,
  takeRequest,
  type AccountRequest,
} from './store.ts'
import { canonicalUsername } from './usernames.ts'

/** How long a mailed link works. */
const LIFETIME_MS: Record<AccountRequest['kind'], number> = { password: HOUR_MS, email: DAY_MS }
/** More mails of a kind than this within an hour are not written: nobody's mailbox is filled by a stranger. */
const MAILS_PER_HOUR = 3
const REMOVED_AT_ONCE = 1000

type LinkRequestNeeds = Needs<'db' | 'clock' | 'jobs'>
type LinkMailNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The form in which an email is unique, and found among the orders. */
const canonicalEmail = (typed: string) => typed.trim().toLowerCase()

/**
 * Asks for a link to a new password. Whether anybody has the name, and an email, is looked at when the mail is written: here it
 * makes no difference to what is done, nor to how long it takes.
 * @param typed a username or an email
 */
export async function askForNewPassword(shop: LinkRequestNeeds, typed: string): Promise<void> {
  const user = await findUserByNameOrEmail(shop.db, canonicalUsername(typed))
  await addRequestLater(shop, { kind: 'password', userId: user?.id ?? null, email: null })
}

export const askForProof = (shop: LinkRequestNeeds, userId: UserId, typed: string): Promise<void> =>
  addRequestLater(shop, { kind: 'email', userId, email: canonicalEmail(typed) })

async function addRequestLater(
  { db, clock, jobs }: LinkRequestNeeds,
  wanted: Pick<AccountRequest, 'kind' | 'userId' | 'email'>,
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const requestId = await addRequest(tx, {
      ...wanted,
      createdAt: now,
      expiresAt: after(now, LIFETIME_MS[wanted.kind]),
    })
    await jobs.enqueue(tx, 'mail-account-link', { requestId })
  })
}

/** Writes the mail that was asked for, if there is somebody to write to; a request that nobody can fulfil is forgotten. */
export async function mailAccountLink(shop: LinkMailNeeds, requestId: number): Promise<void> {
  const { db, clock } = shop
  const found = await findRequest(db, requestId)
  if (!found) return
  const { request, user } = found
  const email = request.kind === 'password' ? user?.email : request.email
  const asked = await countRequests(db, request, after(clock.now(), -HOUR_MS))
  await db.transaction(async (tx) => {
    if (!user || !email || asked > MAILS_PER_HOUR) await takeRequest(tx, requestId)
    else await mailRequestLater(shop, tx, request, user, email)
  })
}

/** A link for a mail that is being sent. @param about what the mail is about: see `mailRequestLater` @returns its token */
export async function openAccountLink({ db }: Needs<'db'>, about: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const requestId = Number(about.slice(about.lastIndexOf('-') + 1))
  await db.transaction(async (tx) => {
    // A request that was taken or has expired meanwhile gets a link that opens nothing.
    if (await findRequest(tx, requestId)) await addAccountLink(tx, { tokenHash: hashOf(token), requestId })
  })
  return token
}

/**
 * Sets a new password by a mailed link, once. Whatever was signed in no longer is, and other links to a new password end.
 * @throws Refusal `link_expired`, `password_common`, `invalid`
 */
export async function setNewPassword(shop: LinkMailNeeds, token: string, password: string): Promise<void> {
  const { db, clock } = shop
  const found = await findRequestOfLink(db, hashOf(token), clock.now())
  if (!found || found.request.kind !== 'password') throw new Refusal('link_expired')
  const { request, user } = found
  checkNewPassword(password, user)
  const passwordHash = await hashPassword(password)
  await db.transaction(async (tx) => {
    if (!(await takeRequest(tx, request.id))) throw new Refusal('link_expired')
    await changeUser(tx, user.id, { passwordHash })
    await removeRequestsOf(tx, user.id, 'password')
    await endSessionsOf(tx, user.id)
    await mailAccountChangeLater(shop, tx, user, 'the password was changed')
  })
}

/**
 * Proves an email by its link. Only the account that asked can: whoever opens a stranger's link would else give them the orders
 * of this mailbox.
 * @returns the address
 * @throws Refusal `link_expired`, `link_of_another`, `email_taken`
 */
export async function proveEmail(shop: LinkMailNeeds, userId: UserId, token: string): Promise<string> {
  const { db, clock } = shop
  const found = await findRequestOfLink(db, hashOf(token), clock.now())
  if (!found || found.request.kind !== 'email' || !found.request.email) throw new Refusal('link_expired')
  const { request, user } = found
  const { email } = found.request
  if (user.id !== userId) throw new Refusal('link_of_another')
  await db.transaction(async (tx) => {
    if (!(await takeRequest(tx, request.id))) throw new Refusal('link_expired')
    if (!(await setProvenEmail(tx, userId, email))) throw new Refusal('email_taken')
    await removeRequestsOf(tx, userId, 'email')
    // Links to a new password that are in the former mailbox end with it.
    await removeRequestsOf(tx, userId, 'password')
    if (user.email !== email) await mailAccountChangeLater(shop, tx, user, 'the email was changed to another one')
  })
  return email
}

/** @returns how many; the rest waits for the next time */
export const endExpiredLinks = ({ db, clock }: Needs<'db' | 'clock'>): Promise<number> =>
  db.transaction((tx) => removeExpiredRequests(tx, clock.now(), REMOVED_AT_ONCE))
