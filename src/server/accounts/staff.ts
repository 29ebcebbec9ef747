import type { Acceptance, Invitation, NewInvitation, RoleChange, RoleSettings, StaffPerson } from '#contract/people.ts'
import { explainNeed, roles, staffRoles, type StaffRole } from '#domain/accounts/roles.ts'
import { assert } from '#shared/assert.ts'
import type { UserId } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { mailAccountChangeLater, mailInvitationLater } from './account-mails.ts'
import { canonicalEmail, hashOf } from './links.ts'
import { checkNewPassword } from './new-password.ts'
import { hashPassword } from './passwords.ts'
import {
  addInvitation,
  findInvitationOfLink,
  findUserOfEmail,
  listInvitations,
  listRoles,
  listStaff,
  lockOwners,
  lockRole,
  lockUser,
  lockUserOfEmail,
  removeInvitationsBy,
  saveRoleRow,
  takeInvitation,
  type InvitationRow,
  type RoleRow,
} from './staff-store.ts'
import {
  addUser,
  changeUser,
  endSessionsOf,
  findSecondFactor,
  removeRequestsOf,
  removeSecondFactor,
  type User,
} from './store.ts'
import { canonicalUsername, objectionToUsername } from './usernames.ts'

/*
 * People who work here, for owners. Every change runs while all owners are locked and its owner still is one, so that two owners who
 * act on each other at the same time cannot both succeed, and one always stays.
 */

type StaffNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** How long an invitation's link works. */
const INVITATION_LIFETIME_MS = 7 * DAY_MS

export async function listPeople(
  { db, clock }: Needs<'db' | 'clock'>,
  ownId: UserId,
): Promise<{ people: StaffPerson[]; invitations: Invitation[]; roles: RoleSettings[] }> {
  const people = await listStaff(db)
  const invitations = await listInvitations(db, clock.now())
  const rows = await listRoles(db)
  return {
    people: people.flatMap(({ role, secondFactorSince, seenAt, ...person }) =>
      role === null
        ? []
        : {
            ...person,
            role,
            hasSecondFactor: secondFactorSince !== null,
            seenAt: seenAt?.toISOString() ?? null,
            isYou: person.id === ownId,
          },
    ),
    invitations: invitations.map(({ invitation, invitedBy }) => {
      const { id, email, role, expiresAt } = wholeInvitation(invitation)
      return { id, email, role, invitedBy, expiresAt: expiresAt.toISOString() }
    }),
    roles: rows.map(toSettings).toSorted((a, b) => staffRoles.indexOf(a.role) - staffRoles.indexOf(b.role)),
  }
}

const toSettings = ({ role, requiresSecondFactor, refundOrderMaxCents, refundDayMaxCents }: RoleRow): RoleSettings => ({
  role,
  requiresSecondFactor,
  refundOrderMax: refundOrderMaxCents,
  refundDayMax: refundDayMaxCents,
})

/** The columns that every invitation has; a constraint of the table says so too. */
function wholeInvitation({ id, email, role, invitedBy, expiresAt }: InvitationRow) {
  assert(email !== null && role !== null && invitedBy !== null, 'an invitation names an email, a role and an owner')
  return { id, email, role, invitedBy, expiresAt }
}

/** @throws Refusal `not_allowed` when `by` is no longer an owner */
async function lockOwnersFor(tx: Tx, by: Actor): Promise<UserId[]> {
  const owners = await lockOwners(tx)
  if (by.userId === null || !owners.includes(by.userId)) throw new Refusal('not_allowed', { who: explainNeed('owner') })
  return owners
}

/**
 * Emails an invitation.
 * @throws Refusal `already_works_here`, `already_invited`
 */
export async function invite(shop: StaffNeeds, by: Actor, { email: typed, role }: NewInvitation): Promise<void> {
  const email = canonicalEmail(typed)
  await shop.db.transaction(async (tx) => {
    await lockOwnersFor(tx, by)
    if ((await findUserOfEmail(tx, email))?.role) throw new Refusal('already_works_here')
    await inviteLater(shop, tx, by, { email, role }, 'invited somebody')
  })
}

/**
 * Emails an invitation again, with a new link and as long a time to accept it. The old link stops working.
 * @throws Refusal `unknown_invitation`
 */
export async function resendInvitation(shop: StaffNeeds, by: Actor, id: number): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await lockOwnersFor(tx, by)
    const former = await takeInvitation(tx, id)
    if (!former) throw new Refusal('unknown_invitation')
    await inviteLater(shop, tx, by, wholeInvitation(former), 'sent an invitation again')
  })
}

async function inviteLater(
  shop: StaffNeeds,
  tx: Tx,
  by: Actor,
  { email, role }: { email: string; role: StaffRole },
  what: string,
): Promise<void> {
  const at = shop.clock.now()
  assert(by.userId !== null, 'an owner invites')
  const expiresAt = after(at, INVITATION_LIFETIME_MS)
  const made = await addInvitation(tx, { email, role, invitedBy: by.userId, createdAt: at, expiresAt })
  if (!made) throw new Refusal('already_invited')
  await mailInvitationLater(shop, tx, { id: made.id, email, role: roles[role].name, inviter: by.name })
  const about = { kind: 'invitation', id: made.id }
  await recordAction(tx, { by, what, about, after: { role: roles[role].name }, at })
}

/** @throws Refusal `unknown_invitation` when it was accepted or withdrawn before */
export async function withdrawInvitation({ db, clock }: StaffNeeds, by: Actor, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOwnersFor(tx, by)
    if (!(await takeInvitation(tx, id))) throw new Refusal('unknown_invitation')
    const about = { kind: 'invitation', id }
    await recordAction(tx, { by, what: 'withdrew an invitation', about, at: clock.now() })
  })
}

/**
 * Gives a person another role, or none, and signs them out everywhere. Without a role, the second factor goes too: the account is a
 * customer's. What a former owner had invited is withdrawn.
 * @returns the person's name
 * @throws Refusal `unknown_person`, `last_owner`
 */
export async function changeRole(shop: StaffNeeds, by: Actor, id: UserId, role: StaffRole | null): Promise<string> {
  return shop.db.transaction(async (tx) => {
    const owners = await lockOwnersFor(tx, by)
    const person = await lockUser(tx, id)
    if (!person?.role) throw new Refusal('unknown_person')
    if (person.role === role) return person.shownName
    if (person.role === 'owner' && owners.length === 1) throw new Refusal('last_owner')
    await changeUser(tx, id, { role })
    if (person.role === 'owner') await removeInvitationsBy(tx, id)
    if (role === null) await removeSecondFactor(tx, id)
    await endSessionsOf(tx, id)
    await recordAction(tx, {
      by,
      what: role === null ? 'removed a person' : 'changed a role',
      about: { kind: 'user', id },
      before: { role: roles[person.role].name },
      after: { role: role && roles[role].name },
      at: shop.clock.now(),
    })
    const mailText =
      role === null ? 'access to the admin has ended' : `the role in the admin was changed to ${roles[role].name}`
    await mailAccountChangeLater(shop, tx, person, mailText)
    return person.shownName
  })
}

/**
 * @throws Refusal `invalid` for limits of a role without any, or none of a role with limits; `own_second_factor_first` for an owner who
 *   would lock themselves out
 */
export async function saveRole(shop: StaffNeeds, by: Actor, role: StaffRole, change: RoleChange): Promise<void> {
  const { requiresSecondFactor, refundOrderMax, refundDayMax } = change
  const { hasLimits, name } = roles[role]
  for (const [field, limit] of [
    ['refundOrderMax', refundOrderMax],
    ['refundDayMax', refundDayMax],
  ] as const)
    if ((limit !== null) !== hasLimits)
      throw new Refusal('invalid', {}, { [field]: hasLimits ? 'Please enter an amount' : `${name} has no limits` })
  await shop.db.transaction(async (tx) => {
    await lockOwnersFor(tx, by)
    const former = await lockRole(tx, role)
    assert(former && by.userId !== null, `the role ${role} has its row`)
    const isOwn = role === 'owner' && requiresSecondFactor
    if (isOwn && !(await findSecondFactor(tx, by.userId))?.switchedOnAt) throw new Refusal('own_second_factor_first')
    const row = { role, requiresSecondFactor, refundOrderMaxCents: refundOrderMax, refundDayMaxCents: refundDayMax }
    await saveRoleRow(tx, row as RoleRow)
    await recordAction(tx, {
      by,
      what: 'changed what a role requires',
      about: { kind: 'role', id: role },
      before: factsOf(toSettings(former)),
      after: factsOf(change),
      at: shop.clock.now(),
    })
  })
}

const factsOf = ({ requiresSecondFactor, refundOrderMax, refundDayMax }: RoleChange | RoleSettings) => ({
  'second factor': requiresSecondFactor ? 'required' : 'optional',
  ...(refundOrderMax !== null && { 'refunds per order': formatUsd(refundOrderMax as Cents) }),
  ...(refundDayMax !== null && { 'refunds in 24 hours': formatUsd(refundDayMax as Cents) }),
})

/** What an invitation is for. @throws Refusal `link_expired` */
export async function showInvitation({ db, clock }: Needs<'db' | 'clock'>, token: string) {
  const found = await findInvitationOfLink(db, hashOf(token), clock.now())
  if (!found) throw new Refusal('link_expired')
  const { email, role } = wholeInvitation(found.invitation)
  const user = await findUserOfEmail(db, email)
  if (user?.role) throw new Refusal('link_expired')
  return { email, role, invitedBy: found.invitedBy, username: user?.shownName ?? null }
}

/**
 * Accepts an invitation, once. The link proves the email, as that of a forgotten password does: an account that has it gets the role and
 * the new password, and its other sign-ins end.
 * @param address the internet address, for the log
 * @throws Refusal `link_expired`, `username_taken`, `password_common`, `invalid`
 */
export async function acceptInvitation(
  { db, clock }: Needs<'db' | 'clock'>,
  { token, username: typed, password }: Acceptance,
  address: string,
): Promise<User> {
  const at = clock.now()
  const found = await findInvitationOfLink(db, hashOf(token), at)
  if (!found) throw new Refusal('link_expired')
  const { id, email, role } = wholeInvitation(found.invitation)
  const known = await findUserOfEmail(db, email)
  const objection = known ? undefined : objectionToUsername(typed)
  if (objection) throw new Refusal('invalid', {}, { username: objection })
  const username = known?.username ?? canonicalUsername(typed)
  checkNewPassword(password, { username, role })
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    if (!(await takeInvitation(tx, id))) throw new Refusal('link_expired')
    const present = await lockUserOfEmail(tx, email)
    if (present?.id !== known?.id || present?.role) throw new Refusal('link_expired')
    const user = present
      ? { ...present, role, passwordHash }
      : await addUser(tx, { username, shownName: typed.normalize('NFC'), passwordHash, email, role, createdAt: at })
    if (!user) throw new Refusal('username_taken', {}, { username: 'This username is already taken' })
    if (present) {
      await changeUser(tx, user.id, { role, passwordHash })
      await endSessionsOf(tx, user.id)
      await removeRequestsOf(tx, user.id, 'password')
    }
    const by = { userId: user.id, name: user.shownName, role, address }
    const about = { kind: 'invitation', id }
    await recordAction(tx, { by, what: 'accepted an invitation', about, after: { role: roles[role].name }, at })
    return user
  })
}
