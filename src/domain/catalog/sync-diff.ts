import type { ProductId, VariantId } from '#shared/ids.ts'
import { minus, type Cents } from '#shared/money.ts'

/** What we copy of a partner's variant. */
export type VariantCopy = {
  productId: ProductId
  catalogVariantId: number
  /** The partner's catalog product that it is printed on: stock and costs are told by it. */
  blankId: number | null
  position: number
  name: string
  color: string | null
  size: string | null
  sku: string | null
  unitPrice: Cents
  /** What the partner takes for the blank and its standard print; null while we do not know. */
  costCents: Cents | null
  /** The partner's word. */
  availability: string
  previewUrl: string | null
}

/** The variants that there are, by their id; one that is gone is not in it. */
export type Copies = ReadonlyMap<VariantId, VariantCopy>

/** A variant as the partner answers; null is what it does not say. */
export type AnsweredVariant = Omit<
  VariantCopy,
  'productId' | 'catalogVariantId' | 'position' | 'unitPrice' | 'costCents'
> & {
  id: VariantId
  catalogVariantId: number | null
  unitPrice: Cents | null
  /** Taken out of the store by its owner, or not connected to a blank. */
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

/** One thing that differs, as it was and as it would be; a null is a variant that is not there. */
export type Change = {
  variantId: VariantId
  kind: ChangeKind
  before: Partial<VariantCopy> | null
  after: Partial<VariantCopy> | null
}

const MADE = 'active'
const NO_LONGER_MADE = 'discontinued'

/** What belongs to which change. A thing that shoppers never see is `upkeep`. */
const fieldsOf = {
  price: ['unitPrice'],
  cost: ['costCents'],
  picture: ['previewUrl'],
  details: ['productId', 'catalogVariantId', 'name', 'color', 'size'],
  upkeep: ['blankId', 'position', 'sku'],
} as const satisfies Partial<Record<ChangeKind, readonly (keyof VariantCopy)[]>>

/**
 * Whether a change may be made without asking: it says what can be made, or what shoppers do not see. It takes nothing
 * away that the partner's next answer would not give back.
 */
export const isSafe = (kind: ChangeKind): boolean =>
  ['sold_out', 'discontinued', 'back_in_stock', 'cost', 'upkeep'].includes(kind)

/** Where fewer of our products than this share are still listed, something is wrong with the answer, not with the store. */
const PLAUSIBLE_SHARE = 0.5

/** @param before how many of our products the partner had @param listed how many of them it lists now */
export const isListPlausible = (before: number, listed: number): boolean =>
  listed > 0 && listed >= before * PLAUSIBLE_SHARE

/**
 * Why an answer about a product is not believed: it names no variant, or fewer than it says that there are. What it
 * lacks would look deleted.
 * @param variantCount how many the partner says there are; null when it does not say
 */
export function objectionToAnswer(
  variantCount: number | null,
  variants: readonly AnsweredVariant[],
): 'no_variants' | 'half_an_answer' | undefined {
  if (!variants.length) return 'no_variants'
  if (variantCount !== null && variants.length < variantCount) return 'half_an_answer'
  return undefined
}

/** Nothing can be sold without a price, nor made without a blank. */
export const isSellable = (
  variant: AnsweredVariant,
): variant is AnsweredVariant & { unitPrice: Cents; catalogVariantId: number } =>
  variant.unitPrice !== null && variant.unitPrice > 0 && variant.catalogVariantId !== null

/**
 * What the partner has of a product. What it does not say stays as we know it, and a variant that came without a price or a
 * blank stays whole as it is; one that we do not have yet cannot be sold so and is left out.
 * @param costs by the catalog variant's id
 */
export function toVariantCopy(
  ours: Copies,
  productId: ProductId,
  variants: readonly AnsweredVariant[],
  costs: ReadonlyMap<number, Cents>,
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
      unitPrice,
      costCents: costs.get(catalogVariantId) ?? known?.costCents ?? null,
      blankId: rest.blankId ?? known?.blankId ?? null,
    })
  }
  return theirs
}

/**
 * What would make our copies the partner's, in the order in which it is to be done. A variant that the partner no longer
 * has is first no longer made, which is safe, and then gone, which is not.
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

/** A picture is another one when its name is: that the partner's files moved to another host changes no picture. */
const isSame = (field: keyof VariantCopy, a: unknown, b: unknown): boolean =>
  a === b || (field === 'previewUrl' && typeof a === 'string' && typeof b === 'string' && fileOf(a) === fileOf(b))

const fileOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '')

/** Does changes in their order. One that does not fit what is there is an error of the caller: ask `fits` first. */
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

/** Takes changes back, the last one first. */
export const revertChanges = (copies: Copies, changes: readonly Change[]): Map<VariantId, VariantCopy> =>
  applyChanges(copies, changes.toReversed().map(invertChange))

/** Whether what a change starts from is what is there. */
export function changeApplies(copies: Copies, { variantId, before }: Change): boolean {
  const copy = copies.get(variantId)
  return before && copy ? isPart(before, copy) : !before && !copy
}

const isPart = (part: Partial<VariantCopy>, whole: Partial<VariantCopy>): boolean =>
  (Object.keys(part) as (keyof VariantCopy)[]).every((field) => part[field] === whole[field])

/** The same thing proposed again: from the same to the same. */
export const isSameChange = (a: Change, b: Change): boolean =>
  a.variantId === b.variantId && a.kind === b.kind && areEqual(a.before, b.before) && areEqual(a.after, b.after)

const areEqual = (a: Change['after'], b: Change['after']): boolean => (a && b ? isPart(a, b) && isPart(b, a) : a === b)

/** What a sold piece leaves before shipping and fees: price less the partner's cost, where that is known. */
const marginOf = (copy: VariantCopy | undefined): Cents | null =>
  copy && copy.costCents !== null ? minus(copy.unitPrice, copy.costCents) : null

/** What a change does to the margin of a piece; both null for one that does not touch it, or where costs are unknown. */
export function marginEffect(copies: Copies, change: Change): { before: Cents | null; after: Cents | null } {
  if (!['new', 'gone', 'price', 'cost'].includes(change.kind)) return { before: null, after: null }
  const { variantId } = change
  return {
    before: marginOf(copies.get(variantId)),
    after: marginOf(applyChanges(copies, [change]).get(variantId)),
  }
}
