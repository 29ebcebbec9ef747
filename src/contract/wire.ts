import { EMAIL_SENTENCE } from './email-sentence.ts'
import * as z from 'zod/mini'
import type { Cents } from '#shared/money.ts'
import { cleanLine, cleanText } from '#shared/text.ts'

/** An id as people and pages write it: digits without sign or leading zero; coercion would also take `'0x1'`, `true` and `[]`. */
const idText = /^[1-9]\d{0,15}$/

/** The largest id that a row of ours can have. */
export const ROW_ID_MAX = 2_147_483_647

/** An id in a body: a whole number, or its digits as text. Reads as a number of type `Id`. */
export const wireId = <Id extends number>(sentence = 'Invalid input') =>
  z.pipe(
    z.union([z.int(sentence).check(z.gte(1, sentence)), z.string(sentence).check(z.regex(idText, sentence))], sentence),
    z.transform((value) => Number(value) as Id),
  )

/** The same for a row of ours; the partner's ids are longer. */
export const wireRowId = <Id extends number>(sentence = 'Invalid input') =>
  wireId<Id>(sentence).check(z.refine((id) => id <= ROW_ID_MAX, sentence))

const asId = <Id extends number>(text: z.ZodMiniType<string, string>) =>
  z.pipe(
    text,
    z.transform((value) => Number(value) as Id),
  )

/** An id of ours in a path. What is no id is answered as unknown, not as malformed: see `serve`. */
export const pathId = <Id extends number>() =>
  asId<Id>(
    z.string().check(
      z.regex(idText),
      z.refine((digits) => Number(digits) <= ROW_ID_MAX),
    ),
  )

/** The same for an id that the partner gave: theirs are longer. */
export const providerPathId = <Id extends number>() => asId<Id>(z.string().check(z.regex(idText)))

/** An amount in an answer: whole US cents. */
export const centsAnswer = z.int() as unknown as z.ZodMiniType<Cents, Cents>

/** An amount that a browser sends: compared, never used. */
export const centsInput = z.int('Amounts are whole cents').check(z.gte(0, 'Amounts are not negative'))

/** One line without control characters: nothing in it begins a second header of a mail. */
const plainText = /^[^\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]*$/u
const PLAIN_TEXT_ONLY = 'Please use plain text without control characters'

/**
 * Control characters are refused, since nobody types them. What else cannot be seen or turns the direction of a text is taken out: it
 * comes along when something is copied, and is stored, printed and shown without.
 */
const cleanedText = (clean: (text: string) => string) =>
  [z.trim(), z.regex(plainText, PLAIN_TEXT_ONLY), z.overwrite(clean)] as const

/** One line of text as a person types it; blanks around it do not count, control characters are refused. */
export const singleLineText = (max: number, sentence = 'Required') =>
  z
    .string(sentence)
    .check(
      ...cleanedText(cleanLine),
      z.minLength(1, sentence),
      z.maxLength(max, `Please use at most ${max} characters`),
    )

const between = (min: number, max: number, tooShort: string) => [
  z.minLength(min, tooShort),
  z.maxLength(max, `Please use at most ${max} characters`),
]

/** One line of at least so many letters. @param tooShort what is said of less */
export const shortText = (min: number, max: number, tooShort: string) =>
  z.string('Required').check(...cleanedText(cleanLine), ...between(min, max, tooShort))

/** Like `shortText`, but it may have several lines. */
export const multilineText = (min: number, max: number, tooShort: string) =>
  z.string('Required').check(
    z.refine((written) => plainText.test(written.replace(/[\t\n\r]/g, ' ')), PLAIN_TEXT_ONLY),
    z.overwrite((written) => cleanText(written).trim()),
    ...between(min, max, tooShort),
  )

export const optionalLine = (max: number) =>
  z.optional(
    z.nullable(z.string().check(...cleanedText(cleanLine), z.maxLength(max, `Please use at most ${max} characters`))),
  )

/** A moment as ISO 8601 text, UTC. */
export const isoMoment = z.string()

/** One mail address, no list, no display name: `nodemailer` would send to every address of a list. */
export const emailAddress = z
  .string('Required')
  .check(
    z.trim(),
    z.maxLength(254, EMAIL_SENTENCE),
    z.regex(
      /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i,
      EMAIL_SENTENCE,
    ),
  )

/** As `emailAddress`; nothing, or an empty field, means that none was left. */
export const optionalEmail = z.pipe(
  z.optional(z.nullable(z.union([z.literal(''), emailAddress], EMAIL_SENTENCE))),
  z.transform((given) => given || null),
)
