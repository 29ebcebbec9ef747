import { useEffect, useRef, useState } from 'react'
import { asksForState, localityParts, needsState } from '#domain/checkout/address.ts'
import { postalCodeLabel, stateLabel } from '#domain/checkout/address-labels.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { postalCodeExample } from '#domain/checkout/postal-codes.ts'
import { regionsOf } from '#domain/checkout/regions.ts'
import { asksForTaxNumber } from '#domain/checkout/tax-number.ts'
import { zipSentence, type ZipDoubt } from '#domain/checkout/zip-states.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { afterPress } from '#web/ui/after-press.ts'
import { Select } from '#web/ui/Select.tsx'
import { say } from '#words/say.ts'
import { spokenLocale } from '#shared/language.ts'
import type { AddressName, AddressPart, FieldName } from './customer-form.ts'
import type { CustomerFormState } from './use-customer-form.ts'

type Props = {
  name: AddressName
  /** The prefix of each autofill token. */
  section: 'shipping' | 'billing'
  state: CustomerFormState
  /** Also what is folded away elsewhere: unfolding needs JavaScript. */
  showsAll?: boolean
  onLeave: () => void
}

/** The address fields of a country. The country comes first: the others depend on it. */
export function AddressFields({ name, section, state, showsAll = false, onLeave }: Props) {
  const { form, countries, errorOf, announced, change } = state
  const zipDoubt = section === 'shipping' ? state.zipDoubt : undefined
  const { country } = form[name]
  const { group, parts } = useStableFieldOrder(country)

  const fieldProps = (field: FieldName, id: string, value: string, token: string) => ({
    id: `${section}-${id}`,
    name: field,
    value,
    error: errorOf(field),
    autoComplete: token,
    onValue: (typed: string) => change({ kind: 'typed', name: field, value: typed }),
    onLeave: () => {
      change({ kind: 'left', name: field })
      onLeave()
    },
  })
  const partProps = (part: AddressPart, token: string) =>
    fieldProps(`${name}.${part}`, part, form[name][part], `${section} ${token}`)

  const locality = {
    city: (
      <Field
        key="city"
        className={widths.city}
        label={say('City')}
        required
        maxLength={100}
        {...partProps('city', 'address-level2')}
      />
    ),
    state: <StateField key="state" country={country} {...partProps('state', 'address-level1')} />,
    postal_code: (
      <Field
        key="postal_code"
        className={widths.postal_code}
        label={postalCodeLabel(country)}
        required
        maxLength={20}
        inputMode={/^\d+$/.test(postalCodeExample(country) ?? '') ? 'numeric' : 'text'}
        {...(zipDoubt && { hint: zipSentence(zipDoubt) })}
        {...partProps('postal_code', 'postal-code')}
      />
    ),
  }

  return (
    <div className="grid gap-4 sm:grid-cols-[2fr_3fr] sm:*:col-span-2 lg:grid-cols-2">
      <div className="relative sm:col-span-1!">
        <Select label={say('Country')} required options={optionsOf(countries)} {...partProps('country', 'country')} />
        {/* On the label's line, so fields do not move while the shopper types. */}
        <p role="status" className="absolute top-0 right-0 text-sm/6 font-medium text-ink-soft">
          {announced[name] && say('Country set to {country}', { country: countryName(announced[name]) })}
        </p>
      </div>
      <div className="relative grid gap-4 sm:col-span-1!">
        <Field label={say('Address')} required maxLength={200} {...partProps('line1', 'address-line1')} />
        <ApartmentField isShown={showsAll} {...partProps('line2', 'address-line2')} />
      </div>
      <div ref={group} className="flex flex-wrap gap-x-2.5 gap-y-4 sm:gap-x-4">
        {parts.map((part) => locality[part])}
      </div>
      {section === 'shipping' && (
        <div role="status" className="empty:hidden">
          {zipDoubt && <ZipQuestion doubt={zipDoubt} change={change} />}
        </div>
      )}
      {section === 'shipping' && asksForTaxNumber(country) && (
        <Field
          label={say('CPF or CNPJ')}
          required
          maxLength={30}
          spellCheck={false}
          hint={say('Brazilian customs require it. We use it for this order only.')}
          {...fieldProps('tax_number', 'tax_number', form.tax_number, 'off')}
        />
      )}
    </div>
  )
}

type ZipProps = { doubt: ZipDoubt; change: CustomerFormState['change'] }

/** A question that does not block: continuing confirms the ZIP code. */
function ZipQuestion({ doubt, change }: ZipProps) {
  const { stated, likely } = doubt
  const focusOnZip = () => document.getElementById('shipping-postal_code')?.focus()
  const [suggestion] = likely.length === 1 ? likely : []
  return (
    <div className="grid gap-2 rounded-card border border-line bg-surface p-4">
      <p>
        <span className="sr-only">{zipSentence(doubt)} </span>
        {say('Is this address right? Carriers deliver by ZIP code. Keep it, correct it, or just continue.')}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="quiet"
          onClick={() => {
            change({ kind: 'zip_confirmed' })
            focusOnZip()
          }}
        >
          {say('Keep {state}', { state: stated })}
        </Button>
        {suggestion && (
          <Button
            variant="outline"
            onClick={() => {
              change({ kind: 'typed', name: 'shippingAddress.state', value: suggestion })
              focusOnZip()
            }}
          >
            {say('Change to {state}', { state: suggestion })}
          </Button>
        )}
      </div>
    </div>
  )
}

/** “San Francisco” and “California” have room beside a ZIP code, on most phones too; a longer label gets a row of its own. */
const widths = {
  city: 'min-w-31.5 flex-[1.3] basis-31.5 sm:flex-[0_0_calc(40%-0.4rem)] lg:flex-[0_0_calc(50%-0.5rem)] max-sm:[&_input]:px-2.5',
  state: 'min-w-26 flex-[1.1] basis-26 max-sm:[&_input]:px-2.5',
  postal_code: 'min-w-24 flex-1 basis-24 max-sm:[&_input]:px-2.5',
}

/**
 * Behind a link until it is wanted or filled. The field itself is always on the page, one pixel large, so that browsers fill it
 * with the rest of a saved address.
 */
function ApartmentField({ isShown, ...field }: FieldProps & { id: string; value: string; isShown: boolean }) {
  const [isWanted, setWanted] = useState(isShown)
  const isOpen = isWanted || field.value !== '' || field.error !== undefined
  return (
    // On the line of the address's label, until it is open.
    <div className={isOpen ? 'relative' : 'absolute -top-1 right-0'}>
      {!isOpen && (
        <Button
          variant="plain"
          className="min-h-8! py-0! text-[0.9375rem] font-medium!"
          onClick={() => {
            setWanted(true)
            document.getElementById(field.id)?.focus()
          }}
        >
          {say('+ Add apartment')}
        </Button>
      )}
      <div {...(!isOpen && { 'aria-hidden': true, className: 'absolute bottom-0 size-px overflow-hidden' })}>
        <Field
          label={say('Apartment, suite, floor')}
          optional
          maxLength={200}
          {...(!isOpen && { tabIndex: -1 })}
          {...field}
        />
      </div>
    </div>
  )
}

const optionsOf = (countries: readonly string[]) =>
  countries
    .map((code) => ({ value: code, label: countryName(code) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, spokenLocale()))

/**
 * A text field with suggestions and not a select: a select would drop a state of another country, typed or autofilled, and that
 * state is how the country is detected.
 */
function StateField({ country, ...partProps }: { country: string; id: string } & FieldProps) {
  const regions = regionsOf(country)
  const list = `${partProps.id}-choices`
  return (
    <>
      <Field
        className={widths.state}
        label={stateLabel(country)}
        required={needsState(country)}
        optional={asksForState(country) && !needsState(country)}
        maxLength={100}
        {...(regions && { list })}
        {...partProps}
      />
      {regions && (
        <datalist id={list}>
          {regions.map(({ code, name }) => (
            <option key={code} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}
type FieldProps = Omit<Parameters<typeof Field>[0], 'label'>

const SETTLE_MS = 300

/**
 * City, state and postal code in the country's order. While one of them has the focus nothing moves: a new field is appended at
 * the end. They rearrange a moment after the focus has left, because moving immediately would shift the button being pressed.
 */
function useStableFieldOrder(country: string) {
  const group = useRef<HTMLDivElement>(null)
  const [settled, setSettled] = useState(country)

  useEffect(() => {
    const fields = group.current
    if (!fields || settled === country) return undefined
    if (!fields.contains(document.activeElement)) {
      setSettled(country)
      return undefined
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = (event: FocusEvent) => {
      clearTimeout(timer)
      if (!(event.relatedTarget instanceof Node && fields.contains(event.relatedTarget)))
        timer = setTimeout(() => afterPress(() => setSettled(country)), SETTLE_MS)
    }
    fields.addEventListener('focusout', leave)
    return () => {
      clearTimeout(timer)
      fields.removeEventListener('focusout', leave)
    }
  }, [country, settled])

  const parts = localityParts(settled)
  return { group, parts: [...parts, ...localityParts(country).filter((part) => !parts.includes(part))] }
}
