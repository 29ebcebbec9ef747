import { useState } from 'react'
import type { AdminProductType } from '#contract/admin-product-types.ts'
import { ageGroups, decorations, LIST_GROUP_MAX } from '#domain/catalog/product-types.ts'
import { findPictureModel } from '#domain/pictures/picture-models.ts'
import { slugOf } from '#shared/slug.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { BlankField } from './BlankField.tsx'
import { FactsField } from './FactsField.tsx'
import { measuresAreReadable, SizeTableField, toSizeTable, toTypedTable, type TypedTable } from './SizeTableField.tsx'

type Content = AdminProductType['content']

/** As typed: numbers, lists and the size table as texts. */
type Typed = Omit<Content, 'synonyms' | 'position' | 'listGroup' | 'allProducts' | 'sizeTable'> & {
  synonyms: string
  position: string
  listGroup: string
  allProducts: string
  sizeTable: TypedTable | null
}

const toTyped = ({ synonyms, position, listGroup, allProducts, sizeTable, ...same }: Content): Typed => ({
  ...same,
  synonyms: synonyms.join(', '),
  position: String(position),
  listGroup: String(listGroup),
  allProducts: allProducts ?? '',
  sizeTable: toTypedTable(sizeTable),
})

/** What is no number is sent as -1, which the server refuses. */
const numberIn = (text: string): number => (/^\s*\d{1,5}\s*$/.test(text) ? Number(text) : -1)

const toContent = ({ synonyms, position, listGroup, allProducts, sizeTable, facts, ...same }: Typed): Content => ({
  ...same,
  synonyms: synonyms.split(',').flatMap((word) => word.trim() || []),
  position: numberIn(position),
  listGroup: numberIn(listGroup),
  allProducts: allProducts.trim() || null,
  sizeTable: toSizeTable(sizeTable),
  facts: facts.map(({ label, value, onlyFor }) => ({ label, value, ...(onlyFor?.trim() && { onlyFor }) })),
})

const decorationNames: Readonly<Record<(typeof decorations)[number], string>> = {
  print: 'Printed',
  embroidery: 'Embroidered',
}
const ageNames: Readonly<Record<(typeof ageGroups)[number], string>> = {
  newborn: 'Newborns',
  infant: 'Infants',
  toddler: 'Toddlers',
  kids: 'Kids',
  adult: 'Adults',
}

type Props = { content: Content; isNew?: boolean; send: (content: Content) => Promise<unknown> }

type TextName = { [Name in keyof Typed]: Typed[Name] extends string ? Name : never }[keyof Typed]

const KEY_MAX = 40
const keyOf = (name: string): string => slugOf(name, KEY_MAX)

const legendClass = 'mb-4 text-[1.375rem] font-semibold'

/** Everything the owner edits of a product type. What she has not touched follows what others save meanwhile. */
export function ProductTypeEditor({ content, isNew = false, send }: Props) {
  const [touched, setTouched] = useState<Partial<Typed>>({})
  const typed = { ...toTyped(content), ...touched }
  const update = (part: Partial<Typed>) => setTouched((before) => ({ ...before, ...part }))
  const text = (name: TextName) => ({
    name: `content.${name}`,
    value: typed[name],
    autoComplete: 'off',
    onValue: (value: string) => update({ [name]: value }),
  })
  /** A new type's key follows its name. */
  const rename = (name: string) =>
    update({ name, ...(isNew && typed.key === keyOf(typed.name) && { key: keyOf(name) }) })
  return (
    <>
      <BlankField blankId={typed.blankId} onBlank={(blankId) => update({ blankId })} />
      <ApiForm
        schema={measuresAreReadable}
        send={async () => {
          await send(toContent(typed))
          setTouched({})
        }}
        aria-label={content.name || 'New product type'}
        className="grid max-w-4xl gap-10"
      >
        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className={legendClass}>Names</legend>
          <Field label="Name" {...text('name')} maxLength={60} hint="Of one product: Phone case." onValue={rename} />
          <Field label="Plural" {...text('plural')} maxLength={60} hint="The title of its filter: Phone cases." />
          <Field label="One, in a sentence" {...text('piece')} maxLength={60} hint="Such as: $3.00 per phone case." />
          <Field label="Several, in a sentence" {...text('pieces')} maxLength={60} hint="Such as: phone cases." />
          <Field
            label="All of them, in a sentence"
            {...text('allProducts')}
            optional
            maxLength={60}
            hint="When that is not the word above: premium pillow products."
          />
          {isNew && (
            <Field
              label="Key"
              {...text('key')}
              maxLength={40}
              autoCapitalize="none"
              spellCheck={false}
              hint="In addresses of filtered lists and in the catalog file. It stays."
            />
          )}
        </fieldset>

        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className={legendClass}>Options and lists</legend>
          <Field label="What its colors are called" {...text('colorLabel')} maxLength={60} hint="Color, or Frame." />
          <Field
            label="What its sizes are called"
            {...text('sizeLabel')}
            maxLength={60}
            hint="Size, or Phone model. Lists have a filter for each name."
          />
          <Field label="Place in filters" {...text('position')} inputMode="numeric" hint="1 comes first." />
          <Field
            label="Group in lists"
            {...text('listGroup')}
            inputMode="numeric"
            hint={`0 comes first, ${LIST_GROUP_MAX} last. Types of one group are mixed, by name.`}
          />
          <Field
            label="Search words"
            {...text('synonyms')}
            className="sm:col-span-2"
            hint="What people call it, with commas between them."
          />
        </fieldset>

        <FactsField facts={typed.facts} onFacts={(facts) => update({ facts })} />
        <SizeTableField
          sizeLabel={typed.sizeLabel}
          table={typed.sizeTable}
          onTable={(sizeTable) => update({ sizeTable })}
        />

        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className={legendClass}>Making and advertising</legend>
          <Select
            label="Decoration"
            name="content.decoration"
            value={typed.decoration}
            options={decorations.map((value) => ({ value, label: decorationNames[value] }))}
            onValue={(decoration) => update({ decoration })}
          />
          <Select
            label="For"
            name="content.ageGroup"
            value={typed.ageGroup}
            options={ageGroups.map((value) => ({ value, label: ageNames[value] }))}
            onValue={(ageGroup) => update({ ageGroup })}
          />
          <Field
            label="Google’s product category"
            {...text('merchantCategory')}
            maxLength={200}
            hint="For the merchant feed, as Google’s list has it. Empty: Google decides."
          />
          <Field label="Our category in the feed" {...text('merchantType')} maxLength={60} />
          <div className="sm:col-span-2">
            {findPictureModel(typed.key) ? (
              <Checkbox
                label="New products get the shop’s own pictures of this blank"
                name="content.hasModel"
                checked={typed.hasModel}
                onChecked={(hasModel) => update({ hasModel })}
              />
            ) : (
              <p className="text-sm text-ink-soft">
                The shop has no photographs of this kind to place drawings on, so new products show the printer’s
                previews.
              </p>
            )}
          </div>
        </fieldset>

        <div className="grid justify-items-start gap-4">
          <FormNotice />
          <SubmitButton>{isNew ? 'Create product type' : 'Save'}</SubmitButton>
        </div>
      </ApiForm>
    </>
  )
}
