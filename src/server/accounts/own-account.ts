import type { Account, EmailChange, PasswordChange, PasswordConfirmation } from '#contract/accounts.ts'
import { isStillSignedIn } from '#domain/accounts/sign-in.ts'
import type { SessionId, UserId } from '#shared/ids.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { mailAccountChangeLater } from './account-mails.ts'
import { requestEmailProof } from './links.ts'
import type { LoginLimit } from '#server/limits/login-limit.ts'
import { checkNewPassword } from './new-password.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { checkSecondFactor } from './second-factor.ts'
import {
  changeUser,
  countRecoveryCodes,
  endSessionsOf,
  findSecondFactor,
  findUnprovenEmail,
  findUserById,
  listSignIns,
  markConfirmed,
  removeRequestsOf,
  removeSignIn,
  type User,
} from './store.ts'

type AccountChangeNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

type SignedInUser = { sessionId: SessionId; userId: UserId }

/** @throws Refusal `not_signed_in` */
export async function requireSignedInUser({ session }: Pick<Context, 'session'>): Promise<SignedInUser> {
  const present = await session()
  if (!present?.user) throw new Refusal('not_signed_in')
  return { sessionId: present.id, userId: present.user.id }
}

async function getUser({ db }: Needs<'db'>, id: UserId): Promise<User> {
  const user = await findUserById(db, id)
  if (!user) throw new Refusal('not_signed_in')
  return user
}

export async function showAccount(
  { db, clock }: Needs<'db' | 'clock'>,
  { sessionId, userId }: SignedInUser,
): Promise<Account> {
  const now = clock.now()
  const user = await getUser({ db }, userId)
  const isStaff = user.role !== null
  const factor = isStaff ? await findSecondFactor(db, userId) : undefined
  const sessions = await listSignIns(db, userId)
  return {
    username: user.shownName,
    email: user.email,
    unprovenEmail: await findUnprovenEmail(db, userId, now),
    secondFactor: isStaff ? (factor?.switchedOnAt ? 'on' : 'off') : 'none',
    recoveryCodesLeft: factor ? await countRecoveryCodes(db, userId) : 0,
    signIns: sessions.flatMap(({ id, handle, device, signedInAt, seenAt }) =>
      signedInAt && isStillSignedIn({ signedInAt, seenAt, isStaff }, now)
        ? [
            {
              handle,
              device: device ?? 'A browser',
              signedInAt: signedInAt.toISOString(),
              seenAt: seenAt.toISOString(),
              isThis: id === sessionId,
            },
          ]
        : [],
    ),
  }
}

/**
 * Checks the signed-in user's password again.
 * @throws Refusal `wrong_password`, `too_many`
 */
async function verifyOwnPassword(
  shop: Needs<'db'>,
  limit: LoginLimit,
  { sessionId, userId }: SignedInUser,
  password: string,
  field: string,
): Promise<User> {
  const user = await getUser(shop, userId)
  const tried = { account: user.username, from: sessionId }
  if (!(await limit.allowsHere(tried))) throw new Refusal('too_many')
  if (!(await verifyPassword(password, user.passwordHash)))
    throw new Refusal('wrong_password', {}, { [field]: 'This is not your current password' })
  await limit.forgetHere(tried)
  return user
}

/** @throws Refusal `wrong_password`, `code_needed`, `wrong_code`, `too_many` */
export async function confirmPassword(
  shop: Needs<'db' | 'clock'>,
  limit: LoginLimit,
  own: SignedInUser,
  { password, code }: PasswordConfirmation,
): Promise<void> {
  const user = await verifyOwnPassword(shop, limit, own, password, 'password')
  await checkSecondFactor(shop, limit, user, code)
  await shop.db.transaction((tx) => markConfirmed(tx, own.sessionId, shop.clock.now()))
}

/**
 * Sets a new password. All other sessions are signed out, and this browser's session gets a new id.
 * @throws Refusal `wrong_password`, `password_common`, `invalid`, `too_many`
 */
export async function changePassword(
  shop: AccountChangeNeeds,
  limit: LoginLimit,
  context: Context,
  { current, password }: PasswordChange,
): Promise<void> {
  const own = await requireSignedInUser(context)
  const user = await verifyOwnPassword(shop, limit, own, current, 'current')
  checkNewPassword(password, user)
  const passwordHash = await hashPassword(password)
  await shop.db.transaction(async (tx) => {
    await changeUser(tx, user.id, { passwordHash })
    await removeRequestsOf(tx, user.id, 'password')
    await endSessionsOf(tx, user.id, own.sessionId)
    await mailAccountChangeLater(shop, tx, user, 'the password was changed')
  })
  // Not a new sign-in: the second factor was not checked.
  await context.renewSession()
}

/** @throws Refusal `wrong_password`, `too_many` */
export async function changeEmail(
  shop: AccountChangeNeeds,
  limit: LoginLimit,
  own: SignedInUser,
  { email, password }: EmailChange,
): Promise<void> {
  await verifyOwnPassword(shop, limit, own, password, 'password')
  await requestEmailProof(shop, own.userId, email)
}

/** @throws Refusal `unknown_sign_in` */
export async function endOneSignIn({ db }: Needs<'db'>, { userId }: SignedInUser, handle: string): Promise<void> {
  if (!(await db.transaction((tx) => removeSignIn(tx, userId, handle)))) throw new Refusal('unknown_sign_in')
}

export const endOtherSignIns = ({ db }: Needs<'db'>, { userId, sessionId }: SignedInUser): Promise<void> =>
  db.transaction((tx) => endSessionsOf(tx, userId, sessionId))

/** A user's proven email, in lower case. */
export const emailOf = async ({ db }: Needs<'db'>, id: UserId): Promise<string | null> =>
  (await findUserById(db, id))?.email ?? null
