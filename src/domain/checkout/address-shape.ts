/** What the data packages know of a country's addresses. */
export type AddressShape = {
  /** The order of city, state and postal code; a letter that is missing is a part that the country does not have. */
  order: 'C' | 'CS' | 'CZ' | 'ZC' | 'CSZ' | 'ZCS'
  /** How its postal codes are written, in capitals. */
  postalCode?: RegExp
  /** Its states by the codes that stand in its addresses. */
  regions?: Readonly<Record<string, string>>
  /** Its states, where an address names them in words. */
  regionNames?: readonly string[]
}
