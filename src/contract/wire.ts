import { EMAIL_SENTENCE } from './email-sentence.ts'
import * as z from 'zod/mini'
import { EMAIL_PATTERN } from '#shared/email.ts'
import type { Cents } from '#shared/money.ts'
import { cleanLine, cleanText } from '#shared/text.ts'

/** An id as digits without sign or leading zero; coercion would also accept `'0x1'`, `true` and `[]`. */
const idText = /^[1-9]\d{0,15}$/

/** The largest id of our own rows. */
export const ROW_ID_MAX = 2_147_483_647

/** An id in a body: an integer, or its digits as text. Parses to `Id`. */
export const wireId = <Id extends number>(sentence = 'Invalid input') =>
  z.pipe(
    z.union([z.int(sentence).check(z.gte(1, sentence)), z.string(sentence).check(z.regex(idText, sentence))], sentence),
    z.transform((value) => Number(value) as Id),
  )

/** The same for our own rows; Printful's ids are longer. */
export const wireRowId = <Id extends number>(sentence = 'Invalid input') =>
  wireId<Id>(sentence).check(z.refine((id) => id <= ROW_ID_MAX, sentence))

const asId = <Id extends number>(text: z.ZodMiniType<string, string>) =>
  z.pipe(
    text,
    z.transform((value) => Number(value) as Id),
  )

/** Our own id in a path. Invalid ids are answered as unknown, not as malformed: see `serve`. */
export const pathId = <Id extends number>() =>
  asId<Id>(
    z.string().check(
      z.regex(idText),
      z.refine((digits) => Number(digits) <= ROW_ID_MAX),
    ),
  )

/** The same for Printful's longer ids. */
export const providerPathId = <Id extends number>() => asId<Id>(z.string().check(z.regex(idText)))

/** The same numbers, with the type of an id or an amount; nothing is converted. */
export const branded = <Brand extends number>(shape: z.ZodMiniType<number, number> = z.int()) =>
  shape as unknown as z.ZodMiniType<Brand, Brand>

/** Whole US cents. */
export const centsAnswer = branded<Cents>()

/** An amount from a browser: compared, never charged. */
export const centsInput = z.int('Amounts must be whole cents').check(z.gte(0, 'Amounts can’t be negative'))

/** One line without control characters, to prevent email header injection, and because the database takes no NUL. */
export const plainText = /^[^\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]*$/u
const PLAIN_TEXT_ONLY = 'Please use plain text without control characters'

/**
 * Control characters are refused, since nobody types them. Invisible and direction-changing characters come along when
 * text is copied, so they are removed.
 */
const cleanedText = (clean: (text: string) => string) =>
  [z.trim(), z.regex(plainText, PLAIN_TEXT_ONLY), z.overwrite(clean)] as const

/** One trimmed line of text; control characters are refused. */
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

/** One line with a minimum length. @param tooShort the message for shorter text */
export const shortText = (min: number, max: number, tooShort: string) =>
  z.string('Required').check(...cleanedText(cleanLine), ...between(min, max, tooShort))

/** Like `shortText`, but may have several lines. */
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

/** ISO 8601, UTC. */
export const isoMoment = z.string()

/** PayPal's id of an order. */
export const walletOrderId = z.string().check(z.regex(/^[A-Z0-9]{10,30}$/, 'Please specify a payment'))

/** A single email address. */
export const emailAddress = z.string('Required').check(z.trim(), z.regex(EMAIL_PATTERN, EMAIL_SENTENCE))

/** Like `emailAddress`, but may be missing or empty. */
export const optionalEmail = z.pipe(
  z.optional(z.nullable(z.union([z.literal(''), emailAddress], EMAIL_SENTENCE))),
  z.transform((given) => given || null),
)
