import { label } from '#site/label.ts'
import { commonPasswords } from '#domain/accounts/common-passwords.ts'
import { isGuessable } from '#domain/accounts/guessable.ts'
import type { StaffRole } from '#domain/accounts/roles.ts'
import { Refusal } from '#server/http/refusal.ts'
import { canonicalUsername } from './usernames.ts'

const STAFF_PASSWORD_MIN = 12

/**
 * Applies the rules that the form's schema cannot check.
 * @param user with the canonical username
 * @throws Refusal `password_common`; `invalid` for a password that is too short for somebody who works here
 */
export function checkNewPassword(
  typed: string,
  { username, role }: { username: string; role: StaffRole | null },
): void {
  const password = canonicalUsername(typed)
  const isTriedFirst = commonPasswords.has(password) || password === username
  if (isTriedFirst || (role && typed.length >= STAFF_PASSWORD_MIN && isGuessable(typed, [username, label.name])))
    throw new Refusal('password_common', {}, { password: 'This password is too easy to guess' })
  if (role && typed.length < STAFF_PASSWORD_MIN)
    throw new Refusal(
      'invalid',
      {},
      { password: `Passwords of people who work here must be at least ${STAFF_PASSWORD_MIN} characters` },
    )
}
