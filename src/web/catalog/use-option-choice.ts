import { useState } from 'react'
import {
  chooseOption,
  colorsForSize,
  firstVariant,
  optionState,
  type OptionName,
  type OptionState,
  type OptionVariant,
} from '#domain/catalog/options.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import type { Variant } from './use-variants.ts'

export type UnavailableCombination = { size: string; color: string; madeIn: readonly string[] }

/**
 * The choice of color and size.
 * @param initial a variant's number; if the product has no such variant, its first one for sale is chosen
 * @param onPick called with each variant that the shopper picks
 */
export function useOptionChoice(variants: readonly Variant[], initial: number, onPick?: (picked: Variant) => void) {
  const [picked, setPicked] = useState(initial)
  const [wantedSize, setWantedSize] = useState<string>()
  const [remark, setRemark] = useState('')
  const chosen = variants.find(({ id }) => id === picked) ?? firstVariant(variants)

  const unavailable: UnavailableCombination | undefined =
    chosen?.color && wantedSize !== undefined
      ? { size: wantedSize, color: chosen.color, madeIn: colorsForSize(variants, wantedSize) }
      : undefined

  const choose = (option: OptionName, value: string): void => {
    if (!chosen) return
    const selection = { ...chosen, size: wantedSize ?? chosen.size }
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
    onPick?.(next)
  }

  const state: OptionState | undefined = unavailable
    ? 'not_made'
    : chosen && (chosen.available ? 'available' : 'sold_out')

  return {
    chosen,
    /** Undefined for a product without variants. */
    state,
    unavailable,
    /** Explains a change the shopper did not make; empty otherwise. */
    remark,
    choose,
  }
}

function remarkOn(before: OptionVariant, after: Variant, clicked: OptionName): string {
  if (clicked === 'color' && after.size !== before.size)
    return say('{color} is not made in {size}. We switched to size {newSize}.', {
      color: sayColor(after.color ?? ''),
      size: before.size ?? '',
      newSize: after.size ?? '',
    })
  return ''
}
