/** What the data packages know about a country's addresses. */
export type AddressShape = {
  /** The order of city, state and postal code; a missing letter means the country has no such part. */
  order: 'C' | 'CS' | 'CZ' | 'ZC' | 'CSZ' | 'ZCS'
  /** Postal code pattern, in capitals. */
  postalCode?: RegExp
  /** States by the codes used in addresses. */
  regions?: Readonly<Record<string, string>>
  /** States by name, where addresses spell them out. */
  regionNames?: readonly string[]
}
