import { label } from '#site/label.ts'
import { commonPasswords } from '#domain/accounts/common-passwords.ts'
import { isGuessable } from '#domain/accounts/guessable.ts'
import { Refusal } from '#server/http/refusal.ts'
import { canonicalUsername } from './usernames.ts'

const OWNER_PASSWORD_MIN = 12

/**
 * Applies the rules that the form's schema cannot check.
 * @param user with the canonical username
 * @throws Refusal `password_common`; `invalid` for an owner's password that is too short
 */
export function checkNewPassword(typed: string, { username, isOwner }: { username: string; isOwner: boolean }): void {
  const password = canonicalUsername(typed)
  const isTriedFirst = commonPasswords.has(password) || password === username
  if (isTriedFirst || (isOwner && typed.length >= OWNER_PASSWORD_MIN && isGuessable(typed, [username, label.name])))
    throw new Refusal('password_common', {}, { password: 'This password is too easy to guess' })
  if (isOwner && typed.length < OWNER_PASSWORD_MIN)
    throw new Refusal(
      'invalid',
      {},
      { password: `An owner’s password must be at least ${OWNER_PASSWORD_MIN} characters` },
    )
}
