import * as z from 'zod/mini'
import { call } from './call.ts'
import { emailAddress } from './wire.ts'

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

/** `code`: of the owner's second factor, when it was asked for. */
export const LoginCredentials = z.extend(Credentials, { code: z.optional(z.string().check(z.maxLength(40))) })
export type LoginCredentials = z.output<typeof LoginCredentials>

/** Digits of an authenticator app, or a recovery code; blanks and dashes do not count. */
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

/** Who has forgotten a password is known by the username or by the proven email. */
export const PasswordResetRequest = z.object({
  account: z
    .string('Required')
    .check(z.trim(), z.minLength(3, 'Please enter your username or email'), z.maxLength(254)),
})
export type PasswordResetRequest = z.output<typeof PasswordResetRequest>

/** The secret part of a mailed link. */
const token = z.string('Required').check(z.minLength(1), z.maxLength(100))

const NewPassword = z.object({ token, password })

/** ISO 8601, UTC. */
const moment = z.string()

/** A browser that is signed in. */
export const SignIn = z.object({
  handle: z.string(),
  device: z.string(),
  signedInAt: moment,
  /** To the hour. */
  seenAt: moment,
  isThis: z.boolean(),
})
export type SignIn = z.output<typeof SignIn>

/** What a user is shown of the own account. */
export const Account = z.object({
  username: z.string(),
  /** Proven; null until then. */
  email: z.nullable(z.string()),
  /** Waits for the link that was mailed to it. */
  unprovenEmail: z.nullable(z.string()),
  /** `none`: this account has no second factor. */
  secondFactor: z.enum(['none', 'off', 'on']),
  recoveryCodesLeft: z.int(),
  /** The latest first, this one among them; at most fifty. */
  signIns: z.array(SignIn),
})
export type Account = z.output<typeof Account>

/** What an authenticator app is given: the secret alone, and as an address that it understands. */
export const SecondFactorSecret = z.object({
  secret: z.string(),
  address: z.string(),
  /** The address as a QR code, for the camera of another phone: a picture's whole address. */
  picture: z.string(),
})
export type SecondFactorSecret = z.output<typeof SecondFactorSecret>

/** Shown once; the shop keeps their hashes. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** What a session shows of its user; never the password's hash. */
export const SessionUser = z.object({
  id: z.int(),
  username: z.string(),
  isPartner: z.boolean(),
  isOwner: z.boolean(),
})
export type SessionUser = z.output<typeof SessionUser>

export const accountCalls = {
  current: call({
    method: 'GET',
    path: '/api/user',
    access: 'signed_in',
    summary: 'The signed-in user; 401 when nobody is signed in.',
    answer: SessionUser,
    refusals: [],
  }),
  login: call({
    method: 'POST',
    path: '/api/login',
    access: 'anyone',
    summary: 'Signs in; the cart stays. With a second factor `code_needed` asks for the same again with its code.',
    body: LoginCredentials,
    answer: SessionUser,
    refusals: ['wrong_credentials', 'code_needed', 'wrong_code', 'too_many'],
  }),
  register: call({
    method: 'POST',
    path: '/api/register',
    access: 'anyone',
    summary: 'Creates a plain user and signs in.',
    body: Credentials,
    answer: SessionUser,
    refusals: ['username_taken', 'password_common', 'too_many'],
  }),
  logout: call({
    method: 'POST',
    path: '/api/logout',
    access: 'anyone',
    summary: 'Ends the session’s sign-in.',
    answer: 'none',
    refusals: [],
  }),
  askReset: call({
    method: 'POST',
    path: '/api/password-reset',
    access: 'anyone',
    summary: 'Mails a link to a new password, if the account has a proven email; the answer does not tell.',
    body: PasswordResetRequest,
    answer: 'none',
    refusals: ['too_many'],
  }),
  reset: call({
    method: 'POST',
    path: '/api/password-reset/new',
    access: 'anyone',
    summary: 'Sets a new password by the token of a mailed link, and ends all that is signed in.',
    body: NewPassword,
    answer: 'none',
    refusals: ['link_expired', 'password_common', 'too_many'],
  }),
  account: call({
    method: 'GET',
    path: '/api/account',
    access: 'signed_in',
    summary: 'The own account: email, second factor, where one is signed in.',
    answer: Account,
    refusals: [],
  }),
  confirm: call({
    method: 'POST',
    path: '/api/account/confirm',
    access: 'signed_in',
    summary: 'Gives the password again, for calls that ask for a fresh one; holds for 15 minutes.',
    body: PasswordConfirmation,
    answer: 'none',
    refusals: ['wrong_password', 'code_needed', 'wrong_code', 'too_many'],
  }),
  changePassword: call({
    method: 'POST',
    path: '/api/account/password',
    access: 'signed_in',
    summary: 'Changes the password and ends whatever else is signed in.',
    body: PasswordChange,
    answer: 'none',
    refusals: ['wrong_password', 'password_common', 'too_many'],
  }),
  changeEmail: call({
    method: 'POST',
    path: '/api/account/email',
    access: 'signed_in',
    summary: 'Mails a link that proves the address; until it is opened the former one holds.',
    body: EmailChange,
    answer: 'none',
    refusals: ['wrong_password', 'too_many'],
  }),
  proveEmail: call({
    method: 'POST',
    path: '/api/account/email/proof',
    access: 'signed_in',
    summary: 'Proves an address by the token of its link; only for the account that asked.',
    body: z.object({ token }),
    answer: z.object({ email: z.string() }),
    refusals: ['link_expired', 'link_of_another', 'email_taken'],
  }),
  endSignIn: call({
    method: 'DELETE',
    path: '/api/account/sign-ins/:handle',
    access: 'signed_in',
    summary: 'Ends one of the own sign-ins elsewhere, with the cart there.',
    params: z.object({ handle: z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)) }),
    answer: 'none',
    refusals: ['unknown_sign_in'],
  }),
  endOtherSignIns: call({
    method: 'DELETE',
    path: '/api/account/sign-ins',
    access: 'signed_in',
    summary: 'Ends all of the own sign-ins but this one.',
    answer: 'none',
    refusals: [],
  }),
  beginSecondFactor: call({
    method: 'POST',
    path: '/api/account/second-factor',
    access: 'owner_fresh',
    summary:
      'Begins the second factor: a secret for an authenticator app. Nothing is asked for until it is switched on.',
    answer: SecondFactorSecret,
    refusals: ['demo_account', 'second_factor_on'],
  }),
  switchOnSecondFactor: call({
    method: 'POST',
    path: '/api/account/second-factor/on',
    access: 'owner_fresh',
    summary: 'Switches the second factor on by a first code of the app; answers recovery codes.',
    body: SecondFactorCode,
    answer: RecoveryCodes,
    refusals: ['wrong_code', 'second_factor_on'],
  }),
  switchOffSecondFactor: call({
    method: 'POST',
    path: '/api/account/second-factor/off',
    access: 'owner_fresh',
    summary: 'Switches the second factor off; its secret and recovery codes are forgotten.',
    answer: 'none',
    refusals: [],
  }),
  renewRecoveryCodes: call({
    method: 'POST',
    path: '/api/account/recovery-codes',
    access: 'owner_fresh',
    summary: 'New recovery codes in place of all former ones.',
    answer: RecoveryCodes,
    refusals: ['second_factor_off'],
  }),
}
