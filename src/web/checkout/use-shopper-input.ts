import { useEffect, useReducer, useRef } from 'react'
import { alternateCountries, mainCountries } from '#domain/checkout/countries.ts'
import type { CheckoutVariant, Step } from '#domain/checkout/steps.ts'
import { emptyForm, mergeTypedFields, type CustomerForm, type FieldName } from './customer-form.ts'
import { clearSavedInfo, readSavedInfo, saveInfo } from './saved-info.ts'
import { useCustomerForm } from './use-customer-form.ts'
import { keepForReturn, takeDraft, useDraft } from './use-draft.ts'

const TERMS_REQUIRED = 'Please agree to the terms and conditions to continue.'
const AGE_REQUIRED = 'Please confirm your age to continue.'

/** What this device keeps; `isBack`: from an earlier visit that came as far as the payment. */
type SavedInfoState = { remember: boolean; isSaved: boolean; isBack: boolean }

/** Something that has to be ticked. */
type Consent = 'open' | 'missing' | 'accepted'

/** A box that has to be ticked, as a step draws it. */
export type Agreement = { accepted: boolean; error: string | undefined; onAccepted: (accepted: boolean) => void }

/** What is known besides the form. */
type ExtraInput = {
  phone: string
  terms: Consent
  age: Consent
  saved: SavedInfoState
  /** What the form began with, or held when the saved info was cleared: nothing that a reload has to bring back. */
  untouched: CustomerForm
  /** What an earlier visit or the page before a reload has left is in the form now. */
  isFilled: boolean
}
const initialExtraInput: ExtraInput = {
  phone: '',
  terms: 'open',
  age: 'open',
  saved: { remember: false, isSaved: false, isBack: false },
  untouched: emptyForm,
  isFilled: false,
}
const withExtraInput = (before: ExtraInput, now: Partial<ExtraInput>): ExtraInput => ({ ...before, ...now })

const countriesOf: Record<CheckoutVariant, readonly string[]> = { main: mainCountries, alternate: alternateCountries }

/**
 * Everything that a shopper types and ticks in the checkout, and what of it is kept where: on this device what they asked
 * for, over a reload all of it, after the purchase nothing.
 * @param isOver true once there is nothing left to keep
 */
export function useShopperInput(variant: CheckoutVariant, isOver: boolean) {
  const customer = useCustomerForm(countriesOf[variant])
  const { form, change } = customer
  const [{ phone, terms, age, saved, untouched, isFilled }, note] = useReducer(withExtraInput, initialExtraInput)
  const formElement = useRef<HTMLFormElement>(null)

  const isTouched = JSON.stringify(form) !== JSON.stringify(untouched) || phone !== ''
  const draft = { form, phone, terms: terms === 'accepted', age: age === 'accepted' }
  useDraft(isTouched && !isOver ? draft : undefined)

  useEffect(() => {
    const savedInfo = readSavedInfo()
    const draft = takeDraft()
    const known = draft?.form ?? savedInfo?.form ?? { ...emptyForm, email: savedInfo?.email ?? emptyForm.email }
    const filled = mergeTypedFields(known, readFields(formElement.current))
    change({ kind: 'filled', fill: () => filled })
    note({
      isFilled: true,
      ...(!draft && { untouched: known }),
      ...(draft && {
        phone: draft.phone,
        terms: draft.terms ? 'accepted' : 'open',
        age: draft.age ? 'accepted' : 'open',
      }),
      ...(savedInfo && {
        saved: {
          remember: savedInfo.info?.remember ?? false,
          isSaved: true,
          isBack: !draft && savedInfo.form !== undefined && savedInfo.info?.step === 'payment',
        },
      }),
    })
  }, [change])

  const focusOn = (field: FieldName | 'terms' | 'age' | undefined) => {
    // A box may stand in another step than the fields.
    const control = field && (formElement.current?.elements.namedItem(field) ?? document.getElementById(field))
    if (control instanceof HTMLElement) control.focus()
  }

  const agreementOn = (name: 'terms' | 'age', required: string): Agreement => {
    const consent = { terms, age }[name]
    return {
      accepted: consent === 'accepted',
      error: consent === 'missing' ? required : undefined,
      onAccepted: (accepted) => note({ [name]: accepted ? 'accepted' : 'open' }),
    }
  }

  return {
    customer,
    formElement,
    isFilled,
    saved,
    phone: { value: phone, onValue: (value: string) => note({ phone: value }) },
    terms: agreementOn('terms', TERMS_REQUIRED),
    age: agreementOn('age', AGE_REQUIRED),
    focusOn,
    keepForReturn: () => keepForReturn(draft),
    /** Judges every field and leads to the first wrong one. */
    insistOn: (first: FieldName) => {
      change({ kind: 'insisted' })
      focusOn(first)
    },
    /** Asks once about a ZIP code of another state. @returns whether it was asked; whoever goes on all the same has answered */
    asksAboutZip: (): boolean => {
      if (!customer.isZipOpen) return false
      change({ kind: 'zip_asked' })
      focusOn('shippingAddress.postal_code')
      return true
    },
    /** Leads to a box that is not ticked. @returns the sentence that now stands beside it */
    insistOnBox: (name: 'terms' | 'age'): string => {
      note({ [name]: 'missing' })
      focusOn(name)
      return name === 'terms' ? TERMS_REQUIRED : AGE_REQUIRED
    },
    save: (at: Step, remember = saved.remember) =>
      note({ saved: { ...saved, remember, isSaved: saveInfo(form, { step: at, remember }) } }),
    clearForm: () => {
      change({ kind: 'cleared' })
      note({ phone: '', terms: 'open', age: 'open' })
      focusOn('email')
    },
    clearSaved: () => {
      clearSavedInfo()
      note({ saved: initialExtraInput.saved, untouched: form })
    },
  }
}

/** What stands in the fields now; read at once, since the form is drawn over it. */
function readFields(form: HTMLFormElement | null): (name: FieldName) => string | undefined {
  const values = form ? new FormData(form) : undefined
  return (name) => {
    const value = values?.get(name)
    return typeof value === 'string' ? value : undefined
  }
}
