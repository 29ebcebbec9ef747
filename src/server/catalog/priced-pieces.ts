import { and, asc, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { MarginBasis } from '#domain/catalog/margin.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { USUAL_RATES, listShippingRates } from '#server/blanks/shipping-rates.ts'
import type { Reader } from '#server/db/db.ts'
import { marginFactsOf, type MarginTerms } from './margin-terms.ts'
import { product, variant } from './schema.ts'

/** What is printed on a blank and has a price. */
type Piece = {
  productId: ProductId
  product: string
  type: string
  collection: string
  price: Cents
  cost: Cents
  blankId: number | null
  metadata: ProductMetadata
}

const PRODUCTS_A_PAGE = 500

/**
 * The pieces of products that are or will be on sale, without repeating equal ones, in pages; those of unknown cost are left out.
 * @param only these products, in any state
 */
export async function* listPieces(db: Reader, only?: readonly ProductId[]): AsyncGenerator<Piece[]> {
  let last = 0 as ProductId
  for (;;) {
    const products = await db
      .select({
        ...{ productId: product.id, product: product.name, metadata: product.metadata },
        ...{ type: product.type, collection: product.collection },
      })
      .from(product)
      .where(
        and(
          gt(product.id, last),
          only ? inArray(product.id, [...only]) : inArray(product.state, ['published', 'scheduled']),
        ),
      )
      .orderBy(asc(product.id))
      .limit(PRODUCTS_A_PAGE)
    const ids = products.map(({ productId }) => productId)
    const priced = ids.length
      ? await db
          .selectDistinct({
            ...{ productId: variant.productId, price: variant.unitPrice },
            ...{ cost: variant.costCents, blankId: variant.blankId },
          })
          .from(variant)
          .where(and(inArray(variant.productId, ids), isNull(variant.goneAt), isNotNull(variant.costCents)))
      : []
    const of = Map.groupBy(priced, ({ productId }) => productId)
    yield products.flatMap((one) =>
      (of.get(one.productId) ?? []).flatMap(({ cost, ...piece }) =>
        cost === null ? [] : [{ ...one, ...piece, cost }],
      ),
    )
    if (products.length < PRODUCTS_A_PAGE) return
    last = ids.at(-1) ?? last
  }
}

/** Makes the basis of pieces on these blanks, with the shipping rates as last read. */
export async function readBases(
  db: Reader,
  blankIds: readonly (number | null)[],
): Promise<
  (
    terms: MarginTerms,
    piece: Pick<Piece, 'cost' | 'blankId' | 'metadata'> & { productId: ProductId | null },
  ) => MarginBasis
> {
  const rates = await listShippingRates(
    db,
    blankIds.flatMap((id) => id ?? []),
  )
  return (terms, { cost, blankId, metadata, productId }) => ({
    ...marginFactsOf(terms, rates.get(blankId ?? 0) ?? USUAL_RATES, productId),
    ...{ cost, metadata },
  })
}
