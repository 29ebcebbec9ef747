import { useReducer } from 'react'
import { emptyForm, mistakesIn, withValue, type CustomerForm, type FieldName } from './customer-form.ts'

type State = {
  form: CustomerForm
  /** Fields that the shopper has left: only those are judged while the rest is still being typed. */
  left: ReadonlySet<FieldName>
  /** What the shop said of fields that looked right here; gone as soon as the field is changed. */
  refused: ReadonlyMap<FieldName, string>
  /** The form was sent once: everything is judged. */
  insisted: boolean
}

type Change =
  | { kind: 'typed'; name: FieldName; value: string }
  | { kind: 'left'; name: FieldName }
  | { kind: 'same_billing'; same: boolean }
  | { kind: 'filled'; fill: (form: CustomerForm) => CustomerForm }
  | { kind: 'insisted' }
  | { kind: 'refused'; fields: ReadonlyMap<FieldName, string> }
  | { kind: 'cleared' }

const blank: State = { form: emptyForm, left: new Set(), refused: new Map(), insisted: false }

function changed(state: State, change: Change): State {
  switch (change.kind) {
    case 'typed': {
      const refused = new Map([...state.refused].filter(([name]) => name !== change.name))
      return { ...state, form: withValue(state.form, change.name, change.value), refused }
    }
    case 'left':
      return { ...state, left: new Set([...state.left, change.name]) }
    case 'same_billing':
      return { ...state, form: withBillingChoice(state.form, change.same) }
    case 'filled':
      return { ...state, form: change.fill(state.form) }
    case 'insisted':
      return { ...state, insisted: true }
    case 'refused':
      return { ...state, refused: change.fields, insisted: true }
    case 'cleared':
      return blank
  }
}

/** Unticked, the billing address begins as a copy only where nothing was typed into it: it begins in the same country. */
function withBillingChoice(form: CustomerForm, same: boolean): CustomerForm {
  const isUntouched = !form.billingAddress.line1 && !form.billingAddress.city
  const billingAddress =
    !same && isUntouched ? { ...form.billingAddress, country: form.shippingAddress.country } : form.billingAddress
  return { ...form, billingAddress, sameBillingAddress: same }
}

/** What was typed in step 1, and which sentences stand beside which fields. */
export function useCustomerForm() {
  const [{ form, left, refused, insisted }, change] = useReducer(changed, blank)
  const mistakes = mistakesIn(form)
  const errorOf = (name: FieldName): string | undefined =>
    (insisted || left.has(name) ? mistakes.get(name) : undefined) ?? refused.get(name)
  return { form, mistakes, errorOf, change }
}

export type CustomerFormState = ReturnType<typeof useCustomerForm>
