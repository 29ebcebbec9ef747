import { say } from '#words/say.ts'
import { spokenLanguage } from '#shared/language.ts'
import type { Word } from '#words/words.ts'
import { regionsOf } from './regions.ts'
import { postalCodeExample } from './postal-codes.ts'

const stateLabels: Readonly<Record<string, Word>> = {
  AU: 'State or territory',
  CA: 'Province',
  ES: 'Province',
  IE: 'County',
  IT: 'Province',
  JP: 'Prefecture',
  KR: 'Province or city',
}
const postalCodeLabels: Readonly<Record<string, Word>> = {
  AU: 'Postcode',
  GB: 'Postcode',
  IE: 'Eircode',
  NZ: 'Postcode',
  US: 'ZIP code',
}

/** The local name for it. */
export const stateLabel = (country: string): string => say(stateLabels[country] ?? 'State')
export const postalCodeLabel = (country: string): string => say(postalCodeLabels[country] ?? 'Postal code')

const withArticle = (label: string): string => {
  if (spokenLanguage() !== 'en') return label
  const word = /^[A-Z]{2}|^Eircode/.test(label) ? label : label.toLowerCase()
  return /^[aeiou]/i.test(word) ? `an ${word}` : `a ${word}`
}

/** How to fix an unknown state: `Please enter a state such as California or CA`. */
export function stateSentence(country: string): string {
  const { name, code } = regionsOf(country)?.find(({ name: text }) => text === stateExamples[country]) ?? {}
  const label = withArticle(stateLabel(country))
  return name && code
    ? say('Please enter {label} such as {name} or {code}', { label, name, code })
    : say('Please enter {label}', { label })
}
const stateExamples: Readonly<Record<string, string>> = {
  AU: 'New South Wales',
  BR: 'São Paulo',
  CA: 'Ontario',
  US: 'California',
}

/** How to fix a postal code: `Please enter a postal code such as 10115`. */
export const postalCodeSentence = (country: string): string =>
  say('Please enter {label} such as {example}', {
    label: withArticle(postalCodeLabel(country)),
    example: postalCodeExample(country) ?? '',
  })
