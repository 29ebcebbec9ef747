import { mainCountries } from '#domain/checkout/countries.ts'
import { detectCountry, type CountryChoice, type AddressHint } from '#domain/checkout/detect-country.ts'
import {
  emptyForm,
  addressFieldOf,
  withValue,
  type AddressForm,
  type AddressName,
  type CustomerForm,
  type FieldName,
} from './customer-form.ts'

/** What stands in the fields, and what is known about how it came there. */
export type CustomerState = {
  form: CustomerForm
  /** The countries that the shopper picked, or that the form began with; the form shows what was detected over them. */
  choices: Record<AddressName, CountryChoice>
  /** The country that was detected last, to be announced; gone when the shopper picks one. */
  announced: Record<AddressName, string | undefined>
  /** The field that is being typed into, another object with every letter: half a postal code is no clue yet. */
  typing: { field: FieldName } | undefined
  /** Fields that the shopper has left: only those are judged while the rest is still being typed. */
  left: ReadonlySet<FieldName>
  /** What the shop said of fields that looked right here; gone as soon as the field is changed. */
  refused: ReadonlyMap<FieldName, string>
  /** The form was sent once: everything is judged. */
  insisted: boolean
  /** The state and ZIP code that do not go together and were asked about, or confirmed: they are not asked about again. */
  zip: { about: string; isKept: boolean } | undefined
  /** The countries that this face of the checkout delivers to. */
  offered: readonly string[]
}

export type CustomerChange =
  | { kind: 'typed'; name: FieldName; value: string }
  | { kind: 'left'; name: FieldName }
  /** Nothing was typed for a while. */
  | { kind: 'paused' }
  | { kind: 'same_billing'; same: boolean }
  /** From an earlier visit, or typed before the page's script came. */
  | { kind: 'filled'; fill: (form: CustomerForm) => CustomerForm }
  | { kind: 'insisted' }
  | { kind: 'refused'; fields: ReadonlyMap<FieldName, string> }
  /** The shopper was asked about state and ZIP code, or has answered that they are right. */
  | { kind: 'zip_asked' }
  | { kind: 'zip_kept' }
  | { kind: 'cleared' }

const ADDRESS_HINTS: readonly AddressHint[] = ['city', 'state', 'postal_code']
const addresses: readonly AddressName[] = ['shippingAddress', 'billingAddress']

const defaultCountryChoice = ({ country }: AddressForm): CountryChoice => ({
  country,
  isPicked: false,
  stale: new Set(),
})

export const blankState = (offered: readonly string[] = mainCountries): CustomerState => ({
  form: emptyForm,
  choices: {
    shippingAddress: defaultCountryChoice(emptyForm.shippingAddress),
    billingAddress: defaultCountryChoice(emptyForm.billingAddress),
  },
  announced: { shippingAddress: undefined, billingAddress: undefined },
  typing: undefined,
  left: new Set(),
  refused: new Map(),
  insisted: false,
  zip: undefined,
  offered,
})

export function customerReducer(state: CustomerState, change: CustomerChange): CustomerState {
  switch (change.kind) {
    case 'typed':
      return applyInput(state, change.name, change.value)
    case 'left':
      return detectCountries({ ...state, left: new Set([...state.left, change.name]), typing: undefined })
    case 'paused':
      return detectCountries({ ...state, typing: undefined })
    case 'same_billing':
      return withBillingChoice(state, change.same)
    case 'filled':
      return prefill(state, change.fill(state.form))
    case 'insisted':
      return { ...state, insisted: true }
    case 'refused':
      return { ...state, refused: change.fields, insisted: true }
    case 'zip_asked':
      return { ...state, zip: { about: zipPairOf(state.form), isKept: false } }
    case 'zip_kept':
      return { ...state, zip: { about: zipPairOf(state.form), isKept: true } }
    case 'cleared':
      return blankState(state.offered)
  }
}

/** What an answer about a ZIP code is good for: another state or code is another question. */
export const zipPairOf = ({ shippingAddress: { state, postal_code: zip } }: CustomerForm): string => `${state}|${zip}`

function applyInput(state: CustomerState, name: FieldName, value: string): CustomerState {
  const refused = new Map([...state.refused].filter(([field]) => field !== name))
  const next = { ...state, refused, form: withValue(state.form, name, value), typing: { field: name } }
  const place = addressFieldOf(name)
  if (!place) return next
  return place.part === 'country'
    ? applyCountryPick(next, place.address)
    : detectCountries(markFresh(next, place.address, place.part))
}

/** What stood in the fields before is no reason to take the pick back: whoever moves begins with the country. */
function applyCountryPick(state: CustomerState, name: AddressName): CustomerState {
  const address = state.form[name]
  const choice = {
    country: address.country,
    // Back to 'Please choose' is no pick: what stands in the fields may tell the country again.
    isPicked: address.country !== '',
    stale: new Set(ADDRESS_HINTS.filter((hint) => address[hint])),
  }
  return {
    ...state,
    choices: { ...state.choices, [name]: choice },
    announced: { ...state.announced, [name]: undefined },
  }
}

function markFresh(state: CustomerState, name: AddressName, part: keyof AddressForm): CustomerState {
  const choice = state.choices[name]
  if (!(choice.stale as ReadonlySet<string>).has(part)) return state
  const stale = new Set([...choice.stale].filter((hint) => hint !== part))
  return { ...state, choices: { ...state.choices, [name]: { ...choice, stale } } }
}

/** Sets each address's country to what the address speaks of. Starts from the choice, not from what was detected before. */
const detectCountries = (state: CustomerState): CustomerState => addresses.reduce(withDetected, state)

function withDetected(state: CustomerState, name: AddressName): CustomerState {
  const address = state.form[name]
  const typing = state.typing && addressFieldOf(state.typing.field)
  const unfinished = typing?.address === name ? ADDRESS_HINTS.find((hint) => hint === typing.part) : undefined
  const country = detectCountry(address, state.choices[name], state.offered, unfinished)
  if (country === address.country) return state
  return {
    ...state,
    form: { ...state.form, [name]: { ...address, country } },
    announced: { ...state.announced, [name]: country },
  }
}

/** Unticked, the billing address begins in the same country, unless something was typed into it. */
function withBillingChoice(state: CustomerState, same: boolean): CustomerState {
  const { form, choices } = state
  const { billingAddress, shippingAddress } = form
  const isUntouched = !billingAddress.line1 && !billingAddress.city && !billingAddress.postal_code
  if (same || !isUntouched) return { ...state, form: { ...form, sameBillingAddress: same } }
  const { country } = shippingAddress
  return {
    ...state,
    form: { ...form, billingAddress: { ...billingAddress, country }, sameBillingAddress: same },
    choices: { ...choices, billingAddress: { country, isPicked: false, stale: new Set() } },
  }
}

/** A country that came with the rest counts as picked; where the form only began with it, the rest may tell another one. */
function prefill(state: CustomerState, saved: CustomerForm): CustomerState {
  const choices = { ...state.choices }
  const form = { ...saved }
  for (const name of addresses) {
    // What was kept may come from the other face of the checkout, which delivers to more countries.
    const isOffered = state.offered.includes(saved[name].country)
    const { country } = isOffered ? saved[name] : emptyForm[name]
    form[name] = { ...saved[name], country }
    choices[name] = { country, isPicked: country !== emptyForm[name].country, stale: new Set() }
  }
  return detectCountries({ ...state, form, choices })
}
