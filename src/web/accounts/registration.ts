import { extend, minLength, pick, refine, string, type output } from 'zod/mini'
import { Credentials, PasswordChange } from '#contract/accounts.ts'

// The repeated password is compared here and never sent (specification, section 5).

const confirmPassword = string('Required').check(minLength(6, 'Password must be at least 6 characters'))

const matchingPasswords = refine<{ password: string; confirmPassword: string }>(
  ({ password, confirmPassword }) => password === confirmPassword,
  { path: ['confirmPassword'], message: "Passwords don't match" },
)

export const Registration = extend(Credentials, { confirmPassword }).check(matchingPasswords)

export const ChosenPassword = extend(pick(Credentials, { password: true }), { confirmPassword }).check(
  matchingPasswords,
)

export const ConfirmedPasswordChange = extend(PasswordChange, { confirmPassword }).check(matchingPasswords)
export type ConfirmedPasswordChange = output<typeof ConfirmedPasswordChange>
