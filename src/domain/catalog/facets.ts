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
  /** `label` is what their types call it, such as `Phone model`; unset for sizes. */
  size: (FacetValue & { label?: string | undefined })[]
  price: (PriceSpan & { name: string; count: number | null })[]
}

/** `Ivory with Gold` counts as Ivory. */
const mainColor = (name: string): string => name.split(' with ')[0] ?? name

export const hasFacetsChosen = ({ type, color, size, price }: FacetChoice): boolean =>
  type.length + color.length + size.length > 0 || price !== null

/** Whether a color is found by one of the chosen values. */
export const isMainColorOf = (chosen: readonly string[], color: string): boolean => chosen.includes(mainColor(color))

/** Product counts by names such as `color:Navy`; undefined when there were too many to count. */
export type FacetCounts = ReadonlyMap<string, number> | undefined

/**
 * Includes values without any matching product, so a choice can always be undone.
 * @param all values that occur in the list
 * @param beside counts for each facet, given what is chosen in the others
 * @param types in the order of the filter
 * @param chosen types that the list lacks have a title, too
 */
export function facetsFrom(
  all: readonly { facet: string; hex: string | null; count: number }[],
  beside: Readonly<Record<FacetName, FacetCounts>>,
  types: readonly Pick<ProductType, 'key' | 'plural'>[],
  chosen: readonly string[] = [],
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
  const [keys, spans] = [new Set([...valuesOf('type'), ...chosen]), new Set(valuesOf('price'))]
  const labelOf = sizeLabels(all)
  return {
    type: types
      .filter(({ key }) => keys.has(key))
      .map(({ key, plural }) => ({ ...counted('type')(key), title: plural })),
    color: valuesOf('color')
      .toSorted()
      .map((name) => ({ ...counted('color')(name), hex: dyes.get(`color:${name}`) ?? null })),
    size: valuesOf('size')
      .toSorted(bySize)
      .map((value) => ({ ...counted('size')(value), ...labelOf(value) })),
    price: priceSpans
      .filter(({ name }) => spans.has(name))
      .map((span) => ({ ...span, count: countOf('price', span.name) })),
  }
}

/** Between the option's name and the value in `sized:Phone model<separator>iPhone 15`, which view `product_as_listed` adds. */
const SEPARATOR = '\u{1f}'

/** A value that types call by several names is a size; so is one that some products have as a size. */
function sizeLabels(all: readonly { facet: string; count: number }[]): (value: string) => { label?: string } {
  const named = all.flatMap(({ facet, count }) => {
    const [label = '', value] = facet.startsWith('sized:') ? facet.slice('sized:'.length).split(SEPARATOR) : []
    return value === undefined ? [] : [{ label, value, count }]
  })
  const counts = new Map(all.map(({ facet, count }) => [facet, count]))
  return (value) => {
    const [only, ...others] = named.filter((one) => one.value === value)
    return only && others.length === 0 && only.count === counts.get(`size:${value}`) ? { label: only.label } : {}
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
