import type { ProductColor } from './color-text.ts'
import type { ProductMetadata } from './metadata.ts'
import type { ProductState } from './product-state.ts'

/** A picture as the gallery shows it. */
export type ProductPicture = {
  view: string
  color: string | null
  /** Name without width and extension; contains a content hash. */
  file: string
  widths: number[]
  width: number
  height: number
  alt?: string | undefined
  /** Whether it is also there as AVIF. */
  avif?: boolean | undefined
}

/** Everything that an owner or a file says about a product; its variants come from the printer. */
export type ProductContent = {
  slug: string
  /** The printer's external id where it is not the slug, because the slug was changed here. */
  externalId: string | null
  name: string
  description: string
  /** Of a collection and a product type, by their slugs. */
  collection: string
  type: string
  badge: string | null
  metadata: ProductMetadata
  requiresOptions: boolean
  /** The public mapping to the printer's product; only some have one. */
  providerProductId: number | null
  /** Swatches in order. */
  colors: ProductColor[]
  pictures: ProductPicture[]
  /** The owner's position in lists. */
  place: number | null
  state: ProductState
  /** ISO 8601, UTC. */
  publishAt: string | null
}

/** Equal as JSON; the order of an object's members does not count, and a missing one is undefined. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((value, index) => isSameValue(value, b[index]))
    )
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) =>
    isSameValue(left[name], right[name]),
  )
}

/** The names of the members that differ. */
export const changedMembers = <Content extends object>(
  before: Partial<Content>,
  after: Partial<Content>,
): (keyof Content)[] =>
  (Object.keys({ ...before, ...after }) as (keyof Content)[]).filter(
    (name) => !isSameValue(before[name] ?? null, after[name] ?? null),
  )

/**
 * Takes a newer file over, member by member: what the file changed since it was last imported is the file's, everything else stays
 * as the owner has it.
 * @param last the file's content at the last import; undefined before the first import, when the file's content wins
 */
export const mergeImport = <Content extends object>(
  last: Partial<Content> | undefined,
  current: Content,
  file: Content,
): Content => {
  const changed = last ? changedMembers(last, file) : Object.keys(file)
  return { ...current, ...Object.fromEntries(changed.map((name) => [name, file[name as keyof Content]])) }
}
