import type { ProductId, VariantId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { MADE } from './buyable.ts'

/** Our copy of a Printful variant. */
export type VariantCopy = {
  productId: ProductId
  catalogVariantId: number
  /** The Printful catalog product it is printed on; stock and costs are reported by it. */
  blankId: number | null
  position: number
  name: string
  color: string | null
  size: string | null
  sku: string | null
  unitPrice: Cents
  /** Printful's price for the blank and its standard print; null if unknown. */
  costCents: Cents | null
  /** As Printful spells it. */
  availability: string
  previewUrl: string | null
}

/** Existing variants by id; removed ones are missing. */
export type Copies = ReadonlyMap<VariantId, VariantCopy>

/** A variant as Printful returned it; null where a value is missing. */
export type AnsweredVariant = Omit<
  VariantCopy,
  'productId' | 'catalogVariantId' | 'position' | 'unitPrice' | 'costCents'
> & {
  id: VariantId
  catalogVariantId: number | null
  unitPrice: Cents | null
  /** Removed from the store by its owner, or not linked to a blank. */
  ignored: boolean
}

export const changeKinds = [
  'new',
  'gone',
  'price',
  'cost',
  'picture',
  'details',
  'upkeep',
  'sold_out',
  'discontinued',
  'back_in_stock',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** One difference, before and after; null where there is no variant. */
export type Change = {
  variantId: VariantId
  kind: ChangeKind
  before: Partial<VariantCopy> | null
  after: Partial<VariantCopy> | null
}

const NO_LONGER_MADE = 'discontinued'

/** Which fields belong to which change. `upkeep` is invisible to shoppers. */
const fieldsOf = {
  price: ['unitPrice'],
  cost: ['costCents'],
  picture: ['previewUrl'],
  details: ['productId', 'catalogVariantId', 'name', 'color', 'size'],
  upkeep: ['blankId', 'position', 'sku'],
} as const satisfies Partial<Record<ChangeKind, readonly (keyof VariantCopy)[]>>

/**
 * Whether a change may be applied without asking the owner: it only affects availability or what shoppers never see,
 * and a later sync can undo it.
 */
export const canAutoApply = (kind: ChangeKind): boolean =>
  ['sold_out', 'discontinued', 'back_in_stock', 'cost', 'upkeep'].includes(kind)

/** Below this share of our products, Printful's answer is probably wrong. */
const PLAUSIBLE_SHARE = 0.5

/** @param before how many of our products Printful had @param listed how many it lists now */
export const isListPlausible = (before: number, listed: number): boolean =>
  listed > 0 && listed >= before * PLAUSIBLE_SHARE

/**
 * Why an answer about a product is not trusted: no variants, or fewer than announced. The missing ones would look
 * deleted.
 * @param variantCount as announced by Printful; null if it announced none
 */
export function objectionToAnswer(
  variantCount: number | null,
  variants: readonly AnsweredVariant[],
): 'no_variants' | 'half_an_answer' | undefined {
  if (!variants.length) return 'no_variants'
  if (variantCount !== null && variants.length < variantCount) return 'half_an_answer'
  return undefined
}

/** A variant needs a price to be sold and a blank to be made. */
export const isSellable = (
  variant: AnsweredVariant,
): variant is AnsweredVariant & { unitPrice: Cents; catalogVariantId: number } =>
  variant.unitPrice !== null && variant.unitPrice > 0 && variant.catalogVariantId !== null

/**
 * Printful's side of a product. Missing values keep our copy. A variant without a price or blank keeps our copy
 * entirely; a new one is skipped.
 * @param costs by catalog variant id
 * @param pricedHere variants whose price the owner set, and Printful does not have yet: ours counts
 */
export function toVariantCopy(
  ours: Copies,
  productId: ProductId,
  variants: readonly AnsweredVariant[],
  costs: ReadonlyMap<number, Cents>,
  pricedHere: ReadonlySet<VariantId> = new Set(),
): Map<VariantId, VariantCopy> {
  const theirs = new Map<VariantId, VariantCopy>()
  for (const [position, variant] of variants.entries()) {
    const known = ours.get(variant.id)
    if (variant.ignored) continue
    if (!isSellable(variant)) {
      if (known) theirs.set(variant.id, known)
      continue
    }
    const { id, unitPrice, ignored: _, catalogVariantId, ...rest } = variant
    theirs.set(id, {
      ...rest,
      productId,
      catalogVariantId,
      position,
      unitPrice: known && pricedHere.has(id) ? known.unitPrice : unitPrice,
      costCents: costs.get(catalogVariantId) ?? known?.costCents ?? null,
      blankId: rest.blankId ?? known?.blankId ?? null,
    })
  }
  return theirs
}

/**
 * The changes that make our copies match Printful's, in the order to apply them. A variant that Printful no longer has
 * is first discontinued, which is safe, and then removed, which is not.
 */
export function diffVariants(ours: Copies, theirs: Copies): Change[] {
  const changes: Change[] = []
  for (const [variantId, copy] of theirs) {
    const known = ours.get(variantId)
    if (!known) changes.push({ variantId, kind: 'new', before: null, after: copy })
    else changes.push(...differences(variantId, known, copy))
  }
  for (const [variantId, known] of ours) {
    if (theirs.has(variantId)) continue
    const unmade = { ...known, availability: NO_LONGER_MADE }
    changes.push(...differences(variantId, known, unmade), { variantId, kind: 'gone', before: unmade, after: null })
  }
  return changes
}

function differences(variantId: VariantId, ours: VariantCopy, theirs: VariantCopy): Change[] {
  const changes: Change[] = []
  for (const kind of ['price', 'cost', 'picture', 'details', 'upkeep'] as const) {
    const fields = fieldsOf[kind].filter((field) => !isSame(field, ours[field], theirs[field]))
    if (fields.length) changes.push({ variantId, kind, before: partOf(ours, fields), after: partOf(theirs, fields) })
  }
  if (ours.availability !== theirs.availability)
    changes.push({
      variantId,
      kind: stockKind(theirs.availability),
      before: { availability: ours.availability },
      after: { availability: theirs.availability },
    })
  return changes
}

const stockKind = (availability: string): ChangeKind =>
  availability === MADE ? 'back_in_stock' : availability === NO_LONGER_MADE ? 'discontinued' : 'sold_out'

const partOf = (copy: VariantCopy, fields: readonly (keyof VariantCopy)[]): Partial<VariantCopy> =>
  Object.fromEntries(fields.map((field) => [field, copy[field]]))

/** Compares file names: Printful moving its files to another host is not a new picture. */
const isSame = (field: keyof VariantCopy, a: unknown, b: unknown): boolean =>
  a === b || (field === 'previewUrl' && typeof a === 'string' && typeof b === 'string' && fileOf(a) === fileOf(b))

const fileOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '')

/** Applies changes in order. Throws if one does not fit: check `fits` first. */
export function applyChanges(copies: Copies, changes: readonly Change[]): Map<VariantId, VariantCopy> {
  const result = new Map(copies)
  for (const { variantId, after } of changes) {
    if (!after) result.delete(variantId)
    else result.set(variantId, { ...(result.get(variantId) as VariantCopy), ...after })
  }
  return result
}

export const invertChange = ({ before, after, ...change }: Change): Change => ({
  ...change,
  before: after,
  after: before,
})

/** Reverts changes, last one first. */
export const revertChanges = (copies: Copies, changes: readonly Change[]): Map<VariantId, VariantCopy> =>
  applyChanges(copies, changes.toReversed().map(invertChange))

/** Whether a change's starting point matches the current state. */
export function changeApplies(copies: Copies, { variantId, before }: Change): boolean {
  const copy = copies.get(variantId)
  return before && copy ? isPart(before, copy) : !before && !copy
}

const isPart = (part: Partial<VariantCopy>, whole: Partial<VariantCopy>): boolean =>
  (Object.keys(part) as (keyof VariantCopy)[]).every((field) => part[field] === whole[field])

/** Whether two changes propose the same thing. */
export const isSameChange = (a: Change, b: Change): boolean =>
  a.variantId === b.variantId && a.kind === b.kind && areEqual(a.before, b.before) && areEqual(a.after, b.after)

const areEqual = (a: Change['after'], b: Change['after']): boolean => (a && b ? isPart(a, b) && isPart(b, a) : a === b)

/** Whether a change can move what is left of a piece. */
export const movesMargin = ({ kind }: Pick<Change, 'kind'>): boolean => ['new', 'gone', 'price', 'cost'].includes(kind)
