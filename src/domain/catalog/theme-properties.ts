import type { ThemeLook } from './collection-theme.ts'

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A theme as CSS custom properties, which `src/web/theme/styles.css` reads. */
export const themeProperties = (look: ThemeLook): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(look.colors).map(([name, value]) => [`--theme-${kebabCase(name)}`, value])),
  '--theme-radius': look.borderRadius,
  '--theme-shadow': look.shadowStyle,
  '--theme-gradient-direction': look.gradientDirection,
  '--theme-pattern': look.patternOverlay,
  ...(look.headingFont === 'sans' && { '--font-display': 'var(--font-text)' }),
})
