/** A line of the details panel. With `onlyFor`, it replaces the line of that label for products whose name contains it: `11 oz`. */
export type Fact = { label: string; value: string; onlyFor?: string | undefined }

/** In inches; two numbers are a range, null is not measured. */
export type Measure = number | [number, number] | null

/** Sizes by measures, such as chest and length. */
export type SizeTable = {
  /** How it was measured. */
  caption: string
  measures: string[]
  /** One value for each measure. */
  rows: { size: string; values: Measure[] }[]
}

export const decorations = ['print', 'embroidery'] as const
type Decoration = (typeof decorations)[number]

/** As Google's merchant feed names them. */
export const ageGroups = ['newborn', 'infant', 'toddler', 'kids', 'adult'] as const
type AgeGroup = (typeof ageGroups)[number]

/** Of Google's categories of what is worn. */
const APPAREL_CATEGORY = 'Apparel & Accessories'

export const isWorn = ({ merchantCategory }: Pick<ProductType, 'merchantCategory'>): boolean =>
  merchantCategory.startsWith(APPAREL_CATEGORY)

/** What all products of a kind share. */
export type ProductType = {
  /** A slug such as `water-bottle`; product rows and addresses name it. */
  key: string
  /** Of one product, and the title of a filter: `Water bottle`, `Water bottles`. */
  name: string
  plural: string
  /** Within sentences about shipping and surcharges: `water bottle`, `water bottles`. */
  piece: string
  pieces: string
  /** All products of the type, when that is not `pieces`: `premium pillow products`. */
  allProducts: string | null
  /** Search words: lower case, singular, with a space for a hyphen. */
  synonyms: string[]
  /** Order in filters. */
  position: number
  /** Order in lists, from 0; types of one group are mixed and sorted by product name. */
  listGroup: number
  /** Google's product category, and our own in the feed. */
  merchantCategory: string
  merchantType: string
  ageGroup: AgeGroup
  /** What the options are called: `Color`, and `Size` or `Phone model`. */
  colorLabel: string
  sizeLabel: string
  /** Materials, care and dimensions, as the details panel lists them. */
  facts: Fact[]
  sizeTable: SizeTable | null
  decoration: Decoration
  /** The printer's catalog product that it is made on. */
  blankId: number | null
  /** Whether the picture composer has a model of it; otherwise products show the printer's mockups. */
  hasModel: boolean
}

/** Types beyond the known list groups come last. */
export const LIST_GROUP_MAX = 70
const LAST_LIST_GROUP = 8

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A type of which only the key is known; also what a new type starts from. */
export function plainProductType(key: string): ProductType {
  const piece = key.replaceAll('-', ' ')
  const pieces = `${piece}s`
  return {
    key,
    name: capitalize(piece),
    plural: capitalize(pieces),
    piece,
    pieces,
    allProducts: null,
    synonyms: piece ? [piece] : [],
    position: 100,
    listGroup: LAST_LIST_GROUP,
    merchantCategory: '',
    merchantType: capitalize(pieces),
    ageGroup: 'adult',
    colorLabel: 'Color',
    sizeLabel: 'Size',
    facts: [{ label: 'Made', value: 'To order, after you buy' }],
    sizeTable: null,
    decoration: 'print',
    blankId: null,
    hasModel: false,
  }
}

export const productTypeOf = (types: readonly ProductType[], key: string): ProductType =>
  types.find((type) => type.key === key) ?? plainProductType(key)
