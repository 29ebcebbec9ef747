import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanLine, cleanText } from './text.ts'

test.each([
  ['  Ada \u00A0 Lovelace ', 'Ada Lovelace'],
  ['Ada\u200BLovelace', 'AdaLovelace'],
  ['Ada\u202Eecalevol', 'Adaecalevol'],
  ['\u2067Ada\u2069', 'Ada'],
  ['Ada\u0000\u001B[31m', 'Ada[31m'],
  ['Two\r\nlines\u2028three', 'Two lines three'],
  ['So\u00ADft', 'Soft'],
  ['\u3164', ''],
  ['\u200B\u2060\uFEFF', ''],
  ['Zoe\u0308', 'Zoë'],
  ['Jürgen Straße 12', 'Jürgen Straße 12'],
  ['東京都千代田区', '東京都千代田区'],
  ['علی‌رضا', 'علی‌رضا'], // with the joiner that the name is written with
  ['क्‍ष', 'क्‍ष'],
  ['a\u200Db', 'ab'],
  ['←\u0338\u200Cب', '↚ب'], // no joiner follows the arrow that the two signs become
  ['👩‍👩‍👧 and ❤️', '👩‍👩‍👧 and ❤️'],
  ['tag\u{E0041}ged', 'tagged'],
  ['\uD800 half', 'half'],
])('%j is kept as %j', (typed, clean) => expect(cleanLine(typed)).toBe(clean))

test('of a message the lines stay', () => expect(cleanText('One\n\u202Etwo\u0007\n')).toBe('One\ntwo\n'))

describe('for any input', () => {
  const hidden = fc.constantFrom(
    '\u202E',
    '\u2066',
    '\u200B',
    '\u200D',
    '\u200C',
    '\uFE0F',
    '\u0000',
    '\u3164',
    '\u2028',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(hidden, fc.string({ unit: 'grapheme', maxLength: 3 }))).map((parts) => parts.join('')),
  )

  test('is clean at once: no sign of it turns a direction, hides or ends the line', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const clean = cleanLine(text)
        expect(cleanLine(clean)).toBe(clean)
        expect(clean).not.toMatch(/[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/u)
        expect(clean).toBe(clean.trim())
        expect(clean).not.toMatch(/\s\s/)
      }),
      { numRuns: 500 },
    )
  })

  test('keeps every letter and digit that can be seen', () => {
    const seen = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(seen(cleanLine(text))).toBe(seen(text))
      }),
    )
  })
})
