import { useEffect, useReducer } from 'react'
import { mainCountries } from '#domain/checkout/countries.ts'
import { zipDoubtOf } from '#domain/checkout/zip-states.ts'
import { blankState, customerReducer, zipPairOf } from './customer-changes.ts'
import { validateCustomer, type FieldName } from './customer-form.ts'

const PAUSE_MS = 1000 // as long as the tax waits after an edit: then half a postal code is taken for a whole one

/**
 * What was typed in step 1, which country it speaks of, and which sentences stand beside which fields.
 * @param offered the countries that this face of the checkout delivers to
 */
export function useCustomerForm(offered: readonly string[] = mainCountries) {
  const [state, change] = useReducer(customerReducer, offered, blankState)
  const { form, announced, typing, left, refused, insisted, zip } = state

  useEffect(() => {
    if (!typing) return undefined
    const timer = setTimeout(() => change({ kind: 'paused' }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typing])

  const mistakes = validateCustomer(form)
  const errorOf = (name: FieldName): string | undefined =>
    (insisted || left.has(name) ? mistakes.get(name) : undefined) ?? refused.get(name)
  // Only a parcel can be lost by it; where the bill goes to nobody asks.
  const doubt = zipDoubtOf(form.shippingAddress)
  const answer = zip?.about === zipPairOf(form) ? zip : undefined
  const isSeen = insisted || answer || (left.has('shippingAddress.state') && left.has('shippingAddress.postal_code'))
  return {
    form,
    mistakes,
    errorOf,
    announced,
    change,
    countries: offered,
    /** What is to be asked about the ZIP code, once both fields were left. */
    zipDoubt: isSeen && !answer?.isKept ? doubt : undefined,
    /** Whether the shopper still has to be asked, before the form goes on for the first time. */
    isZipOpen: doubt !== undefined && !answer,
  }
}

export type CustomerFormState = ReturnType<typeof useCustomerForm>
