import { safeParse } from 'zod/mini'
import { expect, test } from 'vitest'
import { Registration } from './registration.ts'

const sentences = (typed: object) =>
  Object.fromEntries(safeParse(Registration, typed).error?.issues.map(({ path, message }) => [path[0], message]) ?? [])

test('two equal passwords and a name make a registration', () => {
  expect(sentences({ username: 'ada', password: 'sleepy-dog', confirmPassword: 'sleepy-dog' })).toEqual({})
})

test('a mismatch is reported at the repeated password', () => {
  expect(sentences({ username: 'ada', password: 'sleepy-dog', confirmPassword: 'sleepy-cat' })).toEqual({
    confirmPassword: "Passwords don't match",
  })
})

test('a field that is too short reports it', () => {
  expect(sentences({ username: 'ad', password: 'short', confirmPassword: 'short' })).toEqual({
    username: 'Username must be at least 3 characters',
    password: 'Password must be at least 6 characters',
    confirmPassword: 'Password must be at least 6 characters',
  })
})

test('an empty repeated password is too short', () => {
  expect(sentences({ username: 'ada', password: 'sleepy-dog', confirmPassword: '' })['confirmPassword']).toBeDefined()
})
