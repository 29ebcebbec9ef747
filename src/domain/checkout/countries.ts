/** Where the main checkout delivers, in the specification's order (section 5). */
export const mainCountries = [
  ...['AU', 'AT', 'BE', 'BR', 'CA', 'CZ', 'DK', 'FI', 'FR', 'DE', 'GR', 'HK', 'HU', 'IE', 'IT', 'JP', 'MX', 'NL'],
  ...['NZ', 'NO', 'PL', 'PT', 'SG', 'KR', 'ES', 'SE', 'CH', 'GB', 'US'],
] as const

/** Where the alternate checkout delivers. */
export const alternateCountries = [
  ...['AU', 'AT', 'BE', 'CA', 'DK', 'FI', 'FR', 'DE', 'IT', 'JP', 'NL', 'NZ', 'NO', 'SG', 'ES', 'SE', 'CH', 'GB', 'US'],
] as const

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** `DE` is `Germany`. */
export const countryName = (code: string): string => names.of(code) ?? code

export const isDelivered = (country: string): boolean => (mainCountries as readonly string[]).includes(country)
