import { asksForPostalCode, asksForState } from '#domain/checkout/address.ts'
import { countryName, mainCountries } from '#domain/checkout/countries.ts'
import { regionsOf } from '#domain/checkout/regions.ts'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { AddressName, AddressPart } from './customer-form.ts'
import type { CustomerFormState } from './use-customer-form.ts'

const countries = mainCountries
  .map((code) => ({ value: code, label: countryName(code) }))
  .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))

const stateLabels: Readonly<Record<string, string>> = {
  CA: 'Province',
  AU: 'State or territory',
  JP: 'Prefecture',
}
const postalCodeLabels: Readonly<Record<string, string>> = {
  US: 'ZIP code',
  GB: 'Postcode',
  AU: 'Postcode',
  NZ: 'Postcode',
}

type Props = {
  name: AddressName
  /** The browser's own word for it, which begins each autofill token. */
  section: 'shipping' | 'billing'
  state: CustomerFormState
  onLeave: () => void
}

/** An address, with those fields that its country has. Country first: the others depend on it. */
export function AddressFields({ name, section, state: { form, errorOf, change }, onLeave }: Props) {
  const address = form[name]
  const { country } = address
  const regions = regionsOf(country)

  const tied = (part: AddressPart, token: string) => {
    const field = `${name}.${part}` as const
    return {
      id: `${section}-${part}`,
      name: field,
      value: address[part],
      error: errorOf(field),
      autoComplete: `${section} ${token}`,
      onValue: (value: string) => change({ kind: 'typed', name: field, value }),
      onLeave: () => {
        change({ kind: 'left', name: field })
        onLeave()
      },
    }
  }

  return (
    <div className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-6">
      <Select className="sm:col-span-6" label="Country" required options={countries} {...tied('country', 'country')} />
      <Field className="sm:col-span-6" label="Address" required maxLength={200} {...tied('line1', 'address-line1')} />
      <Field
        className="sm:col-span-6"
        label="Apartment, suite, floor"
        optional
        maxLength={200}
        {...tied('line2', 'address-line2')}
      />
      <Field
        className={
          asksForPostalCode(country) && asksForState(country) ? 'sm:col-span-6 md:col-span-2' : 'sm:col-span-3'
        }
        label="City"
        required
        maxLength={100}
        {...tied('city', 'address-level2')}
      />
      {asksForState(country) &&
        (regions ? (
          <Select
            className="sm:col-span-3 md:col-span-2"
            label={stateLabels[country] ?? 'State'}
            required
            options={[
              { value: '', label: 'Choose…' },
              ...regions.map(({ code, name: text }) => ({ value: code, label: text })),
            ]}
            {...tied('state', 'address-level1')}
          />
        ) : (
          <Field
            className="sm:col-span-3 md:col-span-2"
            label={stateLabels[country] ?? 'State'}
            required
            maxLength={100}
            {...tied('state', 'address-level1')}
          />
        ))}
      {asksForPostalCode(country) && (
        <Field
          className={asksForState(country) ? 'sm:col-span-3 md:col-span-2' : 'sm:col-span-3'}
          label={postalCodeLabels[country] ?? 'Postal code'}
          required
          maxLength={20}
          inputMode={country === 'US' || country === 'AU' || country === 'DE' || country === 'NZ' ? 'numeric' : 'text'}
          {...tied('postal_code', 'postal-code')}
        />
      )}
    </div>
  )
}
