import { expect, test } from 'vitest'
import { likelyEmail } from './email-typo.ts'

test.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  [' Ada.L@GMAIL.CON ', 'Ada.L@gmail.com'],
  ['ada@yaho.com', 'ada@yahoo.com'],
  ['ada@outlok.com', 'ada@outlook.com'],
  ['ada@gmail.com', undefined],
  ['ada@ymail.com', undefined],
  ['ada@mail.com', undefined],
  ['ada@pawtelier.example', undefined],
  ['ada', undefined],
  ['', undefined],
])('%j may be meant as %j', (typed, meant) => expect(likelyEmail(typed)).toBe(meant))
