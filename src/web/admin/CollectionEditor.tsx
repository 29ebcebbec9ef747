import { useState } from 'react'
import * as z from 'zod/mini'
import type { CollectionInput } from '#contract/admin-collections.ts'
import { draftOf } from '#domain/catalog/collection-draft.ts'
import { collectionStates, collectionStatesAfter, type CollectionState } from '#domain/catalog/collections.ts'
import type { ThemeColors } from '#domain/catalog/collection-theme.ts'
import { colorNames, contrastProblems } from '#domain/catalog/contrast.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { fromLocalTime, toLocalTime } from '#web/ui/local-time.ts'
import { CollectionPictures } from './CollectionPictures.tsx'
import { CollectionPreview } from './CollectionPreview.tsx'
import { CollectionTexts } from './CollectionTexts.tsx'
import { ColorField } from './ColorField.tsx'
import { fontOptions, gradientOptions, patternOptions, radiusOptions, shadowOptions, withOwn } from './look-options.ts'

type Props = {
  /** Unset for a new one. */
  saved?: { collection: CollectionInput; state: CollectionState }
  send: (collection: CollectionInput) => Promise<unknown>
}

export type Update = (change: Partial<CollectionInput>) => void

const stateHints: Readonly<Record<CollectionState, string>> = {
  draft: 'Draft: only you see it',
  coming_soon: 'Coming soon: a page without products',
  published: 'Published: now',
  retired: 'Retired: its addresses lead to all products',
}

/** Every color must be readable before the form is sent. Form fields are named `colors.primary`. */
const readable = z.record(z.string(), z.string()).check(({ value, issues }) => {
  const colors = Object.fromEntries(Object.keys(colorNames).map((name) => [name, value[`colors.${name}`] ?? '']))
  for (const [name, message] of Object.entries(contrastProblems(colors as ThemeColors)))
    issues.push({ code: 'custom', path: [`colors.${name}`], message, input: value })
})

const looks = [
  { name: 'borderRadius', label: 'Corners', options: radiusOptions },
  { name: 'shadowStyle', label: 'Shadow', options: shadowOptions },
  { name: 'patternOverlay', label: 'Pattern', options: patternOptions },
  { name: 'gradientDirection', label: 'Gradient', options: gradientOptions },
] as const

const colorList = Object.keys(colorNames) as (keyof ThemeColors)[]

/**
 * A collection's form with a preview. A new one starts with its names and its state; everything else follows from them, and is changed
 * once it is stored.
 */
export function CollectionEditor({ saved, send }: Props) {
  // Only what was typed: everything else follows the name, or what is stored by now.
  const [typed, setTyped] = useState<Partial<CollectionInput>>({})
  const update: Update = (change) => setTyped((before) => ({ ...before, ...change }))
  const drafted = {
    ...draftOf(typed.name ?? '', typed.animal ?? ''),
    ...{ state: 'published', publishAt: null, inMenu: true, onHome: true },
  } as const
  const stored = saved ? { ...saved.collection, state: saved.state } : drafted
  const collection: CollectionInput = { ...stored, ...typed } as CollectionInput
  const problems = contrastProblems(collection.colors)
  const choices = saved ? collectionStatesAfter(saved.state) : collectionStates.filter((state) => state !== 'retired')
  const isAwaited = collection.state === 'draft' || collection.state === 'coming_soon'

  return (
    <ApiForm
      // A new one has the house's colors, and no fields for them yet.
      {...(saved && { schema: readable })}
      send={() => send(collection)}
      aria-label={saved ? collection.displayName : 'New collection'}
      className="grid gap-x-10 gap-y-10 xl:grid-cols-[minmax(0,1fr)_24rem]"
    >
      <div className="grid min-w-0 content-start gap-10">
        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className="mb-4 text-[1.375rem] font-semibold">Name and address</legend>
          <Field
            label="Name"
            name="name"
            required
            maxLength={40}
            autoComplete="off"
            value={collection.name}
            hint="Of the animal, as in a report: Biscuit."
            // The pet goes by the same name until somebody says otherwise.
            onValue={(name) => update(saved ? { name } : { name, petName: name })}
          />
          <Field
            label="Animal"
            name="animal"
            required
            maxLength={60}
            autoComplete="off"
            value={collection.animal}
            hint="Such as corgi."
            onValue={(animal) => update({ animal })}
          />
          <Field
            label="Name in full"
            name="displayName"
            required
            maxLength={80}
            autoComplete="off"
            value={collection.displayName}
            onValue={(displayName) => update({ displayName })}
          />
          <Field
            label="Address"
            name="slug"
            required
            maxLength={60}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={collection.slug}
            hint={`The page is /collections/${collection.slug || '…'}. A former address redirects.`}
            onValue={(slug) => update({ slug })}
          />
        </fieldset>

        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className="mb-4 text-[1.375rem] font-semibold">Publishing</legend>
          <Select
            label="State"
            name="state"
            value={collection.state}
            options={choices.map((state) => ({ value: state, label: stateHints[state] }))}
            onValue={(state) => update({ state })}
          />
          {isAwaited && (
            <Field
              label="Publish at"
              name="publishAt"
              type="datetime-local"
              optional
              value={toLocalTime(collection.publishAt)}
              hint="By this device’s clock. Empty: when you publish it."
              onValue={(text) => update({ publishAt: fromLocalTime(text) })}
            />
          )}
          <div className="sm:col-span-2">
            <Checkbox
              label="In the menu"
              name="inMenu"
              checked={collection.inMenu}
              onChecked={(inMenu) => update({ inMenu })}
            />
            <Checkbox
              label="On the home page"
              name="onHome"
              checked={collection.onHome}
              onChecked={(onHome) => update({ onHome })}
            />
          </div>
        </fieldset>

        {saved && (
          <>
            <fieldset className="grid gap-5 sm:grid-cols-2">
              <legend className="mb-4 text-[1.375rem] font-semibold">Colors and look</legend>
              {colorList.map((name) => (
                <ColorField
                  key={name}
                  name={`colors.${name}`}
                  label={colorNames[name]}
                  value={collection.colors[name]}
                  error={problems[name]}
                  onValue={(color) => update({ colors: { ...collection.colors, [name]: color } })}
                />
              ))}
              <Select
                label="Headings"
                name="headingFont"
                value={collection.headingFont}
                options={fontOptions}
                onValue={(headingFont) => update({ headingFont })}
              />
              {looks.map(({ name, label, options }) => (
                <Select
                  key={name}
                  label={label}
                  name={name}
                  value={collection[name]}
                  options={withOwn(options, collection[name])}
                  onValue={(value) => update({ [name]: value })}
                />
              ))}
            </fieldset>

            <CollectionTexts collection={collection} update={update} />
            <CollectionPictures collection={collection} update={update} />
          </>
        )}
        <div className="grid justify-items-start gap-4">
          <FormNotice />
          <SubmitButton>{saved ? 'Save' : 'Create collection'}</SubmitButton>
        </div>
      </div>
      <CollectionPreview collection={collection} />
    </ApiForm>
  )
}
