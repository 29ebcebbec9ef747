import { cents, type Cents } from '#shared/money.ts'
import type { ProductType } from './product-types.ts'
import { bySize } from './sizes.ts'

/** The facets, by their names in a URL: `?type=hat&color=Navy`. */
export const facetNames = ['type', 'color', 'size', 'price'] as const
export type FacetName = (typeof facetNames)[number]

/** Includes `from`, excludes `to`; null means no upper limit. */
export type PriceSpan = { from: Cents; to: Cents | null }

/** The chosen values: within a facet any may match, across facets all must. */
export type FacetChoice = {
  type: readonly string[]
  color: readonly string[]
  size: readonly string[]
  price: PriceSpan | null
}

export const NO_FACETS_CHOSEN: FacetChoice = { type: [], color: [], size: [], price: null }

/** Price ranges, with their names in a URL. */
const priceSpans: readonly (PriceSpan & { name: string })[] = [
  { name: '0-20', from: cents(0), to: cents(2000) },
  { name: '20-30', from: cents(2000), to: cents(3000) },
  { name: '30-50', from: cents(3000), to: cents(5000) },
  { name: '50-', from: cents(5000), to: null },
]

/** `count` is null when there are too many products to count. */
type FacetValue = { value: string; count: number | null }

/** How many products each value would show, given what is chosen in the other facets. */
export type Facets = {
  type: (FacetValue & { title: string })[]
  color: (FacetValue & { hex: string | null })[]
  size: FacetValue[]
  price: (PriceSpan & { name: string; count: number | null })[]
}

/** `Ivory with Gold` counts as Ivory. */
const mainColor = (name: string): string => name.split(' with ')[0] ?? name

export const hasFacetsChosen = ({ type, color, size, price }: FacetChoice): boolean =>
  type.length + color.length + size.length > 0 || price !== null

type WithImages = { images: readonly { color: string | null }[] }

/** Puts pictures in a chosen color first. */
export const withChosenColorFirst = <P extends WithImages>(product: P, { color }: FacetChoice): P =>
  color.length === 0
    ? product
    : {
        ...product,
        images: product.images.toSorted((a, b) => Number(isOneOf(color, b.color)) - Number(isOneOf(color, a.color))),
      }

const isOneOf = (chosen: readonly string[], color: string | null): boolean =>
  color !== null && chosen.includes(mainColor(color))

/** Product counts by names such as `color:Navy`; undefined when there were too many to count. */
export type FacetCounts = ReadonlyMap<string, number> | undefined

/**
 * Includes values without any matching product, so a choice can always be undone.
 * @param all values that occur in the list
 * @param beside counts for each facet, given what is chosen in the others
 * @param types in the order of the filter
 */
export function facetsFrom(
  all: readonly { facet: string; hex: string | null }[],
  beside: Readonly<Record<FacetName, FacetCounts>>,
  types: readonly Pick<ProductType, 'key' | 'plural'>[],
): Facets {
  const valuesOf = (name: FacetName) => [
    ...new Set(all.flatMap(({ facet }) => (facet.startsWith(`${name}:`) ? facet.slice(name.length + 1) : []))),
  ]
  const countOf = (name: FacetName, value: string) => {
    const counts = beside[name]
    return counts ? (counts.get(`${name}:${value}`) ?? 0) : null
  }
  const counted = (name: FacetName) => (value: string) => ({ value, count: countOf(name, value) })
  const dyes = new Map(all.map(({ facet, hex }) => [facet, hex]))
  const [keys, spans] = [new Set(valuesOf('type')), new Set(valuesOf('price'))]
  return {
    type: types
      .filter(({ key }) => keys.has(key))
      .map(({ key, plural }) => ({ ...counted('type')(key), title: plural })),
    color: valuesOf('color')
      .toSorted()
      .map((name) => ({ ...counted('color')(name), hex: dyes.get(`color:${name}`) ?? null })),
    size: valuesOf('size').toSorted(bySize).map(counted('size')),
    price: priceSpans
      .filter(({ name }) => spans.has(name))
      .map((span) => ({ ...span, count: countOf('price', span.name) })),
  }
}

const VALUES_MAX = 20
const VALUE_LENGTH_MAX = 60

/** Reads a choice from a URL; unknown price ranges are ignored. @param optionValues the URL's values for a name */
export function parseFacetChoice(valuesOf: (name: FacetName) => readonly string[]): FacetChoice {
  const list = (name: FacetName) => [
    ...new Set(
      valuesOf(name)
        .slice(0, VALUES_MAX)
        .map((value) => value.slice(0, VALUE_LENGTH_MAX).trim())
        .filter(Boolean),
    ),
  ]
  const span = priceSpans.find(({ name }) => name === list('price')[0])
  return {
    type: list('type'),
    color: list('color'),
    size: list('size'),
    price: span ? { from: span.from, to: span.to } : null,
  }
}
