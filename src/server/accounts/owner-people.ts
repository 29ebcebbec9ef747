import { randomBytes } from 'node:crypto'
import { roles, staffRoles, type StaffRole } from '#domain/accounts/roles.ts'
import { COMMAND, recordAction } from '#server/audit-log/audit-log.ts'
import type { Needs } from '#server/shop.ts'
import { hashPassword } from './passwords.ts'
import { addUser, changeUser, endSessionsOf, findUser, removeRequestsOf, removeSecondFactor } from './store.ts'
import { canonicalUsername, objectionToUsername } from './usernames.ts'

type OwnerCommandNeeds = Needs<'db' | 'clock'>

/** 120 bits: 20 letters. */
const newPassword = () => randomBytes(15).toString('base64url')

const CREATE_USAGE = `Usage: npm run owner -- create NAME [--role ${staffRoles.join('|')}]`

/**
 * `create <name>`: adds an owner, or with `--role` somebody with another role; the password is printed once.
 * @throws Error with one sentence
 */
export async function createPerson({ db, clock }: OwnerCommandNeeds, args: readonly string[]) {
  const { name, role } = readCreation(args)
  const objection = objectionToUsername(name)
  if (objection) throw new Error(`${objection}.`)
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  const at = clock.now()
  return db.transaction(async (tx) => {
    const user = { username: canonicalUsername(name), shownName: name.normalize('NFC'), passwordHash, createdAt: at }
    const made = await addUser(tx, { ...user, role })
    if (!made)
      throw new Error(
        `The user ${name} already exists. Choose another name, or set a new password: npm run owner -- password ${name}`,
      )
    const what = role === 'owner' ? 'made an owner' : 'added a person'
    await recordAction(tx, {
      by: COMMAND,
      what,
      about: { kind: 'user', id: made.id },
      after: { role: roles[role].name },
      at,
    })
    return { created: made.shownName, role: roles[role].name, password }
  })
}

/** @throws Error how the command is used */
function readCreation(args: readonly string[]): { name: string; role: StaffRole } {
  const [name, option, wanted, ...rest] = args
  const role = option === undefined ? 'owner' : staffRoles.find((known) => known === wanted)
  const isUnderstood = (option === undefined || option === '--role') && rest.length === 0
  if (!name || name.startsWith('--') || !role || !isUnderstood) throw new Error(CREATE_USAGE)
  return { name, role }
}

const WITHOUT_FACTOR = '--without-second-factor'

/**
 * `password <name>`: sets a new password, printed once, and signs the user out everywhere. The option also switches off a lost second
 * factor.
 * @throws Error with one sentence
 */
export async function renewPassword({ db, clock }: OwnerCommandNeeds, args: readonly string[]) {
  const [name, ...rest] = args.filter((arg) => arg !== WITHOUT_FACTOR)
  if (!name || rest.length > 0) throw new Error(`Usage: npm run owner -- password NAME [${WITHOUT_FACTOR}]`)
  const dropsFactor = args.includes(WITHOUT_FACTOR)
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  const at = clock.now()
  return db.transaction(async (tx) => {
    const user = await findUser(tx, canonicalUsername(name))
    if (!user) throw new Error(`There is no user ${name}.`)
    await changeUser(tx, user.id, { passwordHash })
    await endSessionsOf(tx, user.id)
    await removeRequestsOf(tx, user.id, 'password')
    if (dropsFactor) await removeSecondFactor(tx, user.id)
    const what = dropsFactor ? 'set a new password and removed the second factor' : 'set a new password'
    await recordAction(tx, { by: COMMAND, what, about: { kind: 'user', id: user.id }, at })
    return { username: user.shownName, password, ...(dropsFactor && { secondFactor: 'off' }) }
  })
}
