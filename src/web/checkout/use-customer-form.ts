import { useEffect, useReducer } from 'react'
import { mainCountries } from '#domain/checkout/countries.ts'
import { blankState, changedBy } from './customer-changes.ts'
import { mistakesIn, type FieldName } from './customer-form.ts'

const PAUSE_MS = 1000 // as long as the tax waits after an edit: then half a postal code is taken for a whole one

/**
 * What was typed in step 1, which country it speaks of, and which sentences stand beside which fields.
 * @param offered the countries that this face of the checkout delivers to
 */
export function useCustomerForm(offered: readonly string[] = mainCountries) {
  const [state, change] = useReducer(changedBy, offered, blankState)
  const { form, announced, typing, left, refused, insisted } = state

  useEffect(() => {
    if (!typing) return undefined
    const timer = setTimeout(() => change({ kind: 'paused' }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typing])

  const mistakes = mistakesIn(form)
  const errorOf = (name: FieldName): string | undefined =>
    (insisted || left.has(name) ? mistakes.get(name) : undefined) ?? refused.get(name)
  return { form, mistakes, errorOf, announced, change, countries: offered }
}

export type CustomerFormState = ReturnType<typeof useCustomerForm>
