import * as z from 'zod/mini'
import { isoMoment } from './wire.ts'

/** A saved version of a product, a collection or a product type, as its history lists it. */
export const CatalogVersion = z.object({
  version: z.int(),
  source: z.string(),
  by: z.string(),
  at: isoMoment,
  /** What it changed, in words: `name`, `badge`. */
  changes: z.array(z.string()),
})
export type CatalogVersion = z.output<typeof CatalogVersion>
