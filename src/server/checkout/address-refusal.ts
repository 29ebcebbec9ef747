import { Refusal } from '#server/http/refusal.ts'

/** A provider cannot place the address. @param field where the address stands in the request */
export const addressRefusal = (field: string): Refusal =>
  new Refusal('address_refused', {}, { [`${field}.postal_code`]: 'Please check the postal code, city and state.' })
