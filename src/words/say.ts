import { MessageFormatter, pluralTypeHandler, selectTypeHandler } from '@ultraq/icu-message-formatter'
import { formatNumber, spokenLanguage, spokenLocale, type OtherLanguage } from '#shared/language.ts'
import type { Word } from './words.ts'

/** What English texts are in one other language. */
export type Translated = Readonly<Record<string, string>>

const learned = new Map<string, Translated>()

/** Until a language is learned, its texts are English. */
export const learn = (language: OtherLanguage, translated: Translated): void => void learned.set(language, translated)

const formatters = new Map<string, MessageFormatter>()

function formatter(): MessageFormatter {
  const locale = spokenLocale()
  const known = formatters.get(locale)
  if (known) return known
  const made = new MessageFormatter(locale, {
    plural: pluralTypeHandler,
    select: selectTypeHandler,
    number: formatNumber,
  })
  formatters.set(locale, made)
  return made
}

export type Values = Readonly<Record<string, string | number>>
/** A text with placeholders needs their values. */
type ValuesOf<Text extends string> = Text extends `${string}{${string}` ? [values: Values] : []

/**
 * A text of the shop in the spoken language.
 * @param word the English text as ICU message: `{name}`, `{count, plural, one {# piece} other {# pieces}}`
 */
export function say<Text extends Word>(word: Text, ...[values]: ValuesOf<Text>): string {
  const text = sayKnown(word)
  // Not its `format`, which remembers all that it was ever given.
  return values ? formatter().process(text, values).flat(Infinity).join('') : text
}

/** The pieces of a text whose values are more than text, such as links: strings, and values as they were given. */
export const sayParts = (word: Word, values: Readonly<Record<string, unknown>>): unknown[] =>
  formatter().process(sayKnown(word), values)

/** A text of several meanings: `Contact (buyer)` is `Contact` in English, and not what the page of that name is called elsewhere. */
export function sayMeaning(word: Extract<Word, `${string} (${string})`>): string {
  const text = sayKnown(word)
  return text === word ? word.replace(/ \([^)]*\)$/, '') : text
}

/** A text that is English data, such as the name of a color: as it is, when the catalog doesn't have it. */
export const sayKnown = (text: string): string => learned.get(spokenLanguage())?.[text] ?? text
