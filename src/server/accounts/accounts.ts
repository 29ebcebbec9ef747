import type { Credentials } from '#contract/accounts.ts'
import type { Secret } from '#server/config/secret.ts'
import { Refused } from '#server/http/refused.ts'
import type { Needs } from '#server/shop.ts'
import { commonPasswords } from './common-passwords.ts'
import type { LoginLimit } from './login-limit.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { addUser, changeUser, endSessionsOf, findUser, type User } from './store.ts'
import { canonicalUsername, objectionToUsername } from './usernames.ts'

// The area's door: sessions are lent to `http`, which may not know accounts.
export { createSessions, endIdleSessions } from './sessions.ts'

const TOO_EASY = 'This password is too easy to guess'

/**
 * Creates a plain user.
 * @throws Refused `invalid` for a name that others could not tell apart, `password_common`, `username_taken`
 */
export async function register({ db, clock }: Needs<'db' | 'clock'>, wanted: Credentials): Promise<User> {
  const objection = objectionToUsername(wanted.username)
  if (objection) throw new Refused('invalid', {}, { username: objection })

  const username = canonicalUsername(wanted.username)
  const password = canonicalUsername(wanted.password)
  if (commonPasswords.has(password) || password === username)
    throw new Refused('password_common', {}, { password: TOO_EASY })
  // Asked before the slow hash as a courtesy; the unique constraint decides below.
  if (await findUser(db, username)) throw nameTaken()

  const passwordHash = await hashPassword(wanted.password)
  const user = await db.transaction((tx) =>
    addUser(tx, { username, shownName: wanted.username.normalize('NFC'), passwordHash, createdAt: clock.now() }),
  )
  if (!user) throw nameTaken()
  return user
}

const nameTaken = () => new Refused('username_taken', {}, { username: 'This username is already taken' })

/**
 * Never tells whether the name exists: not by its words, and not by the time that it takes.
 * @param address where the request comes from
 * @throws Refused `wrong_credentials`, `too_many`
 */
export async function login(
  { db }: Needs<'db'>,
  limit: LoginLimit,
  given: Credentials,
  address: string,
): Promise<User> {
  const username = canonicalUsername(given.username)
  if (!limit.allows(username, address)) throw new Refused('too_many')

  // A name that nobody can have is looked up nowhere; the hashing work below is the same.
  const user = objectionToUsername(given.username) ? undefined : await findUser(db, username)
  const right = await isPassword(given.password, user?.passwordHash)
  if (!user || !right) throw new Refused('wrong_credentials')
  limit.forget(username, address)
  return user
}

type ConfiguredUser = { username: string; password: Secret; isOwner: boolean; isPartner: boolean }

/**
 * Makes the user that the configuration names, or makes an existing one fit it: the configuration's password holds, and
 * whoever was signed in with another one no longer is.
 */
export async function ensureUser({ db, clock }: Needs<'db' | 'clock'>, wanted: ConfiguredUser): Promise<void> {
  const username = canonicalUsername(wanted.username)
  const { isOwner, isPartner } = wanted
  const password = wanted.password.reveal()
  const present = await findUser(db, username)
  if (!present) {
    const passwordHash = await hashPassword(password)
    const user = { username, shownName: wanted.username, passwordHash, isOwner, isPartner, createdAt: clock.now() }
    await db.transaction((tx) => addUser(tx, user))
    return
  }
  if (!(await isPassword(password, present.passwordHash))) {
    const passwordHash = await hashPassword(password)
    await db.transaction(async (tx) => {
      await changeUser(tx, present.id, { passwordHash, isOwner, isPartner })
      await endSessionsOf(tx, present.id)
    })
  } else if (present.isOwner !== isOwner || present.isPartner !== isPartner)
    await db.transaction((tx) => changeUser(tx, present.id, { isOwner, isPartner }))
}

/** People whose passwords stand in the documentation; a live shop refuses to start while one of them could sign in. */
const demoPeople = [
  ['owner', 'owner-demo'],
  ['partner', 'partner-demo'],
] as const

/** @throws Error with one sentence that names a demo user of the database */
export async function refuseDemoPeople({ db }: Needs<'db'>): Promise<void> {
  for (const [username, password] of demoPeople) {
    const user = await findUser(db, username)
    if (user && (await isPassword(password, user.passwordHash)))
      throw new Error(`The user ${username} still has the demo's password; a live shop does not start with it.`)
  }
}
