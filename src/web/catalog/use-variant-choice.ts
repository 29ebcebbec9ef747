import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Picture, Product } from '#contract/catalog.ts'
import { mainPicture } from '#domain/catalog/gallery.ts'
import {
  chooseOption,
  colorsForSize,
  firstVariant,
  optionState,
  type OptionVariant,
  type OptionName,
  type OptionState,
} from '#domain/catalog/options.ts'
import type { Variant } from './use-variants.ts'

const VARIANT_PARAMETER = 'variant'

export type UnavailableCombination = { size: string; color: string; madeIn: readonly string[] }

/**
 * The chosen variant and large picture (specification, section 4, Detail page). The variant is in the address, so links lead to
 * it; choosing adds no history entry.
 */
export function useVariantChoice({ images, available }: Product, variants: readonly Variant[]) {
  const [parameters] = useSearchParams()
  const [picked, setPicked] = useState(Number(parameters.get(VARIANT_PARAMETER)))
  const [wantedSize, setWantedSize] = useState<string>()
  const [isSizeChosen, setSizeChosen] = useState(picked > 0)
  const [clicked, setClicked] = useState<string>()
  const [remark, setRemark] = useState('')
  const chosen = variants.find(({ id }) => id === picked) ?? firstVariant(variants)

  const unavailable: UnavailableCombination | undefined =
    chosen?.color && wantedSize !== undefined
      ? { size: wantedSize, color: chosen.color, madeIn: colorsForSize(variants, wantedSize) }
      : undefined

  const pick = (option: OptionName, value: string): void => {
    if (!chosen) return
    const selection = { ...chosen, size: wantedSize ?? chosen.size }
    if (option === 'size') setSizeChosen(true)
    // Never switch the color silently: the page shows which colors have the size.
    if (option === 'size' && optionState(variants, selection, 'size', value) === 'not_made') {
      setWantedSize(value)
      setRemark('')
      return
    }
    const next = chooseOption(variants, selection, option, value)
    if (!next) return
    setWantedSize(undefined)
    setPicked(next.id)
    setRemark(remarkOn(selection, next, option))
    const address = new URL(location.href)
    address.searchParams.set(VARIANT_PARAMETER, String(next.id))
    history.replaceState(history.state, '', address)
  }

  const isAvailable = chosen ? chosen.available : available
  const state: OptionState = unavailable ? 'not_made' : isAvailable ? 'available' : 'sold_out'

  return {
    chosen,
    state,
    unavailable,
    /** Whether the shopper has chosen the size, and not only the page (the first one). */
    isSizeChosen,
    picture: mainPicture(images, { clicked, color: chosen?.color ?? null }),
    /** Explains a change the shopper did not make; empty otherwise. */
    remark,
    chooseOption: (option: OptionName, value: string) => {
      // Keep the picture while the shopper tries sizes.
      if (option === 'color') setClicked(undefined)
      pick(option, value)
    },
    /** Locks the large picture and selects the variant of its color. */
    choosePicture: ({ src, color }: Picture) => {
      if (color !== null && color !== chosen?.color) pick('color', color)
      setClicked(src)
    },
  }
}

function remarkOn(before: OptionVariant, after: Variant, clicked: OptionName): string {
  if (clicked === 'color' && after.size !== before.size)
    return `${after.color} is not made in ${before.size}. We switched to size ${after.size}.`
  return ''
}
