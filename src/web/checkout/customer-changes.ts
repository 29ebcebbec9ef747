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

export type CustomerState = {
  form: CustomerForm
  /** The countries that the shopper picked, or the defaults; the form may show a detected one instead. */
  choices: Record<AddressName, CountryChoice>
  /** The last detected country, for the announcement; cleared when the shopper picks one. */
  announced: Record<AddressName, string | undefined>
  /** A new object with every keystroke: half a postal code must not change the country. */
  typing: { field: FieldName } | undefined
  /** Fields that the shopper has left: only their errors are shown before the form is submitted. */
  left: ReadonlySet<FieldName>
  /** The server's sentences by field, until the field changes. */
  refused: ReadonlyMap<FieldName, string>
  /** All errors are shown. */
  isSubmitted: boolean
  /** The mismatched state and ZIP code that the shopper was asked about; not asked again. */
  zip: { pair: string; isConfirmed: boolean } | undefined
  /** The countries that this checkout delivers to. */
  offered: readonly string[]
}

export type CustomerChange =
  | { kind: 'typed'; name: FieldName; value: string }
  | { kind: 'left'; name: FieldName }
  /** The shopper has stopped typing. */
  | { kind: 'paused' }
  | { kind: 'same_billing'; same: boolean }
  /** From an earlier visit, or typed before hydration. */
  | { kind: 'filled'; fill: (form: CustomerForm) => CustomerForm }
  | { kind: 'submitted' }
  | { kind: 'refused'; fields: ReadonlyMap<FieldName, string> }
  | { kind: 'zip_asked' }
  | { kind: 'zip_confirmed' }
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
  isSubmitted: false,
  zip: undefined,
  offered,
})

export const firstState = (offered: readonly string[], start: CustomerForm): CustomerState =>
  start === emptyForm ? blankState(offered) : prefill(blankState(offered), start)

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
    case 'filled': {
      const filled = change.fill(state.form)
      // The same form stays the same object: an open payment belongs to it, and another one leads back to step 1.
      return filled === state.form ? state : prefill(state, filled)
    }
    case 'submitted':
      return { ...state, isSubmitted: true }
    case 'refused':
      return { ...state, refused: change.fields, isSubmitted: true }
    case 'zip_asked':
      return { ...state, zip: { pair: zipPairOf(state.form), isConfirmed: false } }
    case 'zip_confirmed':
      return { ...state, zip: { pair: zipPairOf(state.form), isConfirmed: true } }
    case 'cleared':
      return blankState(state.offered)
  }
}

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

/** Earlier fields become stale and no longer change the country: people who move start with the country. */
function applyCountryPick(state: CustomerState, name: AddressName): CustomerState {
  const address = state.form[name]
  const choice = {
    country: address.country,
    // 'Please choose' is not a pick: the fields may set the country again.
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

/** Sets each address's country from its fields, starting from the shopper's choice and not from an earlier detection. */
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

/** An untouched billing address starts in the shipping country. */
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

/** A filled-in country counts as picked; the default country may still change by detection. */
function prefill(state: CustomerState, saved: CustomerForm): CustomerState {
  const choices = { ...state.choices }
  const form = { ...saved }
  for (const name of addresses) {
    // Saved info may come from the main checkout, which delivers to more countries.
    const isOffered = state.offered.includes(saved[name].country)
    const { country } = isOffered ? saved[name] : emptyForm[name]
    form[name] = { ...saved[name], country }
    choices[name] = { country, isPicked: country !== emptyForm[name].country, stale: new Set() }
  }
  return detectCountries({ ...state, form, choices })
}
