import { formatList as formatSpokenList, spokenLanguage } from '#shared/language.ts'
import type { DayRange } from './policies.ts'

/** `2-5`. */
export const formatRange = ({ from, to }: DayRange): string => `${from}-${to}`

/** `Visa, Mastercard and Amex`. @param conjunction before the last word */
export const formatList = (words: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  spokenLanguage() === 'en'
    ? words.length < 2
      ? words.join('')
      : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
    : formatSpokenList(words, conjunction === 'and' ? 'conjunction' : 'disjunction')
