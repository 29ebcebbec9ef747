import * as z from 'zod/mini'
import { ageGroups, decorations, LIST_GROUP_MAX } from '#domain/catalog/product-types.ts'
import { call } from './call.ts'
import { CatalogVersion } from './catalog-version.ts'
import { MeasureInInches } from './catalog.ts'
import { pathId, shortText, singleLineText } from './wire.ts'

/** A product type's key, as in `water-bottle`. */
const typeKey = z.string().check(
  z.trim(),
  z.maxLength(40, 'Please use at most 40 characters'),
  z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Please use lower-case letters, digits and single hyphens, such as phone-case'),
  z.refine((key) => key !== 'new', 'Please use another word: the page for new types has this address'),
)

/** As search words are compared: lower case, with a space for a hyphen. */
export const searchWord = singleLineText(60, 'Please enter a word').check(
  z.overwrite((word) =>
    word
      .toLowerCase()
      .replaceAll(/[-\s]+/g, ' ')
      .trim(),
  ),
  z.minLength(1, 'Please enter a word'),
)
const label = singleLineText(60, 'Please enter a name')
const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length

const SizeTable = z
  .object({
    caption: shortText(0, 200, ''),
    measures: z
      .array(singleLineText(40, 'Please name each measure'))
      .check(
        z.minLength(1, 'Please name at least one measure'),
        z.maxLength(12, 'Please enter at most 12 measures'),
        z.refine(isUnique, 'Two measures have the same name'),
      ),
    rows: z
      .array(
        z.object({
          size: singleLineText(60, 'Please name each size'),
          values: z.array(MeasureInInches),
        }),
      )
      .check(
        z.minLength(1, 'Please enter at least one size'),
        z.maxLength(60, 'Please enter at most 60 sizes'),
        z.refine((rows) => isUnique(rows.map(({ size }) => size)), 'Two rows have the same size'),
      ),
  })
  .check(
    z.refine(
      ({ measures, rows }) => rows.every(({ values }) => values.length === measures.length),
      'Each size needs one value for each measure',
    ),
    z.refine(
      ({ rows }) => rows.every(({ values }) => values.flat().every((inches) => inches === null || inches >= 0)),
      'Measures can’t be negative',
    ),
  )

/** What the owner edits of a product type, and what the catalog file has of it. */
export const ProductTypeContent = z.object({
  key: typeKey,
  name: label,
  plural: label,
  piece: label,
  pieces: label,
  allProducts: z.nullable(label),
  synonyms: z.array(searchWord).check(z.maxLength(100, 'Please enter at most 100 words')),
  position: z.int('Please enter a whole number').check(z.gte(0), z.lte(9999, 'Please enter a number up to 9999')),
  listGroup: z
    .int('Please enter a whole number')
    .check(z.gte(0), z.lte(LIST_GROUP_MAX, `Please enter a number up to ${LIST_GROUP_MAX}`)),
  merchantCategory: shortText(0, 200, ''),
  merchantType: label,
  ageGroup: z.enum(ageGroups),
  colorLabel: label,
  sizeLabel: label,
  facts: z
    .array(
      z.object({
        label: singleLineText(40, 'Please name each line'),
        value: singleLineText(300, 'Please say something in each line'),
        onlyFor: z.optional(singleLineText(40)),
      }),
    )
    .check(z.maxLength(30, 'Please enter at most 30 lines')),
  sizeTable: z.nullable(SizeTable),
  decoration: z.enum(decorations),
  blankId: z.nullable(z.int('Please enter the printer’s catalog number').check(z.gte(1), z.lte(2 ** 31 - 1))),
  hasModel: z.boolean(),
})
export type ProductTypeContent = z.output<typeof ProductTypeContent>

const AdminProductType = z.object({
  content: ProductTypeContent,
  version: z.int(),
  /** How many products are of it, in any state. */
  products: z.int(),
  /** How many of them are published. */
  published: z.int(),
  /** Its blank as our copy of the printer's catalog has it; null without one, and for one that was never read. */
  blank: z.nullable(z.object({ title: z.string(), isDiscontinued: z.boolean() })),
})
export type AdminProductType = z.output<typeof AdminProductType>

const done = z.object({ done: z.string() })
const ofKey = z.object({ key: z.string().check(z.maxLength(40)) })

const savedVersion = z.int().check(z.gte(1))

export const adminProductTypeCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/product-types',
    access: 'read_catalog',
    summary: 'All product types, in the order of the filter.',
    answer: z.object({ types: z.array(AdminProductType) }),
    refusals: [],
  }),
  save: call({
    method: 'PUT',
    path: '/api/admin/product-types/:key',
    access: 'owner',
    summary: 'Saves a product type; refused when somebody else saved it since `version`. Version 0 makes a new one.',
    params: ofKey,
    body: z.object({ version: z.int().check(z.gte(0)), content: ProductTypeContent }),
    answer: done,
    refusals: ['unknown_product_type', 'product_changed'],
  }),
  history: call({
    method: 'GET',
    path: '/api/admin/product-types/:key/history',
    access: 'read_catalog',
    summary: 'The latest hundred versions of a product type, newest first.',
    params: ofKey,
    answer: z.object({ versions: z.array(CatalogVersion) }),
    refusals: [],
  }),
  restore: call({
    method: 'POST',
    path: '/api/admin/product-types/:key/restore',
    access: 'owner',
    summary: 'Saves an earlier version of a product type again.',
    params: ofKey,
    body: z.object({ version: savedVersion, restored: savedVersion }),
    answer: done,
    refusals: ['unknown_product_type', 'product_changed'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/admin/product-types/:key',
    access: 'owner',
    summary: 'Deletes a product type that no product is of.',
    params: ofKey,
    answer: done,
    refusals: ['unknown_product_type', 'product_type_used'],
  }),
  fromBlank: call({
    method: 'GET',
    path: '/api/admin/blanks/:id/product-type',
    access: 'owner',
    summary:
      'A new product type filled from a blank of the printer, not saved yet, and the type of the shop nearest to it.',
    params: z.object({ id: pathId<number>() }),
    answer: z.object({ content: ProductTypeContent, similar: z.nullable(z.string()) }),
    refusals: ['unknown_blank', 'blank_not_read'],
  }),
}
