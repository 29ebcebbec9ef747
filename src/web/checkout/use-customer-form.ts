import { useEffect, useReducer } from 'react'
import { mainCountries } from '#domain/checkout/countries.ts'
import { zipDoubtOf } from '#domain/checkout/zip-states.ts'
import { customerReducer, firstState, zipPairOf } from './customer-changes.ts'
import { emptyForm, validateCustomer, type FieldName } from './customer-form.ts'

const PAUSE_MS = 1000 // the debounce of the tax preview

/**
 * The form of step 1 with country detection and validation.
 * @param offered the countries that this checkout delivers to
 * @param start initial values
 */
export function useCustomerForm(offered: readonly string[] = mainCountries, start = emptyForm) {
  const [state, change] = useReducer(customerReducer, undefined, () => firstState(offered, start))
  const { form, announced, typing, left, refused, isSubmitted, zip } = state

  useEffect(() => {
    if (!typing) return undefined
    const timer = setTimeout(() => change({ kind: 'paused' }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typing])

  const mistakes = validateCustomer(form)
  const errorOf = (name: FieldName): string | undefined =>
    (isSubmitted || left.has(name) ? mistakes.get(name) : undefined) ?? refused.get(name)
  // Only the shipping address: a wrong billing ZIP code loses no parcel.
  const doubt = zipDoubtOf(form.shippingAddress)
  const answer = zip?.pair === zipPairOf(form) ? zip : undefined
  const isDue = isSubmitted || answer || (left.has('shippingAddress.state') && left.has('shippingAddress.postal_code'))
  return {
    form,
    mistakes,
    errorOf,
    announced,
    change,
    countries: offered,
    isEmailLeft: isSubmitted || left.has('email'),
    /** Set once both fields were left. */
    zipDoubt: isDue && !answer?.isConfirmed ? doubt : undefined,
    /** Whether the shopper has not been asked yet. */
    isZipOpen: doubt !== undefined && !answer,
  }
}

export type CustomerFormState = ReturnType<typeof useCustomerForm>
