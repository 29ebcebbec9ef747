import * as z from 'zod/mini'
import { staffRoles } from '#domain/accounts/roles.ts'
import type { UserId } from '#shared/ids.ts'
import { Credentials, linkToken, SessionUser } from './accounts.ts'
import { call } from './call.ts'
import { branded, centsAnswer, centsInput, emailAddress, isoMoment, pathId } from './wire.ts'

const role = z.enum(staffRoles, 'Please choose a role')

/** Somebody who works here. */
export const StaffPerson = z.object({
  id: branded<UserId>(),
  username: z.string(),
  /** Verified; otherwise null. */
  email: z.nullable(z.string()),
  role,
  hasSecondFactor: z.boolean(),
  /** Rounded to the hour; null for somebody who is signed in nowhere. */
  seenAt: z.nullable(isoMoment),
  isYou: z.boolean(),
})
export type StaffPerson = z.output<typeof StaffPerson>

/** Not accepted yet, and not expired. */
export const Invitation = z.object({
  id: z.int(),
  email: z.string(),
  role,
  invitedBy: z.string(),
  expiresAt: isoMoment,
})
export type Invitation = z.output<typeof Invitation>

/** What an owner decides about a role. The limits are null for roles without limits. */
export const RoleSettings = z.object({
  role,
  requiresSecondFactor: z.boolean(),
  /** The most that its people refund of an order together. */
  refundOrderMax: z.nullable(centsAnswer),
  /** The most that each of its people refunds in 24 hours. */
  refundDayMax: z.nullable(centsAnswer),
})
export type RoleSettings = z.output<typeof RoleSettings>

const RoleChange = z.object({
  requiresSecondFactor: z.boolean(),
  refundOrderMax: z.nullable(centsInput),
  refundDayMax: z.nullable(centsInput),
})
export type RoleChange = z.output<typeof RoleChange>

const NewInvitation = z.object({ email: emailAddress, role })
export type NewInvitation = z.output<typeof NewInvitation>

/** `username` is ignored for somebody who has an account with this email. */
export const Acceptance = z.extend(Credentials, { token: linkToken })
export type Acceptance = z.output<typeof Acceptance>

const done = z.object({ done: z.string() })
const personParams = z.object({ id: pathId<UserId>() })
const invitationParams = z.object({ id: pathId<number>() })

/** Who works here, for owners. */
export const peopleCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/people',
    access: 'owner',
    summary: 'Everybody who works here, open invitations, and what is decided about each role.',
    answer: z.object({
      people: z.array(StaffPerson),
      invitations: z.array(Invitation),
      roles: z.array(RoleSettings),
    }),
    refusals: [],
  }),
  invite: call({
    method: 'POST',
    path: '/api/admin/people/invitations',
    access: 'owner_fresh',
    summary: 'Emails an invitation, whose link works once, for 7 days.',
    body: NewInvitation,
    answer: done,
    refusals: ['already_works_here', 'already_invited'],
  }),
  resend: call({
    method: 'POST',
    path: '/api/admin/people/invitations/:id/resend',
    access: 'owner_fresh',
    summary: 'Emails an invitation again with a new link; the old link stops working.',
    params: invitationParams,
    answer: done,
    refusals: ['unknown_invitation'],
  }),
  withdraw: call({
    method: 'DELETE',
    path: '/api/admin/people/invitations/:id',
    access: 'owner',
    summary: 'Withdraws an invitation; its link stops working.',
    params: invitationParams,
    answer: done,
    refusals: ['unknown_invitation'],
  }),
  changeRole: call({
    method: 'PUT',
    path: '/api/admin/people/:id/role',
    access: 'owner_fresh',
    summary: 'Gives a person another role and signs them out everywhere.',
    params: personParams,
    body: z.object({ role }),
    answer: done,
    refusals: ['unknown_person', 'last_owner'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/admin/people/:id',
    access: 'owner_fresh',
    summary: 'Takes a person’s role away and signs them out everywhere; their account stays as a customer’s.',
    params: personParams,
    answer: done,
    refusals: ['unknown_person', 'last_owner'],
  }),
  saveRole: call({
    method: 'PUT',
    path: '/api/admin/people/roles/:role',
    access: 'owner_fresh',
    summary: 'Saves whether a role requires a second factor, and its limits.',
    params: z.object({ role: z.enum(staffRoles) }),
    body: RoleChange,
    answer: done,
    refusals: ['unknown_call', 'own_second_factor_first'],
  }),
}

/** For the invited person, who is nobody yet: the link's token is the key. */
export const invitationCalls = {
  look: call({
    method: 'POST',
    path: '/api/invitation/look',
    access: 'anyone',
    summary: 'What an invitation is for.',
    body: z.object({ token: linkToken }),
    answer: z.object({
      email: z.string(),
      role,
      invitedBy: z.string(),
      /** Of the account that already has this email. */
      username: z.nullable(z.string()),
    }),
    refusals: ['link_expired'],
  }),
  accept: call({
    method: 'POST',
    path: '/api/invitation',
    access: 'anyone',
    summary:
      'Accepts an invitation, once, and signs in. An account that has this email gets the role and the new password.',
    body: Acceptance,
    answer: SessionUser,
    refusals: ['link_expired', 'username_taken', 'password_common'],
  }),
}
