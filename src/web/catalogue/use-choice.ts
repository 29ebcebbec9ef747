import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Picture, Product } from '#contract/catalogue.ts'
import { mainPicture } from '#domain/catalogue/gallery.ts'
import { choose, firstVariant, type OptionName } from '#domain/catalogue/options.ts'
import type { Variant } from './use-variants.ts'

const VARIANT_PARAMETER = 'variant'

/**
 * What the shopper has chosen of a product: variant and large picture together (specification, section 4, Detail page).
 * The variant stands in the address, so that a link leads to it; the address changes without a step in the history.
 */
export function useChoice({ images }: Product, variants: readonly Variant[]) {
  const [parameters] = useSearchParams()
  const [picked, setPicked] = useState(Number(parameters.get(VARIANT_PARAMETER)))
  const [clicked, setClicked] = useState<string>()
  const [remark, setRemark] = useState('')
  const chosen = variants.find(({ id }) => id === picked) ?? firstVariant(variants)

  const pick = (option: OptionName, value: string): void => {
    const next = chosen && choose(variants, chosen, option, value)
    if (!next) return
    setPicked(next.id)
    setRemark(remarkOn(chosen, next, option))
    const address = new URL(location.href)
    address.searchParams.set(VARIANT_PARAMETER, String(next.id))
    history.replaceState(history.state, '', address)
  }

  return {
    chosen,
    picture: mainPicture(images, { clicked, colour: chosen?.colour ?? null }),
    /** Says what changed besides what was clicked; empty when nothing did. */
    remark,
    chooseOption: (option: OptionName, value: string) => {
      setClicked(undefined)
      pick(option, value)
    },
    /** Locks the large picture and takes the variant of its colour along. */
    choosePicture: ({ src, colour }: Picture) => {
      if (colour !== null && colour !== chosen?.colour) pick('colour', colour)
      setClicked(src)
    },
  }
}

function remarkOn(before: Variant, after: Variant, clicked: OptionName): string {
  if (clicked === 'colour' && after.size !== before.size)
    return `${after.colour} is not made in ${before.size}. Size ${after.size} is chosen now.`
  if (clicked === 'size' && after.colour !== before.colour)
    return `${after.size} is not made in ${before.colour}. ${after.colour} is chosen now.`
  return ''
}
