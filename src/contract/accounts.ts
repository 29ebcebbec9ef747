import * as z from 'zod/mini'
import { staffRoles } from '#domain/accounts/roles.ts'
import { call } from './call.ts'
import type { UserId } from '#shared/ids.ts'
import { branded, emailAddress } from './wire.ts'

const PASSWORD_MAX = 256

const username = z
  .string('Required')
  .check(z.minLength(3, 'Username must be at least 3 characters'), z.maxLength(64, 'Please use at most 64 characters'))
const password = z
  .string('Required')
  .check(
    z.minLength(6, 'Password must be at least 6 characters'),
    z.maxLength(PASSWORD_MAX, `Please use at most ${PASSWORD_MAX} characters`),
  )

export const Credentials = z.object({ username, password })
export type Credentials = z.output<typeof Credentials>

/** `code`: from the second factor, if requested. */
export const LoginCredentials = z.extend(Credentials, { code: z.optional(z.string().check(z.maxLength(40))) })
export type LoginCredentials = z.output<typeof LoginCredentials>

/** Digits from an authenticator app, or a recovery code; spaces and dashes are ignored. */
export const SecondFactorCode = z.object({
  code: z
    .string('Required')
    .check(z.trim(), z.minLength(6, 'Please enter all 6 digits'), z.maxLength(40, 'Invalid input')),
})

const CurrentPassword = z
  .string('Required')
  .check(z.minLength(1, 'Required'), z.maxLength(PASSWORD_MAX, 'This is not your password'))

export const PasswordChange = z.object({ current: CurrentPassword, password })
export type PasswordChange = z.output<typeof PasswordChange>

export const EmailChange = z.object({ email: emailAddress, password: CurrentPassword })
export type EmailChange = z.output<typeof EmailChange>

export const PasswordConfirmation = z.object({
  password: CurrentPassword,
  code: z.optional(z.string().check(z.maxLength(40))),
})
export type PasswordConfirmation = z.output<typeof PasswordConfirmation>

/** Either the username or the verified email. */
export const PasswordResetRequest = z.object({
  account: z
    .string('Required')
    .check(z.trim(), z.minLength(3, 'Please enter your username or email'), z.maxLength(254)),
})
export type PasswordResetRequest = z.output<typeof PasswordResetRequest>

/** The token of an emailed link. */
export const linkToken = z.string('Required').check(z.minLength(1), z.maxLength(100))

const NewPassword = z.object({ token: linkToken, password })

/** ISO 8601, UTC. */
const moment = z.string()

/** A signed-in browser. */
export const SignIn = z.object({
  handle: z.string(),
  device: z.string(),
  signedInAt: moment,
  /** Rounded to the hour. */
  seenAt: moment,
  isThis: z.boolean(),
})
export type SignIn = z.output<typeof SignIn>

/** What users see of their own account. */
export const Account = z.object({
  username: z.string(),
  /** Verified; otherwise null. */
  email: z.nullable(z.string()),
  /** Waiting for its emailed link to be opened. */
  unprovenEmail: z.nullable(z.string()),
  /** `none`: this account has no second factor. */
  secondFactor: z.enum(['none', 'off', 'on']),
  recoveryCodesLeft: z.int(),
  /** Latest first, including this one; at most fifty. */
  signIns: z.array(SignIn),
})
export type Account = z.output<typeof Account>

/** For an authenticator app: the secret alone, and as a URI it can open. */
export const SecondFactorSecret = z.object({
  secret: z.string(),
  address: z.string(),
  /** The URI as a QR code for another phone's camera: a data URL. */
  picture: z.string(),
})
export type SecondFactorSecret = z.output<typeof SecondFactorSecret>

/** Shown once; the shop stores only their hashes. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** A session's user; never the password's hash. */
export const SessionUser = z.object({
  id: branded<UserId>(),
  username: z.string(),
  isPartner: z.boolean(),
  isOwner: z.boolean(),
  /** Null for everybody who does not work here. */
  role: z.nullable(z.enum(staffRoles)),
  /** The role requires a second factor, and the admin stays closed until it is set up. */
  needsSecondFactor: z.boolean(),
})
export type SessionUser = z.output<typeof SessionUser>

export const accountCalls = {
  current: call({
    method: 'GET',
    path: '/api/user',
    access: 'signed_in',
    summary: 'Returns the signed-in user; 401 if nobody is signed in.',
    answer: SessionUser,
    refusals: [],
  }),
  login: call({
    method: 'POST',
    path: '/api/login',
    access: 'anyone',
    summary:
      'Signs in; the cart stays. With two-factor authentication, `code_needed` requests the same call with a code.',
    body: LoginCredentials,
    answer: SessionUser,
    refusals: ['wrong_credentials', 'code_needed', 'wrong_code', 'too_many'],
  }),
  register: call({
    method: 'POST',
    path: '/api/register',
    access: 'anyone',
    summary: 'Creates a user account and signs in.',
    body: Credentials,
    answer: SessionUser,
    refusals: ['username_taken', 'password_common', 'too_many'],
  }),
  logout: call({
    method: 'POST',
    path: '/api/logout',
    access: 'anyone',
    summary: 'Signs out.',
    answer: 'none',
    refusals: [],
  }),
  askReset: call({
    method: 'POST',
    path: '/api/password-reset',
    access: 'anyone',
    summary: 'Emails a password reset link if the account has a verified email; the answer is always the same.',
    body: PasswordResetRequest,
    answer: 'none',
    refusals: ['too_many'],
  }),
  reset: call({
    method: 'POST',
    path: '/api/password-reset/new',
    access: 'anyone',
    summary: 'Sets a new password with the emailed token and ends every sign-in.',
    body: NewPassword,
    answer: 'none',
    refusals: ['link_expired', 'password_common', 'too_many'],
  }),
  account: call({
    method: 'GET',
    path: '/api/account',
    access: 'signed_in',
    summary: 'Returns the user’s account: email, two-factor authentication, sign-ins.',
    answer: Account,
    refusals: [],
  }),
  confirm: call({
    method: 'POST',
    path: '/api/account/confirm',
    access: 'signed_in',
    summary: 'Confirms the password for calls that require a recent one; valid for 15 minutes.',
    body: PasswordConfirmation,
    answer: 'none',
    refusals: ['wrong_password', 'code_needed', 'wrong_code', 'too_many'],
  }),
  changePassword: call({
    method: 'POST',
    path: '/api/account/password',
    access: 'signed_in',
    summary: 'Changes the password and ends all other sign-ins.',
    body: PasswordChange,
    answer: 'none',
    refusals: ['wrong_password', 'password_common', 'too_many'],
  }),
  changeEmail: call({
    method: 'POST',
    path: '/api/account/email',
    access: 'signed_in',
    summary: 'Emails a verification link; the current email stays until it is opened.',
    body: EmailChange,
    answer: 'none',
    refusals: ['wrong_password', 'too_many'],
  }),
  proveEmail: call({
    method: 'POST',
    path: '/api/account/email/proof',
    access: 'signed_in',
    summary: 'Verifies an email with its token; only for the account that requested it.',
    body: z.object({ token: linkToken }),
    answer: z.object({ email: z.string() }),
    refusals: ['link_expired', 'link_of_another', 'email_taken'],
  }),
  endSignIn: call({
    method: 'DELETE',
    path: '/api/account/sign-ins/:handle',
    access: 'signed_in',
    summary: 'Signs out another device, and removes its cart.',
    params: z.object({ handle: z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)) }),
    answer: 'none',
    refusals: ['unknown_sign_in'],
  }),
  endOtherSignIns: call({
    method: 'DELETE',
    path: '/api/account/sign-ins',
    access: 'signed_in',
    summary: 'Signs out all other devices.',
    answer: 'none',
    refusals: [],
  }),
  beginSecondFactor: call({
    method: 'POST',
    path: '/api/account/second-factor',
    access: 'staff_fresh',
    summary:
      'Starts two-factor setup with a secret for an authenticator app. No codes are required until it is switched on.',
    answer: SecondFactorSecret,
    refusals: ['demo_account', 'second_factor_on'],
  }),
  switchOnSecondFactor: call({
    method: 'POST',
    path: '/api/account/second-factor/on',
    access: 'staff_fresh',
    summary: 'Turns on two-factor authentication with a first code; returns recovery codes.',
    body: SecondFactorCode,
    answer: RecoveryCodes,
    refusals: ['wrong_code', 'second_factor_on'],
  }),
  switchOffSecondFactor: call({
    method: 'POST',
    path: '/api/account/second-factor/off',
    access: 'staff_fresh',
    summary: 'Turns off two-factor authentication and deletes its secret and recovery codes.',
    answer: 'none',
    refusals: [],
  }),
  renewRecoveryCodes: call({
    method: 'POST',
    path: '/api/account/recovery-codes',
    access: 'staff_fresh',
    summary: 'Replaces all recovery codes.',
    answer: RecoveryCodes,
    refusals: ['second_factor_off'],
  }),
}
