import type { Credentials, LoginCredentials } from '#contract/accounts.ts'
import type { Secret } from '#server/config/secret.ts'
import { addressOf } from '#server/http/address.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import type { LoginLimit } from './login-limit.ts'
import { checkNewPassword } from './new-password.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { checkSecondFactor } from './second-factor.ts'
import {
  addUser,
  changeUser,
  endSessionsOf,
  findUser,
  removeRequestsOf,
  removeSecondFactor,
  type User,
} from './store.ts'
import { canonicalUsername, objectionToUsername } from './usernames.ts'

// The area's door: sessions are lent to `http`, which may not know accounts.
export { createSessions, endIdleSessions } from './sessions.ts'
export { endExpiredLinks, mailAccountLink, openAccountLink } from './links.ts'
export { emailOf } from './own-account.ts'

/**
 * Creates a plain user.
 * @throws Refusal `invalid` for a name that others could not tell apart, `password_common`, `username_taken`
 */
export async function register({ db, clock }: Needs<'db' | 'clock'>, wanted: Credentials): Promise<User> {
  const objection = objectionToUsername(wanted.username)
  if (objection) throw new Refusal('invalid', {}, { username: objection })

  const username = canonicalUsername(wanted.username)
  checkNewPassword(wanted.password, { username, isOwner: false })
  // Asked before the slow hash as a courtesy; the unique constraint decides below.
  if (await findUser(db, username)) throw usernameTaken()

  const passwordHash = await hashPassword(wanted.password)
  const user = await db.transaction((tx) =>
    addUser(tx, { username, shownName: wanted.username.normalize('NFC'), passwordHash, createdAt: clock.now() }),
  )
  if (!user) throw usernameTaken()
  return user
}

const usernameTaken = () => new Refusal('username_taken', {}, { username: 'This username is already taken' })

/**
 * Never tells whether the name exists: not by its words, and not by the time that it takes.
 * @throws Refusal `wrong_credentials`, `code_needed` and `wrong_code` once the password was right, `too_many`
 */
export async function login(
  shop: Needs<'db' | 'clock'>,
  limit: LoginLimit,
  given: LoginCredentials,
  { session, ip }: Pick<Context, 'session' | 'ip'>,
): Promise<User> {
  const username = canonicalUsername(given.username)
  // A name that nobody can have is looked up nowhere; the hashing work below is the same.
  const user = objectionToUsername(given.username) ? undefined : await findUser(shop.db, username)
  const present = await session()
  const known = user && present?.formerUserId === user.id ? present.id : undefined
  const tried = { account: username, address: addressOf(ip), sessionId: known }
  if (!(await limit.allows(tried))) throw new Refusal('too_many')

  const right = await isPassword(given.password, user?.passwordHash)
  if (!user || !right) throw new Refusal('wrong_credentials')
  await checkSecondFactor(shop, limit, user, given.code)
  await limit.reset(tried)
  return user
}

type ConfiguredUser = {
  username: string
  password: Secret
  isOwner: boolean
  isPartner: boolean
  /** The password is printed at the start, so it holds at every start. */
  isDemo?: boolean
}

/**
 * Makes the user that the configuration names. One who is there and is what they should be keeps the password that they have
 * chosen since, unless it is a demo's; a stranger who had taken the name loses it, is signed out, and has no way back in.
 */
export async function ensureUser({ db, clock }: Needs<'db' | 'clock'>, wanted: ConfiguredUser): Promise<void> {
  const username = canonicalUsername(wanted.username)
  const { isOwner, isPartner, isDemo = false } = wanted
  const password = wanted.password.reveal()
  const present = await findUser(db, username)
  if (!present) {
    const passwordHash = await hashPassword(password)
    const user = { username, shownName: wanted.username, passwordHash, isOwner, isPartner, createdAt: clock.now() }
    await db.transaction((tx) => addUser(tx, user))
    return
  }
  const keepsPassword = present.isOwner && isOwner && !isDemo && !(await hasDemoPassword(present))
  if (keepsPassword) return
  // Somebody else had it: whoever registered the name, or whoever read the demo's password.
  const wasAnothers = isOwner && !(present.isOwner && isDemo)
  if (wasAnothers || !(await isPassword(password, present.passwordHash))) {
    const passwordHash = await hashPassword(password)
    await db.transaction(async (tx) => {
      await changeUser(tx, present.id, { passwordHash, isOwner, isPartner, ...(wasAnothers && { email: null }) })
      await endSessionsOf(tx, present.id)
      if (!wasAnothers) return
      await removeRequestsOf(tx, present.id, 'email')
      await removeRequestsOf(tx, present.id, 'password')
      await removeSecondFactor(tx, present.id)
    })
  } else if (present.isOwner !== isOwner || (isDemo && present.isPartner !== isPartner))
    await db.transaction((tx) => changeUser(tx, present.id, { isOwner, isPartner }))
}

/** People whose passwords stand in the documentation; a live shop refuses to start while one of them could sign in. */
const demoPeople = [
  ['owner', 'owner-demo'],
  ['partner', 'partner-demo'],
] as const

const hasDemoPassword = async ({ username, passwordHash }: User): Promise<boolean> => {
  const password = demoPeople.find(([name]) => name === username)?.[1]
  return password !== undefined && isPassword(password, passwordHash)
}

/** @throws Error with one sentence that names a demo user of the database */
export async function refuseDemoPeople({ db }: Needs<'db'>): Promise<void> {
  for (const [username] of demoPeople) {
    const user = await findUser(db, username)
    if (user && (await hasDemoPassword(user)))
      throw new Error(`The user ${username} still has the demo's password; a live shop does not start with it.`)
  }
}
