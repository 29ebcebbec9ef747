import { Refusal } from '#server/http/refusal.ts'

/** For an address that a provider cannot locate. @param field the address's path in the request */
export const addressRefusal = (field: string): Refusal =>
  new Refusal('address_refused', {}, { [`${field}.postal_code`]: 'Please check the postal code, city and state.' })
