/**
 * What nobody sees, and what turns the direction of what follows: controls but for tabs and ends of lines, default-ignorable signs
 * (zero-width ones, stopWords, soft hyphens, bidirectional marks, tags), private use, halves of pairs (Unicode, DerivedCoreProperties; UAX #9).
 */
const UNSEEN =
  /^(?:[\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFC]|(?![\t\n\r])\p{Cc})$/u

/** Persian and Indian words, and emoji of several, are joined by signs without a width; between such parts they are meant. */
const JOINED =
  /^(?![\p{ASCII}\p{Default_Ignorable_Code_Point}])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u
const EMOJI = /^(?!\p{ASCII})\p{Extended_Pictographic}$/u
const AS_EMOJI = '\uFE0F'

function isMeant(sign: string, before: string, next: string): boolean {
  if (sign === AS_EMOJI) return EMOJI.test(before)
  const isJoiner = sign === '\u200C' || sign === '\u200D'
  return isJoiner && JOINED.test(next) && (JOINED.test(before) || before === AS_EMOJI)
}

/**
 * Text of somebody else as it may be stored, printed and shown: every sign of it is seen, none turns the direction of another, and
 * letters with their marks are composed (NFC). Lines stay lines. Cleaning it once more changes nothing.
 */
export function cleanText(text: string): string {
  const clean = cleanOnce(text)
  // Composing may leave a joiner behind a sign that is not joined (← and a stroke become ↚).
  return clean === text ? clean : cleanText(clean)
}

function cleanOnce(text: string): string {
  const signs = Array.from(text)
  let [clean, before] = ['', '']
  for (const [at, sign] of signs.entries()) {
    if (UNSEEN.test(sign) && !isMeant(sign, before, signs[at + 1] ?? '')) continue
    clean += sign
    before = sign
  }
  return clean.normalize('NFC')
}

/** The same as one line: an end of a line, and every run of blanks, is one blank; none stands around it. */
export const cleanLine = (text: string): string =>
  cleanText(text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' '))
    .replace(/\s+/gu, ' ')
    .trim()
