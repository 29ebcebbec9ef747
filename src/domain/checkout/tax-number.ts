/** Countries where the printer requires the receiver's tax number. */
export const asksForTaxNumber = (country: string): boolean => country === 'BR'

const REQUIRED = 'Required'
const SENTENCE = 'Please enter a CPF such as 123.456.789-09 or a CNPJ such as 12.ABC.345/01DE-35'

/** @returns what is wrong with a CPF or CNPJ; undefined if its check digits are right */
export function taxNumberObjection(text: string): string | undefined {
  if (!text.trim()) return REQUIRED
  return taxNumberFrom(text) === undefined ? SENTENCE : undefined
}

/**
 * A person's CPF or a company's CNPJ in the printer's format: `529.982.247-25`, `11.222.333/0001-81`.
 * @returns undefined if the check digits are wrong
 */
export function taxNumberFrom(text: string): string | undefined {
  const number = text
    .slice(0, 100)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s./-]/g, '')
  if (/^\d{11}$/.test(number)) return isCpf(number) ? number.replace(/(.{3})(.{3})(.{3})/, '$1.$2.$3-') : undefined
  if (!/^[0-9A-Z]{12}\d{2}$/.test(number) || !isCnpj(number)) return undefined
  return number.replace(/(.{2})(.{3})(.{3})(.{4})/, '$1.$2.$3/$4-')
}

// Numbers of one repeated digit pass the check but were never issued.
const isCpf = (number: string): boolean =>
  !/^(\d)\1*$/.test(number) && endsInChecks(number, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])

/**
 * Since July 2026 the first twelve characters may be letters, valued as their code minus 48 (Receita Federal,
 * Instrução Normativa RFB 2.229 of 2024 and Nota Técnica 49 of 2024). Numeric ones are unchanged.
 */
const isCnpj = (number: string): boolean =>
  !/^(\d)\1*$/.test(number) && endsInChecks(number, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])

/** @param weights of all characters before the last; the first check digit skips the first weight */
function endsInChecks(number: string, weights: readonly number[]): boolean {
  const signs = number.slice(0, -2)
  const first = checkDigit(signs, weights.slice(1))
  return number === `${signs}${first}${checkDigit(signs + first, weights)}`
}

/** Modulo 11. */
function checkDigit(signs: string, weights: readonly number[]): string {
  const weighed = weights.reduce((sum, weight, at) => sum + weight * (signs.charCodeAt(at) - 48), 0)
  const rest = weighed % 11
  return String(rest < 2 ? 0 : 11 - rest)
}
