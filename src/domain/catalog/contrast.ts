import type { ThemeColors } from './collection-theme.ts'

/** WCAG 2.2, relative luminance of an sRGB color: 0 is black, 1 is white. @param hex `#rrggbb` */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, AA: success criteria 1.4.3 and 1.4.11. */
const AA_TEXT = 4.5
const AA_SHAPE = 3
const IVORY = '#f8f4ea'

export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

type ColorName = keyof ThemeColors

/** Names as forms and sentences use them. */
export const colorNames: Readonly<Record<ColorName, string>> = {
  primary: 'Strong color',
  secondary: 'Second color',
  accent: 'Accent',
  background: 'Page',
  surface: 'Cards',
  buttonPrimary: 'Button',
  buttonSecondary: 'Quiet button',
  buttonHover: 'Button under the pointer',
  cardBorder: 'Borders',
  textPrimary: 'Text',
  textSecondary: 'Quiet text',
}

const textsOn = ['background', 'surface', 'buttonSecondary'] as const
const darkGrounds = ['primary', 'buttonPrimary', 'buttonHover'] as const

/** A ratio rounded down: one that falls short never reads as enough. */
const shown = (ratio: number): string => `${Math.floor(ratio * 10) / 10}:1`

/** What is wrong with a theme's colors, by the color that should change. Empty when every text and button can be read. */
export function contrastProblems(colors: ThemeColors): Partial<Record<ColorName, string>> {
  const problems: Partial<Record<ColorName, string>> = {}
  const names = Object.keys(colorNames) as ColorName[]
  for (const name of names) if (!isHexColor(colors[name])) problems[name] = 'Please enter a color such as #1d1b19'
  if (Object.keys(problems).length > 0) return problems
  for (const text of ['textPrimary', 'textSecondary'] as const)
    for (const ground of textsOn) {
      const ratio = contrast(colors[text], colors[ground])
      if (ratio < AA_TEXT)
        problems[text] ??= `Hard to read on “${colorNames[ground]}”: ${shown(ratio)}, needed is ${AA_TEXT}:1`
    }
  for (const ground of darkGrounds) {
    const ratio = contrast(IVORY, colors[ground])
    if (ratio < AA_TEXT) problems[ground] ??= `Too light for ivory text: ${shown(ratio)}, needed is ${AA_TEXT}:1`
  }
  for (const ground of ['background', 'surface'] as const) {
    const ratio = contrast(colors.buttonPrimary, colors[ground])
    if (ratio < AA_SHAPE)
      problems.buttonPrimary ??= `Hard to see on “${colorNames[ground]}”: ${shown(ratio)}, needed is ${AA_SHAPE}:1`
  }
  return problems
}
