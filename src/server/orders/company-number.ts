import { euVat, validateEntity, validatePerson } from 'stdnum'
import { europeanUnion } from '#domain/tax/european-union.ts'

/** Greek VAT numbers begin with another code than Greece has. */
const vatPrefixOf = (country: string): string => (country === 'GR' ? 'EL' : country)

const compact = (typed: string): string => typed.toUpperCase().replace(/[\s./-]/g, '')

/**
 * A buyer's tax number in the form for invoices: with its country where it is a VAT number of the European Union.
 * @returns undefined if no number of that country is like it; where a country's companies have none that is known, any is taken
 */
export function companyNumberFrom(country: string, typed: string): string | undefined {
  const number = compact(typed)
  const prefix = vatPrefixOf(country)
  const bare = number.startsWith(prefix) ? number.slice(prefix.length) : number
  if (europeanUnion.has(country)) {
    const isVat = (euVat[country] ?? []).some(({ validate }) => validate(bare).isValid || validate(number).isValid)
    if (isVat) return prefix + bare
  }
  const company = validateEntity(country, number)
  if (!company.checked) return /^[0-9A-Z]{4,20}$/.test(number) ? number : undefined
  // Many who trade in their own name have a person's number.
  return company.isValid || validatePerson(country, number).isValid ? number : undefined
}
