import { lazy, Suspense, useId, useState } from 'react'
import type { Product, Specs } from '#contract/catalog.ts'
import {
  hasOptionChoice,
  optionState,
  optionValues,
  type OptionName,
  type OptionState,
} from '#domain/catalog/options.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { say, sayKnown } from '#words/say.ts'
import { Button } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ColorSwatches } from './ColorSwatches.tsx'
import type { SizeGuideProps } from './SizeGuide.tsx'
import type { UnavailableCombination } from './use-option-choice.ts'
import type { Variant } from './use-variants.ts'

type Props = {
  colors: Product['colors']
  variants: readonly Variant[]
  chosen: Variant
  unavailable: UnavailableCombination | undefined
  onChoose: (option: OptionName, value: string) => void
  specs: Specs
}

/**
 * Color and size, each only with more than one value. Every value can be chosen: a new color takes the nearest size along, and a
 * size that the color lacks shows the colors that have it.
 */
export function OptionPicker({ colors, variants, chosen, unavailable, onChoose, specs }: Props) {
  const selection = { ...chosen, size: unavailable?.size ?? chosen.size }
  const known = new Map(colors.map((color) => [color.name, color]))
  return (
    <div className="grid gap-2 md:gap-6">
      {hasOptionChoice(variants, 'color') && (
        <fieldset>
          <legend className="md:mb-2">
            <span className="font-semibold">{sayKnown(specs.colorLabel)}:</span> {sayColor(chosen.color ?? '')}
          </legend>
          <ColorSwatches
            chosen={chosen.color}
            onChoose={(name) => onChoose('color', name)}
            swatches={optionValues(variants, 'color').map((name) => ({
              hex: null,
              ...known.get(name),
              name,
              state: optionState(variants, selection, 'color', name),
            }))}
          />
        </fieldset>
      )}
      {hasOptionChoice(variants, 'size') && (
        <div className="relative">
          <fieldset>
            <legend className="md:mb-2">
              <span className="font-semibold">{sayKnown(specs.sizeLabel)}:</span> {sayKnown(selection.size ?? '')}
            </legend>
            <Sizes
              sizes={optionValues(variants, 'size').map((name) => ({
                name,
                state: optionState(variants, selection, 'size', name),
              }))}
              color={chosen.color}
              chosen={selection.size}
              onChoose={(name) => onChoose('size', name)}
            />
            {unavailable && <AvailableColors {...unavailable} onChoose={(name) => onChoose('color', name)} />}
          </fieldset>
          {specs.sizeTable && (
            <p className="size-advice mt-2 max-md:mt-4 text-[0.9375rem] text-ink-soft">
              {say('Between sizes? Size up. It’s made to order, so check the size guide first.')}
            </p>
          )}
          {specs.sizeTable && <SizeGuideButton sizeLabel={specs.sizeLabel} table={specs.sizeTable} />}
        </div>
      )}
    </div>
  )
}

const AvailableColors = ({
  size,
  color,
  madeIn,
  onChoose,
}: UnavailableCombination & { onChoose: (color: string) => void }) => (
  <div role="status" className="mt-3 rounded-card bg-button-quiet p-4 text-[0.9375rem]">
    <p>{say('{size} is not made in {color}. It is made in:', { size: sayKnown(size), color: sayColor(color) })}</p>
    <p className="mt-2 flex flex-wrap gap-2">
      {madeIn.map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => onChoose(name)}
          className="min-h-11 rounded-card border border-ink/60 px-4 font-medium hover:border-ink hover:bg-ink hover:text-ivory"
        >
          {sayColor(name)}
        </button>
      ))}
    </p>
  </div>
)

const SizeGuideDialog = lazy(async () => ({ default: (await import('./SizeGuideDialog.tsx')).SizeGuideDialog }))

function SizeGuideButton(props: SizeGuideProps) {
  const [guide, setGuide] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <Button
        variant="plain"
        aria-haspopup="dialog"
        className="absolute -top-3 right-0 text-[0.9375rem]"
        onClick={() => setGuide('open')}
      >
        {say('Find your size')}
      </Button>
      {guide !== 'never' && (
        <Suspense>
          <SizeGuideDialog {...props} open={guide === 'open'} onClose={() => setGuide('closed')} />
        </Suspense>
      )}
    </>
  )
}

type SizesProps = {
  sizes: readonly { name: string; state: OptionState }[]
  color: string | null
  chosen: string | null
  onChoose: (name: string) => void
}

function Sizes({ sizes, color, chosen, onChoose }: SizesProps) {
  const group = useId()
  return (
    <div className="flex flex-wrap gap-2 max-lg:gap-1.5">
      {sizes.map(({ name, state }) => (
        <label
          key={name}
          className={classNames(
            'relative grid min-h-11 place-items-center md:min-h-12 rounded-card border font-medium max-lg:max-w-24 max-lg:min-w-11 max-lg:flex-1 max-lg:px-1.5 lg:min-w-14 lg:px-3 transition-colors has-checked:border-ink has-checked:bg-ink has-checked:text-ivory has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
            state === 'available' && 'border-ink/45 hover:border-ink',
            state === 'sold_out' && 'border-ink/45 text-ink-soft line-through hover:border-ink',
            state === 'not_made' && 'border-dashed border-ink/45 text-ink-soft hover:border-ink',
          )}
        >
          <input
            type="radio"
            name={group}
            value={name}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-card outline-none"
          />
          <span>{sayKnown(name)}</span>
          {state === 'sold_out' && <span className="sr-only">{`, ${say('sold out')}`}</span>}
          {state === 'not_made' && (
            <span className="sr-only">{`, ${say('not made in {color}', { color: sayColor(color ?? '') })}`}</span>
          )}
        </label>
      ))}
    </div>
  )
}
