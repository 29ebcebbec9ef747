import { extend, minLength, pick, refine, string, type output } from 'zod/mini'
import { Credentials, PasswordChange } from '#contract/accounts.ts'

// What forms ask beyond their calls: the second password is compared here and not sent (specification, section 5).

const confirmPassword = string('Required').check(minLength(6, 'Password must be at least 6 characters'))

const equal = refine<{ password: string; confirmPassword: string }>(
  ({ password, confirmPassword }) => password === confirmPassword,
  { path: ['confirmPassword'], message: "Passwords don't match" },
)

export const Registration = extend(Credentials, { confirmPassword }).check(equal)

/** Of whoever comes by a mailed link. */
export const ChosenPassword = extend(pick(Credentials, { password: true }), { confirmPassword }).check(equal)

export const ConfirmedPasswordChange = extend(PasswordChange, { confirmPassword }).check(equal)
export type ConfirmedPasswordChange = output<typeof ConfirmedPasswordChange>
