import * as z from 'zod/mini'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'

/** JSON and CSV are read as a whole; archives are not. */
export const CATALOG_TEXT_MAX_MB = 128
export const CATALOG_ZIP_MAX_MB = 4096
/** More are only counted. */
export const DIFFERENCES_SHOWN = 300

const FieldChange = z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })

const Difference = z.object({
  kind: z.enum(['product', 'collection', 'product type', 'picture']),
  /** A product's slug; any other thing's name. */
  name: z.string(),
  what: z.enum(['new', 'changed', 'retired']),
  changes: z.array(FieldChange),
})

/** What a file changed, or would change. */
export const CatalogImport = z.object({
  isDryRun: z.boolean(),
  /** In the file, and those of them that stay as they are. */
  products: z.int(),
  untouched: z.int(),
  new: z.int(),
  changed: z.int(),
  retired: z.int(),
  /** The first of them. */
  differences: z.array(Difference),
  differenceCount: z.int(),
  /** What is imported although it looks wrong: the first of them, by row and column. */
  warnings: z.array(z.object({ row: z.int(), column: z.string(), problem: z.string() })),
  warningCount: z.int(),
  /** A sentence about sales that would fall below the owner's floor; null without any. To import it, `accepted` is needed. */
  belowFloor: z.nullable(z.string()),
  /** Names the file and the difference: sent back, exactly this is imported or nothing. */
  fingerprint: z.string(),
  /** One sentence. */
  done: z.string(),
})
export type CatalogImport = z.output<typeof CatalogImport>

export const adminCatalogFileCalls = {
  exportCatalog: call({
    method: 'GET',
    path: '/api/admin/catalog-file/:form',
    access: 'read_catalog',
    summary: 'The whole catalog as a file: JSON, CSV without pictures, or an archive with them.',
    params: z.object({ form: z.enum(['json', 'csv', 'zip']) }),
    answer: 'file',
    refusals: [],
  }),
} as const

/** The file is the request's body, so this is bound apart from calls with JSON. */
export const catalogFileUploadCalls = {
  importCatalogFile: call({
    method: 'POST',
    path: '/api/admin/catalog-file',
    access: 'owner',
    summary:
      'Imports a catalog file, all or nothing; without `expected`, only shows the difference. `fields` name the mistakes by row and column.',
    query: z.extend(Acceptance, { expected: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))) }),
    body: 'bytes',
    answer: CatalogImport,
    refusals: [
      'catalog_file_refused',
      'catalog_file_too_large',
      'catalog_changed',
      'catalog_import_stopped',
      'below_floor',
    ],
  }),
} as const
