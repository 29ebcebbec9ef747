import * as z from 'zod/mini'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { Draft } from './admin-studio.ts'
import { call } from './call.ts'
import { branded, centsAnswer, isoMoment, providerPathId } from './wire.ts'

/** A variant of the printer's store. */
const Variant = z.object({
  id: branded<VariantId>(),
  color: z.nullable(z.string()),
  size: z.nullable(z.string()),
  /** Null without a price in US dollars. */
  price: z.nullable(centsAnswer),
  hasPreview: z.boolean(),
})

const Details = z.object({
  /** Of its first variant. */
  blankId: z.nullable(z.int()),
  blankTitle: z.string(),
  colors: z.array(z.string()),
  sizes: z.array(z.string()),
  /** Where it is printed: `front`, `embroidery_chest_left`. */
  placements: z.array(z.string()),
  /** Of its oldest file: Printful does not say when a product was made. */
  madeAt: z.nullable(isoMoment),
  variants: z.array(Variant),
  /** Why it cannot be taken over as it is; null if it can. */
  objection: z.nullable(z.string()),
})

const PrinterProduct = z.object({
  /** Printful's sync product. */
  id: z.int(),
  name: z.string(),
  variantCount: z.nullable(z.int()),
  /** Whether all its variants are tied to blanks. */
  isSynced: z.boolean(),
  hasThumbnail: z.boolean(),
  isIgnored: z.boolean(),
  /** The draft that takes it over, if there is one. */
  draftId: z.nullable(z.int()),
  /** Null while the printer does not answer about it. */
  details: z.nullable(Details),
})
export type PrinterProduct = z.output<typeof PrinterProduct>

export const PRINTER_PRODUCTS_A_PAGE = 12

const ofProduct = z.object({ id: providerPathId<SyncProductId>() })
const done = z.object({ done: z.string() })

export const adminPrinterProductCalls = {
  printerProducts: call({
    method: 'GET',
    path: '/api/admin/printer-products',
    access: 'owner',
    summary: 'Products of the printer’s store that the shop does not have, latest first; read from the printer.',
    query: z.object({
      page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000))),
      ignored: z.optional(z.literal('1')),
    }),
    answer: z.object({
      products: z.array(PrinterProduct),
      total: z.int(),
      ignored: z.int(),
      /** When the printer’s list was read; null if never. */
      readAt: z.nullable(isoMoment),
      /** The printer does not answer, so this is what it had then. */
      isOld: z.boolean(),
    }),
    refusals: [],
  }),
  printerProduct: call({
    method: 'GET',
    path: '/api/admin/printer-products/:id',
    access: 'owner',
    summary: 'One of them, as it was read last.',
    params: ofProduct,
    answer: PrinterProduct,
    refusals: ['unknown_printer_product'],
  }),
  printerProductPicture: call({
    method: 'GET',
    path: '/api/admin/printer-products/:id/picture',
    access: 'owner',
    summary: 'Its thumbnail, or the preview of a variant.',
    params: ofProduct,
    query: z.object({ variant: z.optional(providerPathId<VariantId>()) }),
    answer: 'file',
    refusals: ['unknown_printer_product', 'unknown_picture'],
  }),
  takeOver: call({
    method: 'POST',
    path: '/api/admin/printer-products/:id/take-over',
    access: 'owner',
    summary: 'Starts a draft that takes the product over, or finds the one that was started.',
    params: ofProduct,
    answer: Draft,
    refusals: ['unknown_printer_product', 'printer_product_gone', 'printer_product_taken', 'printer_product_unfit'],
  }),
  ignorePrinterProduct: call({
    method: 'POST',
    path: '/api/admin/printer-products/:id/ignore',
    access: 'owner',
    summary: 'Leaves it out of the list.',
    params: ofProduct,
    answer: done,
    refusals: ['unknown_printer_product'],
  }),
  bringBackPrinterProduct: call({
    method: 'DELETE',
    path: '/api/admin/printer-products/:id/ignore',
    access: 'owner',
    summary: 'Lists it again.',
    params: ofProduct,
    answer: done,
    refusals: ['unknown_printer_product'],
  }),
}
