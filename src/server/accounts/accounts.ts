import type { Credentials, LoginCredentials } from '#contract/accounts.ts'
import type { StaffRole } from '#domain/accounts/roles.ts'
import type { Secret } from '#server/config/secret.ts'
import { networkOf } from '#server/http/ip-network.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import type { LoginLimit } from '#server/limits/login-limit.ts'
import { checkNewPassword } from './new-password.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
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

// The entry file of accounts. `http` gets its sessions from outside, because it may not import accounts.
export { createSessions, endIdleSessions } from './sessions.ts'
export { endExpiredLinks, mailAccountLink, openAccountLink } from './links.ts'
export { emailOf } from './own-account.ts'

/**
 * Creates a plain user.
 * @throws Refusal `invalid` for a confusable name, `password_common`, `username_taken`
 */
export async function register({ db, clock }: Needs<'db' | 'clock'>, wanted: Credentials): Promise<User> {
  const objection = objectionToUsername(wanted.username)
  if (objection) throw new Refusal('invalid', {}, { username: objection })

  const username = canonicalUsername(wanted.username)
  checkNewPassword(wanted.password, { username, role: null })
  // Saves the slow hash in the common case; the unique constraint decides below.
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
  // An impossible name is not looked up, but it costs the same hashing work below.
  const user = objectionToUsername(given.username) ? undefined : await findUser(shop.db, username)
  const present = await session()
  const known = user && present?.formerUserId === user.id ? present.id : undefined
  const tried = { account: username, address: networkOf(ip), sessionId: known }
  if (!(await limit.allows(tried))) throw new Refusal('too_many')

  const right = await verifyPassword(given.password, user?.passwordHash)
  if (!user || !right) throw new Refusal('wrong_credentials')
  await checkSecondFactor(shop, limit, user, given.code)
  await limit.reset(tried)
  return user
}

type ConfiguredUser = {
  username: string
  password: Secret
  role: StaffRole | null
  isPartner: boolean
  /** The startup output prints this password, so every start resets it. */
  isDemo?: boolean
}

/**
 * Creates the configured user. An existing user with the right role keeps their own password, unless it is a demo user. Anybody
 * else who had taken the name loses it: signed out, with no email, reset link or second factor to come back by.
 */
export async function ensureUser({ db, clock }: Needs<'db' | 'clock'>, wanted: ConfiguredUser): Promise<void> {
  const username = canonicalUsername(wanted.username)
  const { role, isPartner, isDemo = false } = wanted
  const password = wanted.password.reveal()
  const present = await findUser(db, username)
  if (!present) {
    const passwordHash = await hashPassword(password)
    const user = { username, shownName: wanted.username, passwordHash, role, isPartner, createdAt: clock.now() }
    await db.transaction((tx) => addUser(tx, user))
    return
  }
  const keepsPassword = present.role === role && role !== null && !isDemo && !(await hasDemoPassword(present))
  if (keepsPassword) return
  // Somebody else may control the account: a person who registered the name or who read the demo password.
  const isTakenOver = role !== null && !(present.role === role && isDemo)
  if (isTakenOver || !(await verifyPassword(password, present.passwordHash))) {
    const passwordHash = await hashPassword(password)
    await db.transaction(async (tx) => {
      await changeUser(tx, present.id, { passwordHash, role, isPartner, ...(isTakenOver && { email: null }) })
      await endSessionsOf(tx, present.id)
      if (!isTakenOver) return
      await removeRequestsOf(tx, present.id, 'email')
      await removeRequestsOf(tx, present.id, 'password')
      await removeSecondFactor(tx, present.id)
    })
  } else if (present.role !== role || (isDemo && present.isPartner !== isPartner))
    await db.transaction((tx) => changeUser(tx, present.id, { role, isPartner }))
}

/** Users whose passwords are in the documentation. A live shop does not start while one of them can sign in. */
const demoPeople = [
  ['owner', 'owner-demo'],
  ['partner', 'partner-demo'],
] as const

const hasDemoPassword = async ({ username, passwordHash }: User): Promise<boolean> => {
  const password = demoPeople.find(([name]) => name === username)?.[1]
  return password !== undefined && verifyPassword(password, passwordHash)
}

/** @throws Error that names the demo user */
export async function refuseDemoPeople({ db }: Needs<'db'>): Promise<void> {
  for (const [username] of demoPeople) {
    const user = await findUser(db, username)
    if (user && (await hasDemoPassword(user)))
      throw new Error(
        `The user ${username} still has the demo password, so the live shop does not start. Set a new one: npm run owner -- password ${username}`,
      )
  }
}
