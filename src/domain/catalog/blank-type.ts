import { slugOf } from '#shared/slug.ts'
import { centimeters } from './measures.ts'
import { plainProductType, type Fact, type Measure, type ProductType, type SizeTable } from './product-types.ts'
import { bySize } from './sizes.ts'

/** What a product type takes over from a product of the printer's catalog. */
export type BlankFacts = {
  id: number
  /** Such as `Hoodie`. */
  kind: string
  /** From the root: `Men’s clothing`, `Hoodies`. */
  category: readonly string[]
  techniques: readonly { key: string; name: string; isDefault: boolean }[]
  /** Plain text: a sentence, then points that begin with `•`. */
  description: string
  originCountry: string | null
  sizes: readonly string[]
  variants: readonly { materials: readonly { name: string; percentage: number | null }[] }[]
  sizeTables: readonly {
    kind: 'measure_yourself' | 'product_measure' | 'international'
    unit: 'inches' | 'cm' | null
    description: string
    /** Values such as `28`, or `34 – 37`. */
    rows: readonly { label: string; values: readonly { size: string; value: string }[] }[]
  }[]
}

/** A type made of a blank, and the one of the shop that means the same kind of product; undefined without one. */
export type TypeFromBlank = { content: ProductType; similar: string | undefined }

/**
 * The product type that an owner starts from after choosing a blank. It is the last in filters and lists.
 * @param types those of the shop; the new one's key differs from all of theirs
 */
export function productTypeFromBlank(blank: BlankFacts, types: readonly ProductType[]): TypeFromBlank {
  const name = nameOf(blank)
  const piece = name.toLowerCase()
  const plain = plainProductType(freeKey(piece, types))
  const words = [...new Set([piece, singular(blank.category.at(-1) ?? '')].map(toSearchWord).filter(Boolean))]
  const isOurs = ({ synonyms }: ProductType) => synonyms.includes(words[0] ?? '')
  return {
    content: {
      ...plain,
      ...{ name, piece, plural: pluralOf(name), pieces: pluralOf(piece), synonyms: words },
      merchantType: pluralOf(name),
      position: Math.min(POSITION_MAX, Math.max(0, ...types.map(({ position }) => position)) + 1),
      ...feedFactsOf([name, ...blank.category].join(' ')),
      sizeLabel: blank.sizes.some((size) => /iphone|galaxy|pixel/i.test(size)) ? 'Phone model' : 'Size',
      colorLabel: /framed/i.test(name) ? 'Frame' : 'Color',
      facts: [...factsOf(blank), ...plain.facts],
      sizeTable: sizeTableOf(blank),
      decoration: techniqueOf(blank)?.key === 'EMBROIDERY' ? 'embroidery' : 'print',
      blankId: blank.id,
    },
    similar: (types.find(({ blankId }) => blankId === blank.id) ?? types.find(isOurs))?.key,
  }
}

const POSITION_MAX = 9999
const NAME_MAX = 40
/** Leaves room for a number behind it. */
const KEY_MAX = 36

const techniqueOf = ({ techniques }: BlankFacts) => techniques.find(({ isDefault }) => isDefault) ?? techniques[0]

/** Printful calls caps and all-over prints by how they are made: those are called as their category. */
function nameOf({ kind, category, techniques }: BlankFacts): string {
  const isTechnique = techniques.some(({ key, name }) => [key, name].some((one) => sameWords(one, kind)))
  const text = ((isTechnique ? singular(category.at(-1) ?? '') : kind) || 'Product').slice(0, NAME_MAX).trim()
  const lower = text.toLowerCase()
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

const toSearchWord = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[-\s]+/g, ' ')
    .trim()
const sameWords = (a: string, b: string): boolean => toSearchWord(a) === toSearchWord(b)

/** `hoodie`, or `hoodie-2` when the shop has one. */
function freeKey(piece: string, types: readonly ProductType[]): string {
  const key = slugOf(piece, KEY_MAX) || 'product'
  const taken = new Set(types.map((type) => type.key))
  let [free, number] = [key, 2]
  while (taken.has(free)) free = `${key}-${number++}`
  return free
}

function pluralOf(word: string): string {
  if (/(?:socks|leggings|shorts|pants)$/i.test(word)) return word
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`
  return `${word}${/(?:s|x|z|ch|sh)$/i.test(word) ? 'es' : 's'}`
}

const singular = (words: string): string =>
  /(?:socks|leggings|shorts|pants)$/i.test(words) ? words : words.replace(/([^s])s$/, '$1')

/** Google's categories of what printers sell most, found by words of the blank's name and categories; the first match counts. */
const feedCategories: readonly [words: RegExp, category: string][] = [
  [/phone case/i, 'Electronics > Communications > Telephony > Mobile Phone Accessories > Mobile Phone Cases'],
  [/sock/i, 'Apparel & Accessories > Clothing > Underwear & Socks > Socks'],
  [/legging/i, 'Apparel & Accessories > Clothing > Pants'],
  [/bodysuit/i, 'Apparel & Accessories > Clothing > Baby & Toddler Clothing > Baby One-Pieces'],
  [/backpack/i, 'Luggage & Bags > Backpacks'],
  [/\b(?:hat|cap|visor|beanie)/i, 'Apparel & Accessories > Clothing Accessories > Hats'],
  [/shirt|hoodie|tank|polo|\btee\b/i, 'Apparel & Accessories > Clothing > Shirts & Tops'],
  [/poster|canvas|wall art/i, 'Home & Garden > Decor > Artwork > Posters, Prints, & Visual Artwork'],
  [/mug/i, 'Home & Garden > Kitchen & Dining > Tableware > Drinkware > Mugs'],
  [/bottle/i, 'Home & Garden > Kitchen & Dining > Food & Beverage Carriers > Water Bottles'],
  [/pillow/i, 'Home & Garden > Decor > Throw Pillows'],
  [/blanket/i, 'Home & Garden > Linens & Bedding > Bedding > Blankets'],
  [/apron/i, 'Home & Garden > Kitchen & Dining > Kitchen Tools & Utensils > Aprons'],
  [/tote/i, 'Luggage & Bags > Shopping Totes'],
  [/puzzle/i, 'Toys & Games > Puzzles > Jigsaw Puzzles'],
  [/notebook/i, 'Office Supplies > General Office Supplies > Paper Products > Notebooks & Notepads'],
  [/\bpet\b/i, 'Animals & Pet Supplies > Pet Supplies'],
]

const feedFactsOf = (words: string): Pick<ProductType, 'merchantCategory' | 'ageGroup'> => ({
  merchantCategory: feedCategories.find(([names]) => names.test(words))?.[1] ?? '',
  ageGroup: /toddler t/i.test(words)
    ? 'toddler'
    : /\bbaby\b/i.test(words)
      ? 'infant'
      : /youth|kids/i.test(words)
        ? 'kids'
        : 'adult',
})

const FACT_LENGTH_MAX = 300

/** Lines of the details panel. */
function factsOf(blank: BlankFacts): Fact[] {
  const points = blank.description
    .split('\n')
    .flatMap((line) => (/^\s*[•*-]\s*/.test(line) ? line.replace(/^\s*[•*-]\s*/, '').trim() : []))
    .filter(Boolean)
  const isCare = (point: string) => /\b(?:wash|dishwasher|iron|bleach|tumble|dry clean)/i.test(point)
  const named = points.flatMap((point) => {
    const [, label = '', value = ''] = /^([\p{L} ]{3,40}): (.+)$/u.exec(point) ?? []
    return label && !isCare(point) ? [{ label, value }] : []
  })
  const others = points.filter((point) => !isCare(point) && !named.some(({ label }) => point.startsWith(`${label}: `)))
  const sizes = blank.sizes.toSorted(bySize)
  return [
    { label: 'Material', value: materialOf(blank) },
    { label: 'Sizes', value: sizes.length > 1 ? `${sizes[0]} to ${sizes.at(-1)}` : (sizes[0] ?? '') },
    ...named,
    { label: 'Details', value: joined(others) },
    { label: 'Decoration', value: techniqueOf(blank)?.key === 'EMBROIDERY' ? 'Embroidered' : '' },
    { label: 'Care', value: joined(points.filter(isCare)) },
    { label: 'Origin', value: blank.originCountry ? `Blank product from ${blank.originCountry}` : '' },
  ].flatMap(({ label, value }) => (value ? [{ label, value: value.slice(0, FACT_LENGTH_MAX) }] : []))
}

/** As many as fit into a line, one after the other. */
const joined = (points: readonly string[]): string =>
  points.reduce((text, point) => {
    const longer = text ? `${text}. ${point}` : point
    return longer.length > FACT_LENGTH_MAX ? text : longer
  }, '')

/** Of most variants: `50% cotton, 50% polyester`. */
function materialOf({ variants }: BlankFacts): string {
  const texts = variants.map(({ materials }) =>
    materials.map(({ name, percentage }) => (percentage === null ? name : `${percentage}% ${name}`)).join(', '),
  )
  const counted = [...Map.groupBy(texts.filter(Boolean), (text) => text)]
  return counted.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? ''
}

const MEASURES_MAX = 12
const CAPTION_MAX = 200

/** In inches; pages compute centimeters. */
function sizeTableOf({ sizeTables, sizes }: BlankFacts): SizeTable | null {
  const inInches = sizeTables.filter(({ unit, rows }) => unit === 'inches' && rows.length > 0)
  const table = inInches.find(({ kind }) => kind === 'product_measure') ?? inInches[0]
  if (!table) return null
  const measures = [...new Map(table.rows.map((row) => [row.label, row] as const)).values()].slice(0, MEASURES_MAX)
  const measured = new Set(measures.flatMap(({ values }) => values.map(({ size }) => size)))
  const rows = sizes
    .filter((size) => measured.has(size))
    .map((size) => ({
      size,
      values: measures.map(({ values }) => measureIn(values.find((one) => one.size === size)?.value ?? '')),
    }))
  return rows.length ? { caption: captionOf(table), measures: measures.map(({ label }) => label), rows } : null
}

/** The printer's first sentences, as far as they fit. */
function captionOf({ kind, description }: BlankFacts['sizeTables'][number]): string {
  const text = description.replaceAll(/\s+/g, ' ').trim()
  if (text.length > 0 && text.length <= CAPTION_MAX) return text
  return kind === 'product_measure' ? 'Measured on the product.' : 'Measured on the body.'
}

/** `28`, `34 – 37`; undefined parts are not measured. */
function measureIn(text: string): Measure {
  const [least, most] = (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
  if (least === undefined) return null
  return most === undefined || most === least ? least : [least, most]
}

/** Of a print area: `12 x 16 in / 30 x 41 cm`. */
export function formatArea({ width, height, dpi }: { width: number; height: number; dpi: number }): string {
  const inches = [width, height].map((pixels) => Math.round((pixels / dpi) * 10) / 10)
  return `${inches.join(' x ')} in / ${inches.map(centimeters).join(' x ')} cm`
}
