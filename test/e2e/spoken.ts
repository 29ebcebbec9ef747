import { inLanguage, type OtherLanguage } from '#shared/language.ts'
import '#words/all.ts'
import { say, type Values } from '#words/say.ts'
import type { Word } from '#words/words.ts'

/** A text as the pages of a language show it. */
export const speakerOf =
  (language: OtherLanguage) =>
  (word: Word, values?: Values): string =>
    inLanguage(language, () => (say as (word: Word, values?: Values) => string)(word, values))
