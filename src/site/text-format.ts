import type { DayRange } from './policies.ts'

/** `2-5`, as the pages write a span of days. */
export const formatRange = ({ from, to }: DayRange): string => `${from}-${to}`

/** `Visa, Mastercard and Amex`. @param last stands before the last word */
export const formatList = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
