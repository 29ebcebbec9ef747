import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Picture, Product } from '#contract/catalog.ts'
import { mainPicture } from '#domain/catalog/gallery.ts'
import type { OptionName, OptionState } from '#domain/catalog/options.ts'
import { useOptionChoice } from './use-option-choice.ts'
import type { Variant } from './use-variants.ts'

const VARIANT_PARAMETER = 'variant'

/**
 * The chosen variant and large picture (specification, section 4, Detail page). The variant is in the address, so links lead to
 * it; choosing adds no history entry.
 */
export function useVariantChoice({ images, available }: Product, variants: readonly Variant[]) {
  const [parameters] = useSearchParams()
  const [linked] = useState(Number(parameters.get(VARIANT_PARAMETER)))
  const [isSizeChosen, setSizeChosen] = useState(linked > 0)
  const [clicked, setClicked] = useState<string>()
  const { chosen, state, unavailable, remark, choose } = useOptionChoice(variants, linked, showInAddress)
  const missing: OptionState = available ? 'available' : 'sold_out'

  return {
    chosen,
    state: state ?? missing,
    unavailable,
    /** Whether the shopper has chosen the size, and not only the page (the first one). */
    isSizeChosen,
    picture: mainPicture(images, { clicked, color: chosen?.color ?? null }),
    remark,
    chooseOption: (option: OptionName, value: string) => {
      if (option === 'size') setSizeChosen(true)
      // Keep the picture while the shopper tries sizes.
      else setClicked(undefined)
      choose(option, value)
    },
    /** Locks the large picture and selects the variant of its color. */
    choosePicture: ({ src, color }: Picture) => {
      if (color !== null && color !== chosen?.color) choose('color', color)
      setClicked(src)
    },
  }
}

function showInAddress({ id }: Variant): void {
  const address = new URL(location.href)
  address.searchParams.set(VARIANT_PARAMETER, String(id))
  history.replaceState(history.state, '', address)
}
