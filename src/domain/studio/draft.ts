import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { Cents } from '#shared/money.ts'
import { slugOf } from '#shared/slug.ts'
import type { DraftPlacement } from './placement.ts'

/**
 * `creating`: a job makes the product at the printer and in the catalog. `refused`: the printer or the shop refused, nothing is on
 * sale, and the owner corrects it. `published`: the catalog has the product; the draft remains as a record.
 */
export const draftStates = ['open', 'creating', 'refused', 'published'] as const
export type DraftState = (typeof draftStates)[number]

const nextState: Record<DraftState, readonly DraftState[]> = {
  open: ['creating'],
  creating: ['refused', 'published'],
  refused: ['open', 'creating'],
  published: [],
}

/** Keeping a state is always allowed. */
export const draftCanBecome = (from: DraftState, to: DraftState): boolean => from === to || nextState[from].includes(to)

export const isEditable = (state: DraftState): boolean => state === 'open' || state === 'refused'

/** In the order of the form. */
export const draftSteps = ['blank', 'drawing', 'options', 'price', 'words', 'preview'] as const
export type DraftStep = (typeof draftSteps)[number]

/** Of a product that is taken over, the printer knows drawing, colors and sizes. */
export const stepsOf = ({ takenOver }: Pick<DraftContent, 'takenOver'>): readonly DraftStep[] =>
  takenOver === null ? draftSteps : ['blank', 'price', 'words', 'preview']

/** Everything an owner has said of a new product so far; unfinished parts are null or empty. */
export type DraftContent = {
  /** The printer's catalog product; null for a product taken over from the printer's store. */
  blankId: number | null
  /** The printer's product that is taken over instead of making a new one. */
  takenOver: number | null
  /** One for each print area that has a drawing. */
  placements: DraftPlacement[]
  colors: string[]
  sizes: string[]
  /** By size; `size` is empty for a blank without sizes. */
  prices: { size: string; price: Cents }[]
  name: string
  slug: string
  description: string
  type: string
  collection: string
  badge: string | null
  /** Search words beside those of name and type. */
  keywords: string[]
  shippingSurcharge: NonNullable<ProductMetadata['shippingSurcharge']> | null
  restrictions: NonNullable<ProductMetadata['restrictions']> | null
  /** ISO 8601, UTC; null: as soon as it is made. */
  publishAt: string | null
  /** Makes the product at the printer, and leaves it as a draft of the catalog. */
  staysDraft: boolean
}

export const EMPTY_DRAFT: DraftContent = {
  blankId: null,
  takenOver: null,
  placements: [],
  colors: [],
  sizes: [],
  prices: [],
  name: '',
  slug: '',
  description: '',
  type: '',
  collection: '',
  badge: null,
  keywords: [],
  shippingSurcharge: null,
  restrictions: null,
  publishAt: null,
  staysDraft: false,
}

export const metadataOf = ({
  shippingSurcharge,
  restrictions,
  keywords,
}: Pick<DraftContent, 'shippingSurcharge' | 'restrictions' | 'keywords'>): ProductMetadata => ({
  ...(keywords.length > 0 && { keywords }),
  ...(shippingSurcharge && { shippingSurcharge }),
  ...(restrictions && { restrictions }),
})

/** What keeps a draft from being published, at the step where it is corrected. */
export type DraftObjection = { step: DraftStep; sentence: string }

/**
 * The objections that the draft itself shows; the server adds those about blanks, costs and other products.
 * @param hasColors whether the blank comes in colors; posters don't
 */
export function objectionsToDraft(content: DraftContent, hasColors = true): DraftObjection[] {
  const objections: DraftObjection[] = []
  const require = (isFine: boolean, step: DraftStep, sentence: string) => {
    if (!isFine) objections.push({ step, sentence })
  }
  if (content.takenOver === null) {
    require(content.blankId !== null, 'blank', 'Please choose a blank.')
    require(content.placements.length > 0, 'drawing', 'Please place a drawing.')
    require(content.colors.length > 0 || !hasColors, 'options', 'Please choose at least one color.')
  }
  const sizes = content.sizes.length ? content.sizes : ['']
  const unpriced = sizes.filter((size) => !content.prices.some((one) => one.size === size && one.price > 0))
  const ofSizes = unpriced.filter(Boolean)
  require(!unpriced.length, 'price', `Please enter a price${ofSizes.length ? ` for ${ofSizes.join(', ')}` : ''}.`)
  require(content.name !== '', 'words', 'Please enter a name.')
  require(content.slug !== '', 'words', 'Please enter a web address.')
  require(content.description !== '', 'words', 'Please enter a description.')
  require(content.type !== '', 'words', 'Please choose a product type.')
  require(content.collection !== '', 'words', 'Please choose a collection.')
  return objections
}

/** Drafts made of one drawing at a time. */
export const COPIES_MAX = 20

export const slugFrom = (name: string): string => slugOf(name, SLUG_MAX)

/** With a variant's color and size behind it, it stays below the printer's 64 characters most of the time. */
const SLUG_MAX = 60

/** The printer's external id of a variant: at most 64 of `A-Z a-z 0-9 _ -`. */
export function variantExternalId(slug: string, catalogVariantId: number): string {
  const end = `-${catalogVariantId}`
  return `${slug.slice(0, EXTERNAL_ID_MAX - end.length)}${end}`
}
const EXTERNAL_ID_MAX = 64
