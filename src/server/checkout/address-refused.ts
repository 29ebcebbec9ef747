import { Refused } from '#server/http/refused.ts'

/** A provider cannot place the address. @param field where the address stands in the request */
export const addressRefused = (field: string): Refused =>
  new Refused('address_refused', {}, { [`${field}.postal_code`]: 'Please check the postal code, city and state.' })
