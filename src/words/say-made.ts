import { spokenLanguage } from '#shared/language.ts'
import { centsFromDecimal, formatUsd, ZERO } from '#shared/money.ts'
import { say, sayKnown } from './say.ts'
import type { Word } from './words.ts'

/** What English texts are made of that reach a page with their values in them: from the server, or of a stored quote. */
const made = [
  'about {amount}, charged in US dollars',
  '{product} takes longer than usual to reach {country}.',
  '{product} is only for people {age} and over.',
  'Pillows ship as oversize parcels: each one adds {amount} to an order going to {countries}.',
  'Doesn’t ship to {countries}.',
  'Takes longer than usual to reach {countries}.',
  'For ages {age} and over only.',
  'Each one adds {amount} to an order going to {countries}.',
  '{amount} off, free shipping',
  '{amount} off',
  '{code}: free shipping',
  '{code} is not for anything in your cart.',
  '{code} needs {minimum} of the items it is for: {missing} more.',
  '{code} needs one more piece of what it is for.',
  '{code} needs {count} more pieces of what it is for.',
  '{code} can’t be used together with {other}. Remove {other} first.',
  '{product} goes on sale on {time}.',
  'The sale of {product} is paused. Please try again in a few minutes.',
  'The sale of {product} has ended.',
  'The waiting room opens on {time}.',
  'Each person can buy {limit} of {product}, and you have {others} already.',
  'Each person can buy {limit} of {product}.',
  '{product} is no longer in the catalog, so its shipping and tax can’t be computed again.',
  '{product} doesn’t come in that color and size.',
  'The {part} can’t be changed after payment',
  'You need to be {age} or older to take part',
  'Quantity must be a whole number from {min} to {max}',
  'A cart holds at most {count} different items.',
  'Please use at most {max} characters',
  'Please use at most {count} photos',
  'Please send at most {count} photos at once',
  'Please enter a tax number of {country}, or leave it empty',
  'No. {number} of {count}',
  'No. {number}',
  'Parcel {number} of {total}',
  'Parcel {number}',
  'Track parcel {number} of {total}',
  'Track parcel {number}',
  'Your order is canceled. Nothing will be made. {amount} is on its way back to you.',
  'Our items are made to order, so the right to withdraw doesn’t apply ({exception}). Is something wrong with your order? Report a problem.',
  'The {days} days to withdraw are over. Is something wrong with your order? Report a problem, or write to us.',
  'We’ll email you once, when {title} begins.',
  'You are on the waiting list of {title}. You are next. We’ll email you when a piece is free.',
  'You are on the waiting list of {title}. 1 person is before you. We’ll email you when a piece is free.',
  'You are on the waiting list of {title}. {count} people are before you. We’ll email you when a piece is free.',
  'We asked them by email. {label} stays yours until they accept.',
] as const satisfies readonly Word[]

const patternOf = (word: string): RegExp => {
  const seen = new Set<string>()
  const pattern = word
    .replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replace(/\{(\w+)\}/g, (_, name: string) =>
      seen.has(name) ? String.raw`\k<${name}>` : (seen.add(name), `(?<${name}>.+?)`),
    )
  return new RegExp(`^${pattern}$`)
}
const patterns = made.map((word) => ({ word, pattern: patternOf(word) }))

/** Amounts in it are written as in the spoken language. */
const sayValue = (value: string): string =>
  sayKnown(value).replace(/\$([\d,]+\.\d\d)/g, (_, amount: string) =>
    formatUsd(centsFromDecimal(amount.replaceAll(',', '')) ?? ZERO),
  )

/**
 * A text that was made in English, in the spoken language; as it is, if it was made of none of the words above.
 * @param sayOther says values that no word is
 */
export function sayMade(text: string, sayOther?: (value: string, name: string) => string | undefined): string {
  const known = sayKnown(text)
  if (spokenLanguage() === 'en' || known !== text) return known
  for (const { word, pattern } of patterns) {
    const values = Object.entries(pattern.exec(text)?.groups ?? {})
    if (values.length > 0)
      return say(
        word,
        Object.fromEntries(values.map(([name, value]) => [name, sayOther?.(value, name) ?? sayValue(value)])),
      )
  }
  return text
}
