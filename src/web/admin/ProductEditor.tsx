import { paths } from '#contract/paths.ts'
import { keywordsIn } from '#domain/catalog/metadata.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminProduct, ProductValues } from '#contract/admin-products.ts'
import { metalOf } from '#domain/catalog/badge.ts'
import { colorIn, colorText } from '#domain/catalog/color-text.ts'
import { statesAfter, type ProductState } from '#domain/catalog/product-state.ts'
import { disclosuresOf } from '#domain/catalog/shipping-terms.ts'
import { centsFromDecimal, decimalFromCents, ZERO } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { RehearseButton } from '#web/reports/RehearseButton.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { fromLocalTime, toLocalTime } from '#web/ui/local-time.ts'
import { PriceEditor } from '#web/studio/PriceEditor.tsx'
import { ProductPictures } from './ProductPictures.tsx'
import { VersionHistory } from './VersionHistory.tsx'
import { adminCollectionsQuery, productHistoryQuery } from './admin-queries.ts'
import { countriesIn } from './countries-in.ts'
import { stateNames } from './product-state-names.ts'
import { useChange } from './use-action.ts'
import { useFloorQuestion } from './use-floor-question.tsx'

type ProductFormValues = {
  name: string
  slug: string
  description: string
  collection: string
  type: string
  badge: string
  place: string
  colors: string
  state: ProductState
  publishAt: string
  surcharge: 'none' | 'own'
  keywords: string
  amount: string
  regions: string
  surchargeText: string
  blocked: string
  delayed: string
  age: string
}

const formValuesFrom = (product: AdminProduct): ProductFormValues => {
  const { name, slug, description, collection, type, badge, place, colors, state, publishAt } = product
  const { shippingSurcharge: surcharge, restrictions } = product
  return {
    ...{ name, slug, description, collection, type, state },
    badge: badge ?? '',
    keywords: product.keywords.join(', '),
    place: place === null ? '' : String(place),
    colors: colors.map(colorText).join('\n'),
    publishAt: toLocalTime(publishAt),
    surcharge: surcharge?.enabled ? 'own' : 'none',
    amount: surcharge ? decimalFromCents(surcharge.amount) : '',
    regions: surcharge?.regions.join(', ') ?? '',
    surchargeText: surcharge?.description ?? '',
    blocked: restrictions?.blockedCountries.join(', ') ?? '',
    delayed: restrictions?.delayRegions.join(', ') ?? '',
    age: restrictions?.minimumAge === undefined ? '' : String(restrictions.minimumAge),
  }
}

/** A color a line. */
const colorsIn = (typed: string): ProductValues['colors'] =>
  typed
    .split('\n')
    .filter((line) => line.trim())
    .map(colorIn)

/** The server validates the range; anything that is not a number is sent as 0, which it refuses. */
const numberIn = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : 0)

function toProductValues(typed: ProductFormValues, product: AdminProduct): ProductValues {
  const surcharge = {
    amount: centsFromDecimal(typed.amount.replace(/^\$/, '')) ?? ZERO,
    regions: countriesIn(typed.regions),
    description: typed.surchargeText.trim(),
    enabled: true,
  }
  const restrictions = {
    blockedCountries: countriesIn(typed.blocked),
    delayRegions: countriesIn(typed.delayed),
    ...(typed.age.trim() && { minimumAge: numberIn(typed.age) }),
  }
  const isRestricted = Boolean(typed.blocked.trim() || typed.delayed.trim() || typed.age.trim())
  return {
    name: typed.name.trim(),
    slug: typed.slug.trim(),
    description: typed.description.trim(),
    collection: typed.collection,
    type: typed.type,
    badge: typed.badge.trim() || null,
    keywords: keywordsIn(typed.keywords),
    place: typed.place.trim() ? numberIn(typed.place) : null,
    colors: colorsIn(typed.colors),
    state: typed.state,
    publishAt: typed.state === 'scheduled' ? fromLocalTime(typed.publishAt) : product.publishAt,
    shippingSurcharge: typed.surcharge === 'own' ? surcharge : null,
    restrictions: isRestricted ? restrictions : null,
  }
}

type Props = { product: AdminProduct; types: readonly { key: string; name: string }[]; onDone: () => void }

/** Everything the owner edits of a product, and its history. What she has not touched follows what others save meanwhile. */
export function ProductEditor({ product, types, onDone }: Props) {
  const api = useApi()
  const collections = useQuery(adminCollectionsQuery).data?.collections ?? []
  const change = useChange()
  const { accepted, dialog } = useFloorQuestion()
  const [touched, setTouched] = useState<Partial<ProductFormValues>>({})
  const typed = { ...formValuesFrom(product), ...touched }
  const update = (part: Partial<ProductFormValues>) => setTouched((before) => ({ ...before, ...part }))
  const values = toProductValues(typed, product)
  const save = async () => {
    const body = { ...values, version: product.version }
    const params = { id: product.id }
    await accepted((query) => change(() => api('PUT /api/admin/products/:id', { params, query, body })))
    onDone()
  }
  const text = (name: Exclude<keyof ProductFormValues, 'state' | 'surcharge'>) => ({
    value: typed[name],
    onValue: (value: string) => update({ [name]: value }),
  })
  return (
    <>
      <ApiForm send={save} aria-label={product.name} className="grid gap-6">
        <Preview values={values} />
        <Field label="Name" name="name" maxLength={200} {...text('name')} />
        <Field
          label="Address"
          name="slug"
          maxLength={100}
          {...text('slug')}
          hint="The end of the product page’s address. Old addresses lead to the new one."
        />
        <TextArea label="Description" rows={4} maxLength={5000} name="description" {...text('description')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="Collection"
            name="collection"
            {...text('collection')}
            options={collections.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Select
            label="Type"
            name="type"
            {...text('type')}
            options={types.map(({ key, name }) => ({ value: key, label: name }))}
          />
          <Field
            label="Badge"
            name="badge"
            maxLength={30}
            {...text('badge')}
            hint="Empty: none. BEST SELLER is gold, NEW ARRIVAL silver, all others bronze."
          />
          <Field
            label="Keywords"
            name="keywords"
            {...text('keywords')}
            hint="Words that shoppers may search for and that are not in the name, such as puppy, dog mom."
          />
          <Field
            label="Position in lists"
            name="place"
            inputMode="numeric"
            {...text('place')}
            hint="1 comes first. Empty: after those, by type and name."
          />
        </div>
        <TextArea
          label="Colors"
          rows={3}
          name="colors"
          {...text('colors')}
          hint="One a line, in the order of the swatches: Navy #1f2a44. Two-tone: White with Navy #ffffff #1f2a44."
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="State"
            name="state"
            value={typed.state}
            options={statesAfter(product.state).map((state) => ({ value: state, label: stateNames[state] }))}
            onValue={(state) => update({ state })}
          />
          {typed.state === 'scheduled' && (
            <Field
              label="Goes on sale"
              name="publishAt"
              type="datetime-local"
              {...text('publishAt')}
              hint="By the clock of this computer."
            />
          )}
        </div>
        <Select
          label="Shipping surcharge"
          name="surcharge"
          value={typed.surcharge}
          options={[
            { value: 'none', label: 'None' },
            { value: 'own', label: 'For some countries' },
          ]}
          onValue={(surcharge) => update({ surcharge })}
        />
        {typed.surcharge === 'own' && (
          <div className="grid gap-4 border-l-2 border-line pl-4">
            <Field
              label="Amount per item, in US dollars"
              name="shippingSurcharge.amount"
              inputMode="decimal"
              {...text('amount')}
            />
            <Field
              label="Countries"
              name="shippingSurcharge.regions"
              {...text('regions')}
              hint="Two-letter codes, such as BR, JP."
            />
            <Field
              label="Text for shoppers"
              name="shippingSurcharge.description"
              maxLength={200}
              {...text('surchargeText')}
              hint="{amount} and {countries} are filled in. Text that names another amount or other countries is left out."
            />
          </div>
        )}
        <div className="grid gap-4 sm:grid-cols-3">
          <Field
            label="Doesn’t ship to"
            name="restrictions.blockedCountries"
            {...text('blocked')}
            hint="Two-letter country codes."
          />
          <Field
            label="Slower delivery to"
            name="restrictions.delayRegions"
            {...text('delayed')}
            hint="Two-letter country codes."
          />
          <Field label="Minimum age" name="restrictions.minimumAge" inputMode="numeric" {...text('age')} />
        </div>
        <FormNotice />
        <div className="flex flex-wrap items-center gap-4">
          <SubmitButton>Save</SubmitButton>
          {JSON.stringify(values.shippingSurcharge) !== JSON.stringify(product.shippingSurcharge) && (
            <RehearseButton
              change={() => ({ kind: 'surcharge', productId: product.id, surcharge: values.shippingSurcharge })}
            />
          )}
        </div>
      </ApiForm>
      <PriceEditor product={product} />
      <p className="mt-6">
        <a href={paths.copiesOf('product', product.id)} className="link-line">
          Put its drawing on other blanks
        </a>
      </p>
      <ProductPictures product={product} />
      <VersionHistory
        query={productHistoryQuery(product.id)}
        current={product.version}
        hint="Restoring brings texts, pictures and options back; the state stays."
        restore={(restored) =>
          accepted((query) =>
            api('POST /api/admin/products/:id/restore', {
              params: { id: product.id },
              query,
              body: { version: product.version, restored },
            }),
          )
        }
      />
      {dialog}
    </>
  )
}

function Preview({ values }: { values: ProductValues }) {
  const { name, badge, description, shippingSurcharge: surcharge, restrictions, state } = values
  return (
    <section aria-label="Preview" className="grid gap-2 rounded-card border border-line bg-ground p-4">
      <p className="eyebrow text-ink-soft">Preview</p>
      {badge && (
        <p>
          <Badge metal={metalOf(badge)}>{badge}</Badge>
        </p>
      )}
      <p className="font-semibold">{name}</p>
      <p className="wrap-anywhere text-ink-soft">{description}</p>
      {disclosuresOf({
        ...(surcharge && { shippingSurcharge: surcharge }),
        ...(restrictions && { restrictions }),
      }).map((sentence) => (
        <p key={sentence} className="text-sm">
          {sentence}
        </p>
      ))}
      {state !== 'published' && <p className="text-sm font-medium">Hidden from shoppers.</p>}
    </section>
  )
}
