import { collections } from '#site/collections/collections.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'

/** One CSS rule per collection, selected by `<html data-collection="…">`. Built ahead, so pages need no inline style and never flash. */
export const themeSheet = (): string => Object.values(collections).map(ruleOf).join('\n')

function ruleOf({ id, colors, borderRadius, shadowStyle, gradientDirection, patternOverlay }: CollectionTheme): string {
  const properties = {
    ...Object.fromEntries(Object.entries(colors).map(([name, value]) => [kebabCase(name), value])),
    radius: borderRadius,
    shadow: shadowStyle,
    'gradient-direction': gradientDirection,
    pattern: patternOverlay,
  }
  const lines = Object.entries(properties).map(([name, value]) => `  --theme-${name}: ${value};`)
  return `[data-collection='${id}'] {\n${lines.join('\n')}\n}\n`
}

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
