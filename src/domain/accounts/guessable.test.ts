import { expect, test } from 'vitest'
import { isGuessable } from './guessable.ts'

test.each([
  ...['password1234', 'passwordpassword', 'P@ssw0rd2024!!', 'qwertyuiop12', 'aaaaaaaaaaaa', '123456789012'],
  ...['ownerowner12', 'Pawtelier2026!', 'Summer2024!!', 'letmein12345', 'adminadmin12', 'abcdefghijkl', 'abcabcabcabc'],
  ...['rudysherlock', 'mrs-whiskers-1', 'Welcome-Welcome-1'],
])('a password such as %s is too easy to guess (S46, S90)', (password) => {
  expect(isGuessable(password, ['Pawtelier', 'mrs-whiskers'])).toBe(true)
})

test.each([
  ...['a long enough password', 'correct horse battery', 'sleeps on ingots', 'ingot-for-a-nap', 'Tr0ub4dour&3x'],
  ...['7f3a9c1e5b2d', 'kxvwqmzrtbnp', 'sleepy-dog-9-naps'],
])('a password such as %s is accepted', (password) => {
  expect(isGuessable(password, ['Pawtelier', 'mrs-whiskers'])).toBe(false)
})
