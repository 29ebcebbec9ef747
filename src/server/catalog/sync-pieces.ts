import { sql } from 'drizzle-orm'
import type { PieceChange, PricedPiece } from '#domain/catalog/margin-floor.ts'
import type { VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { Tx } from '#server/db/db.ts'
import { isOffered } from './margin-guard.ts'
import { readMarginTerms, type TermsNeeds } from './margin-terms.ts'
import { readBases } from './priced-pieces.ts'
import { product } from './schema.ts'

/** What sales of variants leave, as the printer's copies say them. */
export type CopyMargins = {
  /** @returns undefined without a known cost */
  pieceOf(copy: VariantCopy | undefined): PricedPiece | undefined
  /** A change as it is judged; nothing for a product that is not offered. */
  judged(before: VariantCopy | undefined, after: VariantCopy | undefined): PieceChange[]
}

/** Of these copies, before and after a sync's changes. */
export async function readCopyMargins(tx: Tx, shop: TermsNeeds, copies: readonly VariantCopy[]): Promise<CopyMargins> {
  const ids = [...new Set(copies.map(({ productId }) => productId))]
  const rows = await tx
    .select({ id: product.id, name: product.name, metadata: product.metadata, state: product.state })
    .from(product)
    .where(sql`${product.id} = any (${sql.param(ids)}::int[])`)
  const products = new Map(rows.map((row) => [row.id, row]))
  const terms = await readMarginTerms(tx, shop)
  const basisOf = await readBases(
    tx,
    copies.map(({ blankId }) => blankId),
  )
  const pieceOf: CopyMargins['pieceOf'] = (copy) => {
    if (!copy || copy.costCents === null) return undefined
    const { productId, blankId, costCents: cost, unitPrice: price } = copy
    const { metadata = {} } = products.get(productId) ?? {}
    return { price, basis: basisOf(terms, { cost, blankId, metadata, productId }) }
  }
  return {
    pieceOf,
    judged: (before, copy) => {
      const after = pieceOf(copy)
      const found = copy && products.get(copy.productId)
      return after && found && isOffered(found)
        ? [{ productId: found.id, product: found.name, before: pieceOf(before), after }]
        : []
    },
  }
}
