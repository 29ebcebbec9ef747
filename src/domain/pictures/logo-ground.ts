import { house } from '#site/house.ts'
import type { Logo } from '#site/settings.ts'
import { colorFit, type ColorShare } from './contrast.ts'

type Colors = { ink: readonly ColorShare[]; edge: readonly ColorShare[]; hasTransparency: boolean }

/** Where a logo can be told from its ground, which is the page's or the footer's; one that fills its rectangle, everywhere. */
export function groundOf(colors: Colors): Logo['ground'] {
  if (!colors.hasTransparency) return 'any'
  const [light, dark] = [house.colors.surface, house.colors.primary].map((hex) => colorFit(colors, hex).standsOut)
  if (light === dark || Math.min(light ?? 0, dark ?? 0) > 0.9) return 'any'
  return (light ?? 0) > (dark ?? 0) ? 'light' : 'dark'
}
