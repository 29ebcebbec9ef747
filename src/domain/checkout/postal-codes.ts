import { addressData } from './address-data.ts'

/** Example postal codes for messages; several where codes have different lengths. */
const examples: Readonly<Record<string, readonly [string, ...string[]]>> = {
  AU: ['2000'],
  AT: ['1010'],
  BE: ['1000'],
  BR: ['01310-100'],
  CA: ['M5H 2N2'],
  CZ: ['110 00'],
  DK: ['1050'],
  FI: ['00100'],
  FR: ['75001'],
  DE: ['10115'],
  GR: ['105 57'],
  HU: ['1051'],
  IE: ['D02 AF30'],
  IT: ['00118'],
  JP: ['100-0001'],
  MX: ['06600'],
  NL: ['1012 AB'],
  NZ: ['6011'],
  NO: ['0150'],
  PL: ['00-001'],
  PT: ['1100-148'],
  SG: ['018956'],
  KR: ['04524'],
  ES: ['28001'],
  SE: ['111 22'],
  CH: ['8001'],
  GB: ['SW1A 2AA', 'M1 1AE', 'B33 8TH', 'W1A 0AX', 'CR2 6XH'],
  US: ['94105', '94105-1234'],
}

/** Undefined if the country has no postal codes. */
export const postalCodeExample = (country: string): string | undefined => examples[country]?.[0]

/** Where codes of a given length have a space or hyphen; counted from the end if negative. */
const gaps: Readonly<Record<string, { length?: number; at: number; sign: string }>> = {
  BR: { at: 5, sign: '-' },
  CA: { at: 3, sign: ' ' },
  CZ: { at: 3, sign: ' ' },
  GB: { at: -3, sign: ' ' },
  GR: { at: 3, sign: ' ' },
  IE: { at: 3, sign: ' ' },
  JP: { at: 3, sign: '-' },
  NL: { at: 4, sign: ' ' },
  PL: { at: 2, sign: '-' },
  PT: { length: 7, at: 4, sign: '-' },
  SE: { at: 3, sign: ' ' },
  US: { length: 9, at: 5, sign: '-' },
}

/** Letters and digits only, in capitals; accepts full-width ones, the Japanese 〒 and a country prefix (`D-10115`). */
const withoutSeparators = (country: string, text: string): string =>
  text
    .slice(0, 100)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^\s*〒/u, '')
    .replace(new RegExp(`^\\s*(?:${country}|${country.slice(0, 1)})[-–]`), '')
    .replace(/[\s\u2010-\u2015-]/g, '')

function withSeparator(country: string, code: string): string {
  const gap = gaps[country]
  if (!gap || (gap.length ?? code.length) !== code.length) return code
  const at = gap.at < 0 ? code.length + gap.at : gap.at
  return at > 0 && at < code.length ? code.slice(0, at) + gap.sign + code.slice(at) : code
}

/**
 * `sw1a2aa` becomes `SW1A 2AA` in Great Britain, `1000001` becomes `100-0001` in Japan.
 * @returns undefined if the country has no such code
 */
export function postalCodeIn(country: string, text: string): string | undefined {
  const code = withSeparator(country, withoutSeparators(country, text))
  return addressData[country]?.postalCode?.test(code) ? code : undefined
}

/**
 * The part of a postal code that names a region but no street, in capitals without spaces: for tax, reports and
 * anonymized addresses. The outward code in Great Britain (`SW1A`), three digits in the US (`941`), elsewhere three
 * characters of codes with six or more, two of shorter ones. Idempotent.
 * @returns null if there is nothing to cut
 */
export function outerPostalCode(country: string, postalCode: string | null): string | null {
  const code = withoutSeparators(country, postalCode ?? '')
  const isWhole = postalCodeIn(country, code) !== undefined
  if (country === 'GB') return (isWhole ? code.slice(0, -3) : code.slice(0, 4)) || null
  return code.slice(0, country === 'US' || !isWhole || code.length > 5 ? 3 : 2) || null
}

/** Whether more characters could still complete a code of that country. */
export function couldBecomePostalCode(country: string, text: string): boolean {
  const typed = withoutSeparators(country, text)
  return (examples[country] ?? []).some((example) => {
    const whole = withoutSeparators(country, example)
    return typed.length < whole.length && postalCodeIn(country, typed + whole.slice(typed.length)) !== undefined
  })
}
