import { pageWords, wordsIn } from '../words.ts'

/** The build writes the words themselves here: a page loads one language. */
export const translated = wordsIn('de', pageWords)
