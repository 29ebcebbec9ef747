import { expect, test } from 'vitest'
import { addressOfSecret, totpCodeAt, newSecret, totpStepOf } from './totp.ts'

/** `12345678901234567890` in base32: the secret of the examples in RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// The RFC prints eight digits; apps show the last six.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code is %s', (second, code) => {
  const now = new Date(second * 1000)
  expect(totpCodeAt(SECRET, now)).toBe(code)
  expect(totpStepOf(SECRET, code, now)).toBe(Math.floor(second / 30))
})

test('a phone’s clock may be at most half a minute off', () => {
  const now = new Date('2026-11-20T10:00:00Z')
  const code = totpCodeAt(SECRET, now)
  for (const [seconds, isRight] of [
    [-31, false],
    [-30, true],
    [30, true],
    [59, true],
    [60, false],
  ] as const)
    expect(totpStepOf(SECRET, code, new Date(now.getTime() + seconds * 1000)) !== undefined, `${seconds} s`).toBe(
      isRight,
    )
})

test.each(['', '12345', '1234567', '١٢٣٤٥٦', '12345a'])('%j is not accepted as a code', (code) => {
  expect(totpStepOf(SECRET, code, new Date())).toBeUndefined()
})

test('an authenticator app gets a secret of 32 base32 letters from its address', () => {
  const secret = newSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(addressOfSecret(secret, 'The Shop', 'Ada L')).toBe(
    `otpauth://totp/The%20Shop%3AAda%20L?secret=${secret}&issuer=The%20Shop`,
  )
})
