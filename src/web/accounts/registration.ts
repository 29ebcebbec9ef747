import { extend, minLength, refine, string } from 'zod/mini'
import { Credentials } from '#contract/accounts.ts'

/** What the form asks beyond the call: the second password is compared here and not sent (specification, section 5). */
export const Registration = extend(Credentials, {
  confirmPassword: string('Required').check(minLength(6, 'Password must be at least 6 characters')),
}).check(
  refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
  }),
)
