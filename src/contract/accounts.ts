import * as z from 'zod/mini'
import { call } from './call.ts'

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
    summary: 'Signs in; the cart stays.',
    body: Credentials,
    answer: SessionUser,
    refusals: ['wrong_credentials', 'too_many'],
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
}
