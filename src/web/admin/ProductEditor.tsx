import { useState } from 'react'
import type { AdminProduct, ProductOverride } from '#contract/admin-products.ts'
import { metalOf } from '#domain/catalog/badge.ts'
import { disclosuresOf } from '#domain/catalog/shipping-terms.ts'
import { centsFromDecimal, decimalFromCents, formatUsd, ZERO } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Badge } from '#web/ui/Badge.tsx'

import { Field, FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { Select } from '#web/ui/Select.tsx'
import { useChange } from './use-action.ts'

type ProductFormValues = {
  badge: string
  hasNoBadge: boolean
  description: string
  place: string
  visible: '' | 'yes' | 'no'
  surcharge: 'file' | 'none' | 'own'
  amount: string
  regions: string
  surchargeText: string
  restrictions: 'file' | 'own'
  blocked: string
  delayed: string
  age: string
}

type Surcharge = NonNullable<ProductOverride['shippingSurcharge']>

const formValuesFrom = ({ override, inFile }: AdminProduct): ProductFormValues => {
  const surcharge = override.shippingSurcharge ?? inFile.shippingSurcharge
  const restrictions = override.restrictions ?? inFile.restrictions
  return {
    badge: override.badge ?? '',
    hasNoBadge: override.badge === '',
    description: override.description ?? '',
    place: override.place === null ? '' : String(override.place),
    visible: override.visible === null ? '' : override.visible ? 'yes' : 'no',
    surcharge: override.shippingSurcharge === null ? 'file' : override.shippingSurcharge.enabled ? 'own' : 'none',
    amount: surcharge ? decimalFromCents(surcharge.amount) : '',
    regions: surcharge?.regions.join(', ') ?? '',
    surchargeText: surcharge?.description ?? '',
    restrictions: override.restrictions === null ? 'file' : 'own',
    blocked: restrictions?.blockedCountries.join(', ') ?? '',
    delayed: restrictions?.delayRegions.join(', ') ?? '',
    age: restrictions?.minimumAge === undefined ? '' : String(restrictions.minimumAge),
  }
}

const countriesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]

/** The server validates the range; anything that is not a number is sent as 0, which it refuses. */
const numberIn = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : 0)

function toProductOverride(typed: ProductFormValues, { inFile }: AdminProduct): ProductOverride {
  const own: Surcharge = {
    amount: centsFromDecimal(typed.amount.replace(/^\$/, '')) ?? ZERO,
    regions: countriesIn(typed.regions),
    description: typed.surchargeText.trim(),
    enabled: true,
  }
  return {
    badge: typed.hasNoBadge ? '' : typed.badge.trim() || null,
    description: typed.description.trim() || null,
    place: typed.place.trim() ? numberIn(typed.place) : null,
    visible: typed.visible === '' ? null : typed.visible === 'yes',
    shippingSurcharge:
      typed.surcharge === 'own'
        ? own
        : typed.surcharge === 'none' && inFile.shippingSurcharge
          ? { ...inFile.shippingSurcharge, enabled: false }
          : null,
    restrictions:
      typed.restrictions === 'own'
        ? {
            blockedCountries: countriesIn(typed.blocked),
            delayRegions: countriesIn(typed.delayed),
            ...(typed.age.trim() && { minimumAge: numberIn(typed.age) }),
          }
        : null,
  }
}

/** The owner's overrides of one product; an empty field keeps the catalog file's value. */
export function ProductEditor({ product, onDone }: { product: AdminProduct; onDone: () => void }) {
  const api = useApi()
  const change = useChange()
  const [typed, setTyped] = useState(() => formValuesFrom(product))
  const { inFile } = product
  const update = (part: Partial<ProductFormValues>) => setTyped((before) => ({ ...before, ...part }))
  const newOverride = toProductOverride(typed, product)
  const save = async () => {
    await change(() => api('PUT /api/admin/products/:id', { params: { id: product.id }, body: newOverride }))
    onDone()
  }
  return (
    <ApiForm send={save} aria-label={product.name} className="grid gap-6">
      <Preview product={product} override={newOverride} />
      <Field
        label="Badge"
        name="badge"
        value={typed.badge}
        maxLength={30}
        disabled={typed.hasNoBadge}
        onValue={(badge) => update({ badge })}
        hint={`Catalog file: ${inFile.badge ?? 'none'}. BEST SELLER is gold, NEW ARRIVAL silver, all others bronze.`}
      />
      <label className="-mt-4 flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={typed.hasNoBadge}
          onChange={(event) => update({ hasNoBadge: event.currentTarget.checked })}
          className="size-5 accent-(--color-button)"
        />
        No badge
      </label>
      <FieldFrame name="description" label="Description" hint={`Catalog file: ${inFile.description}`}>
        {(attributes) => (
          <textarea
            {...attributes}
            name="description"
            rows={4}
            maxLength={5000}
            value={typed.description}
            onChange={(event) => update({ description: event.currentTarget.value })}
            className={`${inputClass} resize-y leading-normal`}
          />
        )}
      </FieldFrame>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Position in lists"
          name="place"
          inputMode="numeric"
          value={typed.place}
          onValue={(place) => update({ place })}
          hint="1 comes first. Empty: after those, by type and name."
        />
        <Select
          label="Visibility"
          name="visible"
          value={typed.visible}
          options={[
            { value: '', label: `Same as the catalog file (${inFile.visible ? 'visible' : 'not listed'})` },
            { value: 'yes', label: 'Visible' },
            { value: 'no', label: 'Hidden' },
          ]}
          onValue={(visible) => update({ visible: visible === 'yes' || visible === 'no' ? visible : '' })}
        />
      </div>
      <Select
        label="Shipping surcharge"
        name="surcharge"
        value={typed.surcharge}
        options={[
          { value: 'file', label: `Same as the catalog file (${surchargeIn(inFile.shippingSurcharge)})` },
          { value: 'none', label: 'None' },
          { value: 'own', label: 'Custom' },
        ]}
        onValue={(surcharge) => update({ surcharge })}
      />
      {typed.surcharge === 'own' && (
        <div className="grid gap-4 border-l-2 border-line pl-4">
          <Field
            label="Amount per item, in US dollars"
            name="shippingSurcharge.amount"
            inputMode="decimal"
            value={typed.amount}
            onValue={(amount) => update({ amount })}
          />
          <Field
            label="Countries"
            name="shippingSurcharge.regions"
            value={typed.regions}
            onValue={(regions) => update({ regions })}
            hint="Two-letter codes, such as BR, JP."
          />
          <Field
            label="Text for shoppers"
            name="shippingSurcharge.description"
            value={typed.surchargeText}
            maxLength={200}
            onValue={(surchargeText) => update({ surchargeText })}
            hint="{amount} and {countries} are filled in. Text that names another amount or other countries is left out."
          />
        </div>
      )}
      <Select
        label="Restrictions"
        name="restrictions"
        value={typed.restrictions}
        options={[
          { value: 'file', label: 'Same as the catalog file' },
          { value: 'own', label: 'Custom' },
        ]}
        onValue={(restrictions) => update({ restrictions })}
      />
      {typed.restrictions === 'own' && (
        <div className="grid gap-4 border-l-2 border-line pl-4">
          <Field
            label="Doesn’t ship to"
            name="restrictions.blockedCountries"
            value={typed.blocked}
            onValue={(blocked) => update({ blocked })}
            hint="Two-letter country codes."
          />
          <Field
            label="Slower delivery to"
            name="restrictions.delayRegions"
            value={typed.delayed}
            onValue={(delayed) => update({ delayed })}
            hint="Two-letter country codes."
          />
          <Field
            label="Minimum age"
            name="restrictions.minimumAge"
            inputMode="numeric"
            value={typed.age}
            onValue={(age) => update({ age })}
          />
        </div>
      )}
      <FormNotice />
      <div>
        <SubmitButton>Save</SubmitButton>
      </div>
    </ApiForm>
  )
}

const surchargeIn = (surcharge: Surcharge | null): string =>
  surcharge?.enabled ? `${formatUsd(surcharge.amount)} to ${surcharge.regions.join(', ')}` : 'none'

function Preview({ product: { name, inFile }, override }: { product: AdminProduct; override: ProductOverride }) {
  const badge = (override.badge ?? inFile.badge) || null
  const surcharge = override.shippingSurcharge ?? inFile.shippingSurcharge
  const restrictions = override.restrictions ?? inFile.restrictions
  return (
    <section aria-label="Preview" className="grid gap-2 rounded-card border border-line bg-ground p-4">
      <p className="eyebrow text-ink-soft">Preview</p>
      {badge && (
        <p>
          <Badge metal={metalOf(badge)}>{badge}</Badge>
        </p>
      )}
      <p className="font-semibold">{name}</p>
      <p className="wrap-anywhere text-ink-soft">{override.description ?? inFile.description}</p>
      {disclosuresOf({
        ...(surcharge && { shippingSurcharge: surcharge }),
        ...(restrictions && { restrictions }),
      }).map((sentence) => (
        <p key={sentence} className="text-sm">
          {sentence}
        </p>
      ))}
      {!(inFile.visible && (override.visible ?? true)) && <p className="text-sm font-medium">Hidden from shoppers.</p>}
    </section>
  )
}
