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

/** How long an emailed link works. */
const LIFETIME_MS: Record<RequestedLink, number> = { password: HOUR_MS, email: DAY_MS }
/** Emails per kind and user. Strangers cannot flood a mailbox by requesting links. */
const MAILS_PER_HOUR = 3
const REMOVAL_BATCH = 1000

/** The links that people request themselves. */
type RequestedLink = Exclude<AccountRequest['kind'], 'invitation'>

type LinkRequestNeeds = Needs<'db' | 'clock' | 'jobs'>
type LinkMailNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The form in which an email is unique, and found among the orders. */
export const canonicalEmail = (typed: string) => typed.trim().toLowerCase()

/**
 * Requests a link to set a new password. Whether the user exists and has an email is checked later, in the job: here neither the
 * answer nor its timing gives it away.
 * @param typed a username or an email
 */
export async function requestNewPassword(shop: LinkRequestNeeds, typed: string): Promise<void> {
  const user = await findUserByNameOrEmail(shop.db, canonicalUsername(typed))
  await addRequestLater(shop, { kind: 'password', userId: user?.id ?? null, email: null })
}

export const requestEmailProof = (shop: LinkRequestNeeds, userId: UserId, typed: string): Promise<void> =>
  addRequestLater(shop, { kind: 'email', userId, email: canonicalEmail(typed) })

async function addRequestLater(
  { db, clock, jobs }: LinkRequestNeeds,
  wanted: Pick<AccountRequest, 'userId' | 'email'> & { kind: RequestedLink },
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

/** Queues the requested email. A request without a user or address, or over the limit, is deleted. */
export async function mailAccountLink(shop: LinkMailNeeds, requestId: number): Promise<void> {
  const { db, clock } = shop
  const found = await findRequest(db, requestId)
  if (!found) return
  const { request, user } = found
  const email = request.kind === 'password' ? user?.email : request.email
  const requestsThisHour = await countRequests(db, request, after(clock.now(), -HOUR_MS))
  await db.transaction(async (tx) => {
    if (!user || !email || requestsThisHour > MAILS_PER_HOUR) await takeRequest(tx, requestId)
    else await mailRequestLater(shop, tx, request, user, email)
  })
}

/** Creates the link for an email that is being sent. @param about see `mailRequestLater` @returns its token */
export async function openAccountLink({ db }: Needs<'db'>, about: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const requestId = Number(about.slice(about.lastIndexOf('-') + 1))
  await db.transaction(async (tx) => {
    // A request that was used or has expired in the meantime gets a link that opens nothing.
    if (await findRequest(tx, requestId)) await addAccountLink(tx, { tokenHash: hashOf(token), requestId })
  })
  return token
}

/**
 * Sets a new password by an emailed link, once. All sessions are signed out, and other password links stop working.
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
 * Confirms an email by its link. Only the account that requested it can: opening a stranger's link must not give them the orders of
 * this mailbox.
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
    // Password links in the old mailbox must stop working.
    await removeRequestsOf(tx, userId, 'password')
    if (user.email !== email)
      await mailAccountChangeLater(shop, tx, user, 'the email was changed to a different address')
  })
  return email
}

/** @returns how many were deleted; one batch per run */
export const endExpiredLinks = ({ db, clock }: Needs<'db' | 'clock'>): Promise<number> =>
  db.transaction((tx) => removeExpiredRequests(tx, clock.now(), REMOVAL_BATCH))
