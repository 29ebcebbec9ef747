import { expect, test } from 'vitest'
import { guessCountry } from './ship-country.ts'

test.each([
  [['de-AT', 'en-US'], 'AT'],
  [['de'], 'DE'],
  [['en-GB', 'en'], 'GB'],
  [['en'], 'US'],
  [['pt'], 'BR'],
  [['is-IS', 'da'], 'DK'],
  [['xx', 'not a language', 'fr-CA'], 'CA'],
  [[], 'US'],
])('the browser languages %j suggest %s', (languages, country) => expect(guessCountry(languages)).toBe(country))
