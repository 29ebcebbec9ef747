import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keywordsIn } from '#domain/catalog/metadata.ts'
import { slugFrom, type DraftContent } from '#domain/studio/draft.ts'
import { centsFromDecimal, decimalFromCents, ZERO } from '#shared/money.ts'
import { countriesIn } from '#web/admin/countries-in.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { choicesQuery } from './studio-queries.ts'
import type { DraftEditor } from './use-draft.ts'

/** What shoppers read, and where it is sold. */
export function WordsStep({ editor: { content, update } }: { editor: DraftEditor }) {
  const choices = useQuery(choicesQuery)
  return (
    <QueryBoundary query={choices}>
      {({ types, collections }) => (
        <div className="grid max-w-3xl gap-5">
          <Field
            label="Name"
            value={content.name}
            maxLength={200}
            onValue={(name) =>
              update({ name, ...(content.slug === slugFrom(content.name) && { slug: slugFrom(name) }) })
            }
          />
          <Field
            label="Web address"
            value={content.slug}
            maxLength={100}
            onValue={(slug) => update({ slug })}
            hint="Small letters, digits and hyphens. The printer knows the product by it."
          />
          <TextArea
            label="Description"
            rows={5}
            maxLength={5000}
            value={content.description}
            onValue={(description) => update({ description })}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Select
              label="Product type"
              value={content.type}
              required
              options={types.map(({ key, name }) => ({ value: key, label: name }))}
              onValue={(type) => update({ type })}
            />
            <Select
              label="Collection"
              value={content.collection}
              required
              options={collections.map(({ id, name }) => ({ value: id, label: name }))}
              onValue={(collection) => update({ collection })}
            />
          </div>
          <Field
            label="Badge"
            optional
            value={content.badge ?? ''}
            maxLength={30}
            onValue={(badge) => update({ badge: badge || null })}
            hint="BEST SELLER is gold, NEW ARRIVAL silver, all others bronze."
          />
          <Field
            label="Keywords"
            optional
            defaultValue={content.keywords.join(', ')}
            onLeave={(typed) => update({ keywords: keywordsIn(typed) })}
            hint="Words that shoppers may search for and that are not in the name, such as puppy, dog mom. With commas between them."
          />
          <Surcharge content={content} update={update} />
          <Restrictions content={content} update={update} />
        </div>
      )}
    </QueryBoundary>
  )
}

type PartProps = { content: DraftContent; update: (part: Partial<DraftContent>) => void }

type OptionalPartProps = { label: string; isOn: boolean; onSwitch: (isOn: boolean) => void; children: ReactNode }

/** What few products have: fields below a checkbox. */
const OptionalPart = ({ label, isOn, onSwitch, children }: OptionalPartProps) => (
  <fieldset className="grid gap-4">
    <legend className="sr-only">{label}</legend>
    <Checkbox label={label} checked={isOn} onChecked={onSwitch} />
    {isOn && <div className="grid gap-4 border-l-2 border-line pl-4">{children}</div>}
  </fieldset>
)

function Surcharge({ content: { shippingSurcharge: surcharge }, update }: PartProps) {
  const change = (part: Partial<NonNullable<typeof surcharge>>) =>
    surcharge && update({ shippingSurcharge: { ...surcharge, ...part } })
  return (
    <OptionalPart
      label="Shipping surcharge to some countries"
      isOn={surcharge !== null}
      onSwitch={(isOn) =>
        update({
          shippingSurcharge: isOn
            ? { amount: centsFromDecimal('5.00') ?? ZERO, regions: [], description: 'Large item.', enabled: true }
            : null,
        })
      }
    >
      {surcharge && (
        <>
          <Field
            label="Amount per item, in US dollars"
            inputMode="decimal"
            defaultValue={decimalFromCents(surcharge.amount)}
            onLeave={(typed) => change({ amount: centsFromDecimal(typed.replace(/^\$/, '')) ?? surcharge.amount })}
          />
          <Field
            label="Countries"
            defaultValue={surcharge.regions.join(', ')}
            onLeave={(typed) => change({ regions: countriesIn(typed) })}
            hint="Two-letter codes, such as BR, JP."
          />
          <Field
            label="Text for shoppers"
            value={surcharge.description}
            maxLength={200}
            onValue={(description) => change({ description })}
            hint="{amount} and {countries} are filled in."
          />
        </>
      )}
    </OptionalPart>
  )
}

function Restrictions({ content: { restrictions }, update }: PartProps) {
  const change = (part: Partial<NonNullable<typeof restrictions>>) =>
    restrictions && update({ restrictions: { ...restrictions, ...part } })
  return (
    <OptionalPart
      label="Restrictions by country or age"
      isOn={restrictions !== null}
      onSwitch={(isOn) => update({ restrictions: isOn ? { blockedCountries: [], delayRegions: [] } : null })}
    >
      {restrictions && (
        <>
          <Field
            label="Doesn’t ship to"
            defaultValue={restrictions.blockedCountries.join(', ')}
            onLeave={(typed) => change({ blockedCountries: countriesIn(typed) })}
            hint="Two-letter country codes."
          />
          <Field
            label="Slower delivery to"
            defaultValue={restrictions.delayRegions.join(', ')}
            onLeave={(typed) => change({ delayRegions: countriesIn(typed) })}
            hint="Two-letter country codes."
          />
          <Field
            label="Minimum age"
            inputMode="numeric"
            defaultValue={restrictions.minimumAge === undefined ? '' : String(restrictions.minimumAge)}
            onLeave={(typed) =>
              update({
                restrictions: {
                  blockedCountries: restrictions.blockedCountries,
                  delayRegions: restrictions.delayRegions,
                  ...(/^\d{1,3}$/.test(typed.trim()) && { minimumAge: Number(typed) }),
                },
              })
            }
          />
        </>
      )}
    </OptionalPart>
  )
}
