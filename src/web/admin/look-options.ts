import type { HeadingFont } from '#domain/catalog/collection-theme.ts'
import { house } from '#site/house.ts'

type Option = { value: string; label: string }

export const fontOptions: { value: HeadingFont; label: string }[] = [
  { value: 'serif', label: 'Fraunces, with serifs' },
  { value: 'sans', label: 'Instrument Sans' },
]

export const radiusOptions: readonly Option[] = [
  { value: '0px', label: 'Square' },
  { value: '4px', label: 'Slightly round' },
  { value: '10px', label: 'Round' },
  { value: '16px', label: 'Very round' },
]

export const shadowOptions: readonly Option[] = [
  { value: house.shadowStyle, label: 'Soft' },
  { value: '0 1px 1px rgb(0 0 0 / 0.08), 0 10px 24px -10px rgb(0 0 0 / 0.24)', label: 'Strong' },
  { value: 'none', label: 'None' },
]

export const patternOptions: readonly Option[] = [
  { value: 'none', label: 'Plain' },
  { value: 'radial-gradient(circle at 6px 6px, rgb(255 255 255 / 0.1) 0 2px, transparent 2.5px)', label: 'Dot' },
  {
    value:
      'repeating-linear-gradient(45deg, rgb(255 255 255 / 0.06) 0 2px, transparent 2px 9px), repeating-linear-gradient(-45deg, rgb(255 255 255 / 0.06) 0 2px, transparent 2px 9px)',
    label: 'Herringbone',
  },
  {
    value: 'repeating-linear-gradient(0deg, rgb(255 255 255 / 0.07) 0 1px, transparent 1px 28px)',
    label: 'Lines',
  },
]

export const gradientOptions: readonly Option[] = [
  { value: '180deg', label: 'Downward' },
  { value: '135deg', label: 'To the lower right' },
  { value: '225deg', label: 'To the lower left' },
]

/** With the present value, which may be none of them. */
export const withOwn = (options: readonly Option[], value: string): readonly Option[] =>
  options.some((option) => option.value === value) ? options : [{ value, label: 'As it is' }, ...options]
