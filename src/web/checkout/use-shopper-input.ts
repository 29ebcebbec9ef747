import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { alternateCountries, mainCountries } from '#domain/checkout/countries.ts'
import type { CheckoutVariant, Step } from '#domain/checkout/steps.ts'
import type { Word } from '#words/words.ts'
import { say } from '#words/say.ts'
import { emptyForm, mergeTypedFields, withValue, type CustomerForm, type FieldName } from './customer-form.ts'
import { clearSavedInfo, readSavedInfo, saveInfo } from './saved-info.ts'
import { useCustomerForm } from './use-customer-form.ts'
import { saveForReturn, takeDraft, writeDraft, type Draft } from './draft.ts'

const TERMS_REQUIRED = 'Please agree to the terms and conditions to continue.' satisfies Word
const AGE_REQUIRED = 'Please confirm your age to continue.' satisfies Word

/** `isBack`: from an earlier visit that reached the payment. */
type SavedInfoState = { remember: boolean; isSaved: boolean; isBack: boolean }

/** Checkboxes that a purchase may need. */
export type ConsentName = 'terms' | 'age'
type Consent = 'open' | 'missing' | 'accepted'

export type Agreement = { accepted: boolean; error: string | undefined; onAccepted: (accepted: boolean) => void }
/** @property minimumAge null when the server asks without naming one */
export type AgeAgreement = Agreement & { minimumAge: number | null }

type ExtraInput = {
  phone: string
  terms: Consent
  age: Consent
  saved: SavedInfoState
  /** The form's initial value, or its value when saved info was cleared: nothing to restore after a reload. */
  untouched: CustomerForm
  /** Saved info and draft have been loaded into the form. */
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
const withExtraInput = (before: ExtraInput, update: Partial<ExtraInput>): ExtraInput => ({ ...before, ...update })

const isAddressEmpty = ({ shippingAddress }: CustomerForm): boolean =>
  JSON.stringify(shippingAddress) === JSON.stringify(emptyForm.shippingAddress)

const countriesOf: Record<CheckoutVariant, readonly string[]> = { main: mainCountries, alternate: alternateCountries }

/**
 * Everything that a shopper enters in the checkout. Saved on the device only with consent, kept over a reload, deleted after the
 * purchase.
 * @param isOver true once there is nothing left to save
 */
export function useShopperInput(variant: CheckoutVariant, isOver: boolean) {
  const customer = useCustomerForm(countriesOf[variant])
  const { form, change } = customer
  const [{ phone, terms, age, saved, untouched, isFilled }, update] = useReducer(withExtraInput, initialExtraInput)
  const formElement = useRef<HTMLFormElement>(null)

  const isTouched = JSON.stringify(form) !== JSON.stringify(untouched) || phone !== ''
  const draft = { form, phone, terms: terms === 'accepted', age: age === 'accepted' }
  useDraft(isTouched && !isOver ? draft : undefined)

  useEffect(() => {
    const savedInfo = readSavedInfo()
    const draft = takeDraft()
    const base = draft?.form ?? savedInfo?.form ?? { ...emptyForm, email: savedInfo?.email ?? emptyForm.email }
    const filled = mergeTypedFields(base, readFields(formElement.current))
    change({ kind: 'filled', fill: () => filled })
    if (isAddressEmpty(filled))
      void import('#web/app/ship-country.ts').then(({ shipCountry }) =>
        // Unless somebody was quicker.
        change({ kind: 'filled', fill: (now) => (isAddressEmpty(now) ? withCountry(now, shipCountry()) : now) }),
      )
    update({
      isFilled: true,
      ...(!draft && { untouched: base }),
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

  const focusOn = (field: FieldName | ConsentName | undefined) => {
    // A checkbox may be in another step than the fields.
    const control = field && (formElement.current?.elements.namedItem(field) ?? document.getElementById(field))
    if (control instanceof HTMLElement) control.focus()
  }

  const agreementOn = (name: ConsentName, required: Word): Agreement => {
    const consent = { terms, age }[name]
    return {
      accepted: consent === 'accepted',
      error: consent === 'missing' ? say(required) : undefined,
      onAccepted: (accepted) => update({ [name]: accepted ? 'accepted' : 'open' }),
    }
  }

  return {
    customer,
    formElement,
    isFilled,
    saved,
    phone: { value: phone, onValue: (value: string) => update({ phone: value }) },
    terms: agreementOn('terms', TERMS_REQUIRED),
    age: agreementOn('age', AGE_REQUIRED),
    focusOn,
    saveForReturn: () => saveForReturn(draft),
    /** Shows all errors, also at these unticked checkboxes, and focuses the first invalid field. */
    showErrors: (first: FieldName, unticked: readonly ConsentName[] = []) => {
      change({ kind: 'submitted' })
      for (const consent of unticked) update({ [consent]: 'missing' })
      focusOn(first)
    },
    /** Asks once about a ZIP code of another state. @returns whether it has asked now */
    askAboutZip: (): boolean => {
      if (!customer.isZipOpen) return false
      change({ kind: 'zip_asked' })
      focusOn('shippingAddress.postal_code')
      return true
    },
    /** Marks and focuses an unticked checkbox. @returns the sentence now shown beside it */
    requireConsent: (name: ConsentName): string => {
      update({ [name]: 'missing' })
      focusOn(name)
      return name === 'terms' ? TERMS_REQUIRED : AGE_REQUIRED
    },
    save: (at: Step, remember = saved.remember) =>
      update({ saved: { ...saved, remember, isSaved: saveInfo(form, { step: at, remember }) } }),
    clearForm: () => {
      change({ kind: 'cleared' })
      update({ phone: '', terms: 'open', age: 'open' })
      focusOn('email')
    },
    clearSaved: () => {
      clearSavedInfo()
      update({ saved: initialExtraInput.saved, untouched: form })
    },
  }
}

/** The country chosen before the checkout, unless an address has been begun. */
const withCountry = (form: CustomerForm, country: string): CustomerForm =>
  JSON.stringify(form.shippingAddress) === JSON.stringify(emptyForm.shippingAddress)
    ? withValue(form, 'shippingAddress.country', country)
    : form

/** Reads the fields now, before React overwrites them. */
function readFields(form: HTMLFormElement | null): (name: FieldName) => string | undefined {
  const values = form ? new FormData(form) : undefined
  return (name) => {
    const value = values?.get(name)
    return typeof value === 'string' ? value : undefined
  }
}

/** Saves the draft while the page is hidden or reloading. @param draft undefined when there is nothing to save */
function useDraft(draft: Draft | undefined): void {
  const save = useEffectEvent(() => writeDraft(draft))
  useEffect(() => {
    const onVisibility = () => (document.visibilityState === 'hidden' ? save() : writeDraft(undefined))
    // `beforeunload`, because `pagehide` is too late: a reload has read the entry by then.
    const onLeave = () => save()
    addEventListener('beforeunload', onLeave)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      removeEventListener('beforeunload', onLeave)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])
}
