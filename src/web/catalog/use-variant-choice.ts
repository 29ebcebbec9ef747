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

/** A size that somebody wants in a color that it is not made in, and the colors that it is made in. */
export type UnavailableCombination = { size: string; color: string; madeIn: readonly string[] }

/**
 * What the shopper has chosen of a product: variant and large picture together (specification, section 4, Detail page).
 * The variant stands in the address, so that a link leads to it; the address changes without a step in the history.
 */
export function useVariantChoice({ images, available }: Product, variants: readonly Variant[]) {
  const [parameters] = useSearchParams()
  const [picked, setPicked] = useState(Number(parameters.get(VARIANT_PARAMETER)))
  const [wantedSize, setWantedSize] = useState<string>()
  const [clicked, setClicked] = useState<string>()
  const [remark, setRemark] = useState('')
  const chosen = variants.find(({ id }) => id === picked) ?? firstVariant(variants)

  const unmade: UnavailableCombination | undefined =
    chosen?.color && wantedSize !== undefined
      ? { size: wantedSize, color: chosen.color, madeIn: colorsForSize(variants, wantedSize) }
      : undefined

  const pick = (option: OptionName, value: string): void => {
    if (!chosen) return
    const wanted = { ...chosen, size: wantedSize ?? chosen.size }
    // Another color is never chosen behind the shopper's back: the page says where the size is to be had.
    if (option === 'size' && optionState(variants, wanted, 'size', value) === 'not_made') {
      setWantedSize(value)
      setRemark('')
      return
    }
    const next = chooseOption(variants, wanted, option, value)
    if (!next) return
    setWantedSize(undefined)
    setPicked(next.id)
    setRemark(remarkOn(wanted, next, option))
    const address = new URL(location.href)
    address.searchParams.set(VARIANT_PARAMETER, String(next.id))
    history.replaceState(history.state, '', address)
  }

  const isAvailable = chosen ? chosen.available : available
  const state: OptionState = unmade ? 'not_made' : isAvailable ? 'available' : 'sold_out'

  return {
    chosen,
    /** How the whole choice stands: what the button says. */
    state,
    unmade,
    picture: mainPicture(images, { clicked, color: chosen?.color ?? null }),
    /** Says what changed besides what was clicked; empty when nothing did. */
    remark,
    chooseOption: (option: OptionName, value: string) => {
      // A detail that somebody looks at stays while they try sizes.
      if (option === 'color') setClicked(undefined)
      pick(option, value)
    },
    /** Locks the large picture and takes the variant of its color along. */
    choosePicture: ({ src, color }: Picture) => {
      if (color !== null && color !== chosen?.color) pick('color', color)
      setClicked(src)
    },
  }
}

function remarkOn(before: OptionVariant, after: Variant, clicked: OptionName): string {
  if (clicked === 'color' && after.size !== before.size)
    return `${after.color} is not made in ${before.size}. Size ${after.size} is chosen now.`
  return ''
}
