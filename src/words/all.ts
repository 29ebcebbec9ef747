import { languages } from '#shared/language.ts'
import { learn } from './say.ts'
import { words, wordsIn } from './words.ts'

// For the server, which speaks to everybody.
for (const language of languages) if (language !== 'en') learn(language, wordsIn(language, words))
