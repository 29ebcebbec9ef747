import { isMainColorOf } from './facets.ts'

type Colored = {
  colors: readonly { name: string; hex: string | null; available: boolean }[]
  images: readonly { color: string | null }[]
}

/** How much a neighbor counts: the one before, and those above it in lists of two, three and four columns. */
const WEIGHTS = [4, 3, 2, 1] as const
/** Each place further down in its product's own order. */
const LATER = 0.15
/** In RGB space, of 441: dyes further apart than this do not look alike. */
const ALIKE_MAX = 150

/**
 * The color that each card of a list shows, so that neighbors do not look alike: a color for sale with a picture of its own. Null
 * where there is no choice.
 * @param chosen colors of a filter: cards show one of these if they can
 */
export function chooseCardColors(products: readonly Colored[], chosen: readonly string[] = []): (string | null)[] {
  const shown: (string | null)[] = []
  return products.map(({ colors, images }) => {
    const pictured = colors.filter(({ name }) => images.some(({ color }) => color === name))
    const sold = pictured.filter(({ available }) => available)
    const wanted = pictured.filter(({ name }) => isMainColorOf(chosen, name))
    // A first picture of no color is the owner's choice for all of them.
    const own = images[0]?.color === null ? [] : sold.length > 0 ? sold : pictured
    const choice = wanted.length > 0 ? wanted : own
    const before = shown.slice(-WEIGHTS.length).toReversed()
    const cost = (hex: string | null, place: number) =>
      before.reduce((sum, other, index) => sum + (WEIGHTS[index] ?? 0) * likeness(hex, other), place * LATER)
    const [best] = choice
      .map((color, place) => ({ color, cost: cost(color.hex, place) }))
      .toSorted((a, b) => a.cost - b.cost)
    shown.push(best?.color.hex ?? null)
    return best?.color.name ?? null
  })
}

/** From 0, different, to 1, the same. */
function likeness(one: string | null, other: string | null): number {
  if (one === null || other === null) return 0
  const [a, b] = [channels(one), channels(other)]
  const distance = Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)))
  return Math.max(0, 1 - distance / ALIKE_MAX)
}

const channels = (hex: string): number[] => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
