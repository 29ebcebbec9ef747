import type { FormerProduct, FormerVariant } from './former-shop.ts'

/** What ties a product of the printer's store to one of a former shop. */
type PrinterVariant = { sku: string | null; color: string | null; size: string | null }
type PrinterProduct = { externalId: string | null; variants: readonly PrinterVariant[] }

const keyOf = (text: string | null): string => text?.trim().toLowerCase() ?? ''

/**
 * Finds the printer's product of a former shop's: by one of its references as external id, otherwise by the SKUs of its variants.
 * @returns a function that returns `several` when the SKUs belong to more than one
 */
export function printerFinder<Theirs extends PrinterProduct>(store: readonly Theirs[]) {
  const byName = new Map(store.map((product) => [keyOf(product.externalId), product]))
  const bySku = new Map(store.flatMap((product) => product.variants.map(({ sku }) => [keyOf(sku), product] as const)))
  return ({ references, variants }: FormerProduct): Theirs | 'several' | undefined => {
    const named = references.map((reference) => byName.get(keyOf(reference))).find((found) => found !== undefined)
    if (named) return named
    const found = new Set(
      variants.flatMap(({ sku }) => {
        const product = sku === null ? undefined : bySku.get(keyOf(sku))
        return product ? [product] : []
      }),
    )
    return found.size > 1 ? 'several' : [...found][0]
  }
}

export type Ties<Theirs> = {
  /** @property unitPrice the former shop's; null if its file has none @property picture the former variant's own */
  tied: ({ variant: Theirs } & Pick<FormerVariant, 'unitPrice' | 'picture'>)[]
  /** What the printer's product does not have. */
  lost: FormerVariant[]
}

/** Ties the variants of two products, by SKU, otherwise by color and size; a single one to a single one. */
export function tieVariants<Theirs extends PrinterVariant>(
  ours: readonly FormerVariant[],
  theirs: readonly Theirs[],
): Ties<Theirs> {
  const free = new Set(theirs)
  const tied: Ties<Theirs>['tied'] = []
  const take = (variant: Theirs, { unitPrice, picture }: FormerVariant) => {
    free.delete(variant)
    tied.push({ variant, unitPrice, picture })
  }
  const lost: FormerVariant[] = []
  const unnamed = ours.filter((former) => {
    const found = former.sku === null ? undefined : [...free].find(({ sku }) => keyOf(sku) === keyOf(former.sku))
    if (found) take(found, former)
    return !found
  })
  for (const former of unnamed) {
    const isSingle = ours.length === 1 && theirs.length === 1
    const found = [...free].find((variant) => isSingle || hasOptions(former, variant))
    if (found) take(found, former)
    else lost.push(former)
  }
  return { tied, lost }
}

/** The color of each picture that only variants of one color have, by its address. */
export function pictureColors(
  tied: readonly { variant: { color: string | null }; picture: string | null }[],
): Map<string, string> {
  const colors = Map.groupBy(
    tied.filter(({ picture }) => picture !== null),
    ({ picture }) => picture ?? '',
  )
  return new Map(
    [...colors].flatMap(([picture, some]) => {
      const [color, ...others] = new Set(some.map(({ variant }) => variant.color))
      return color && others.length === 0 ? [[picture, color] as const] : []
    }),
  )
}

function hasOptions({ options }: FormerVariant, { color, size }: PrinterVariant): boolean {
  const wanted = [color, size].filter((option) => option !== null).map(keyOf)
  const given = new Set(options.map(keyOf))
  return wanted.length > 0 && wanted.length === given.size && wanted.every((option) => given.has(option))
}
