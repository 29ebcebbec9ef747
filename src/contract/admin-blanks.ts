import * as z from 'zod/mini'
import { call } from './call.ts'
import { centsAnswer, isoMoment, pathId } from './wire.ts'

const Technique = z.object({
  /** Printful's key, such as `DTG` or `EMBROIDERY`. */
  key: z.string(),
  name: z.string(),
  isDefault: z.boolean(),
})

/** A product of the printer's catalog, as lists show it. */
export const BlankSummary = z.object({
  /** Printful's catalog number, such as 71. */
  id: z.int(),
  title: z.string(),
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** Such as `T-Shirt`. */
  kind: z.string(),
  categoryId: z.nullable(z.int()),
  /** From the root: `Men’s clothing`, `All shirts`, `T-shirts`. */
  category: z.array(z.string()),
  techniques: z.array(Technique),
  variantCount: z.int(),
  /** Address of the printer's picture in our own size; null where it has none. */
  picture: z.nullable(z.string()),
  /** What the cheapest and the dearest variant cost us with their included print; null until read, and where the printer says none. */
  costFrom: z.nullable(centsAnswer),
  costTo: z.nullable(centsAnswer),
  costsReadAt: z.nullable(isoMoment),
  /** When the printer stopped making it, as far as we saw; null while it is made. */
  discontinuedAt: z.nullable(isoMoment),
  /** When a variant's cost changed last; null if never. */
  costChangedAt: z.nullable(isoMoment),
  /** When its variants, sizes and print areas were read; null if never. */
  fetchedAt: z.nullable(isoMoment),
})
export type BlankSummary = z.output<typeof BlankSummary>

export const BlankVariant = z.object({
  /** Printful's catalog variant, such as 4012. */
  id: z.int(),
  size: z.nullable(z.string()),
  color: z.nullable(z.string()),
  /** `#rrggbb`; null for what has no color. */
  hex: z.nullable(z.string()),
  /** A second color, as of a mug's inside. */
  hex2: z.nullable(z.string()),
  /** With its included print; null without a price in US dollars. */
  cost: z.nullable(centsAnswer),
  /** Before the last change. */
  costBefore: z.nullable(centsAnswer),
  costChangedAt: z.nullable(isoMoment),
  /** False also when the printer discontinued it. */
  isInStock: z.boolean(),
  discontinuedAt: z.nullable(isoMoment),
  /** Where it can be made now: `US`, `EU`, `EU_LV`, `UK`, `CA`, `MX`, `AU`, `JP`, `BR` … */
  regions: z.array(z.string()),
  /** Such as `cotton` 90 and `polyester` 10; the share in percent is null if unknown. */
  materials: z.array(z.object({ name: z.string(), percentage: z.nullable(z.number()) })),
})
export type BlankVariant = z.output<typeof BlankVariant>

/** `measure_yourself`: of the body. `product_measure`: of the product. `international`: the same size in other countries. */
const BlankSizeTable = z.object({
  kind: z.enum(['measure_yourself', 'product_measure', 'international']),
  /** Null for names of sizes. */
  unit: z.nullable(z.enum(['inches', 'cm'])),
  /** Plain text. */
  description: z.string(),
  rows: z.array(
    z.object({
      label: z.string(),
      /** By size: `28`, or `34 – 37`. */
      values: z.array(z.object({ size: z.string(), value: z.string() })),
    }),
  ),
})
type BlankSizeTable = z.output<typeof BlankSizeTable>

/** Where something can be printed. A placement that differs by variant, as of posters, has a row for each print file. */
export const BlankPrintArea = z.object({
  /** Such as `front` or `embroidery_chest_left`: the `type` of a file. */
  placement: z.string(),
  title: z.string(),
  technique: z.string(),
  /** Pixels of the whole area at `dpi`. */
  width: z.int(),
  height: z.int(),
  dpi: z.int(),
  /** `cover` crops a drawing with other proportions; `fit` leaves room. */
  fillMode: z.enum(['cover', 'fit']),
  /** Posters and the like: width and height may be exchanged. */
  canRotate: z.boolean(),
  /** What a print here adds to the variant's cost; zero if included. */
  extraCost: centsAnswer,
  /** What unlimited thread colors add; null where they are not offered. */
  unlimitedColorsCost: z.nullable(centsAnswer),
  variantIds: z.array(z.int()),
})
export type BlankPrintArea = z.output<typeof BlankPrintArea>

/** A choice besides color and size, such as the thread colors of a placement. */
const BlankOption = z.object({
  /** Such as `thread_colors_chest_left` or `stitch_color`. */
  id: z.string(),
  title: z.string(),
  /** Printful's: `bool`, `radio`, `multi_select`, `text` … */
  kind: z.string(),
  values: z.array(z.object({ value: z.string(), label: z.string(), extraCost: centsAnswer })),
})
type BlankOption = z.output<typeof BlankOption>

export const Blank = z.extend(BlankSummary, {
  /** The printer's description with materials and care; plain text with lines. */
  description: z.string(),
  originCountry: z.nullable(z.string()),
  /** Average days of production; null if unknown. */
  fulfillmentDays: z.nullable(z.number()),
  /** In the order of the printer. */
  colors: z.array(
    z.object({ name: z.string(), hex: z.nullable(z.string()), hex2: z.nullable(z.string()), isInStock: z.boolean() }),
  ),
  sizes: z.array(z.string()),
  variants: z.array(BlankVariant),
  sizeTables: z.array(BlankSizeTable),
  printAreas: z.array(BlankPrintArea),
  options: z.array(BlankOption),
})
export type Blank = z.output<typeof Blank>

export const BLANKS_A_PAGE = 48

export const adminBlankCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/blanks',
    access: 'owner',
    summary: 'The printer’s catalog of blanks: search words, a category with those below it, and pages.',
    query: z.object({
      search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
      category: z.optional(pathId<number>()),
      page: z.optional(pathId<number>()),
    }),
    answer: z.object({
      blanks: z.array(BlankSummary),
      total: z.int(),
      /** Every category with a blank in it or below it. `parentId` is null at the root. */
      categories: z.array(z.object({ id: z.int(), parentId: z.nullable(z.int()), title: z.string(), blanks: z.int() })),
      /** When the list was read from the printer; null before the first time. */
      readAt: z.nullable(isoMoment),
    }),
    refusals: [],
  }),
  show: call({
    method: 'GET',
    path: '/api/admin/blanks/:id',
    access: 'owner',
    summary:
      'One blank with variants, costs, size tables, print areas and options; read from the printer when older than a day.',
    params: z.object({ id: pathId<number>() }),
    answer: Blank,
    refusals: ['unknown_blank', 'blank_not_read'],
  }),
  picture: call({
    method: 'GET',
    path: '/api/admin/blanks/:id/picture',
    access: 'owner',
    summary: 'The printer’s picture of a blank in our own size, taken over when it is first asked for. A WebP file.',
    params: z.object({ id: pathId<number>() }),
    answer: 'file',
    refusals: ['unknown_picture'],
  }),
  read: call({
    method: 'POST',
    path: '/api/admin/blanks',
    access: 'owner',
    summary: 'Reads the printer’s catalog now instead of once a day.',
    answer: z.object({ done: z.string() }),
    refusals: [],
  }),
}
