import * as z from 'zod/mini'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { cleanText } from '#shared/text.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { amount, flag, id, maybeId, text, word } from './shapes.ts'

/** Printful's catalog of blanks, their sizes and print areas. Like all its answers, read with hardly anything required. */

const number = z.nullish(z.union([z.number(), z.string()]))
const DESCRIPTION_MAX = 4000
/** Printful's HTML or lines as plain text with lines. */
const prose = z.pipe(
  z.nullish(z.string()),
  z.transform((given) => plainTextOf(given ?? '')),
)

function plainTextOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': '’' }
  const written = html
    .slice(0, 4 * DESCRIPTION_MAX)
    .replace(/<(?:br|\/p|\/li|\/h\d|\/div)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '')
  return cleanText(written)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, DESCRIPTION_MAX)
}

/** PHP writes an empty object as an empty list. */
const mapOf = <Value extends z.ZodMiniType>(value: Value) =>
  z.pipe(
    z.nullish(z.union([z.record(z.string(), value), z.array(z.unknown())])),
    z.transform((given): Record<string, z.output<Value>> =>
      Array.isArray(given) || !given ? {} : (given as Record<string, z.output<Value>>),
    ),
  )

const optionShape = z.object({
  id: z.string(),
  title: text,
  type: text,
  values: mapOf(z.nullish(z.union([z.string(), z.number(), z.boolean()]))),
  additional_price: amount,
  additional_price_breakdown: mapOf(amount),
})

const fileShape = z.object({
  id: word,
  type: word,
  title: text,
  additional_price: amount,
  options: z.nullish(z.array(z.object({ id: z.string(), additional_price: amount }))),
})

export const blankSummaryShape = z.object({
  id,
  main_category_id: maybeId,
  type_name: text,
  title: text,
  brand: text,
  model: text,
  image: text,
  variant_count: maybeId,
  currency: text,
  is_discontinued: flag,
  techniques: z.nullish(z.array(z.object({ key: z.string(), display_name: text, is_default: flag }))),
})

const blankProductShape = z.extend(blankSummaryShape, {
  description: prose,
  origin_country: text,
  avg_fulfillment_time: number,
  files: z.nullish(z.array(fileShape)),
  options: z.nullish(z.array(optionShape)),
})

const blankVariantShape = z.object({
  id,
  size: text,
  color: text,
  color_code: word,
  color_code2: word,
  price: amount,
  in_stock: flag,
  availability_status: z.nullish(z.array(z.object({ region: word, status: word }))),
  material: z.nullish(z.array(z.object({ name: text, percentage: number }))),
})

export const blankShape = z.object({ product: blankProductShape, variants: z.nullish(z.array(blankVariantShape)) })

export const categoryShape = z.object({ id, parent_id: maybeId, title: text })

export type PrinterCategory = { id: number; parentId: number | null; title: string }

export const categoryOf = ({ id, parent_id, title }: z.output<typeof categoryShape>): PrinterCategory => ({
  id,
  parentId: parent_id || null,
  title: title ?? '',
})

export type PrinterBlankSummary = {
  id: number
  title: string
  brand: string | null
  model: string | null
  kind: string
  categoryId: number | null
  techniques: { key: string; name: string; isDefault: boolean }[]
  variantCount: number
  imageUrl: string | null
  isDiscontinued: boolean
}

type PrinterBlankVariant = {
  id: number
  size: string | null
  color: string | null
  /** `#rrggbb` in lower case. */
  hex: string | null
  hex2: string | null
  /** Null without a price in US dollars. */
  cost: Cents | null
  isInStock: boolean
  /** Printful's codes of the regions where it can be made now. */
  regions: string[]
  materials: { name: string; percentage: number | null }[]
}

type PrinterPlacement = {
  /** The `type` of a file. */
  placement: string
  title: string
  extraCost: Cents
  /** Null where unlimited thread colors are not offered. */
  unlimitedColorsCost: Cents | null
}

type PrinterBlankOption = {
  id: string
  title: string
  kind: string
  values: { value: string; label: string; extraCost: Cents }[]
}

export type PrinterBlank = PrinterBlankSummary & {
  description: string
  originCountry: string | null
  fulfillmentDays: number | null
  placements: PrinterPlacement[]
  options: PrinterBlankOption[]
  variants: PrinterBlankVariant[]
}

export const blankSummaryOf = (blank: z.output<typeof blankSummaryShape>): PrinterBlankSummary => ({
  id: blank.id,
  title: blank.title || `Blank ${blank.id}`,
  brand: blank.brand || null,
  model: blank.model || null,
  kind: blank.type_name ?? '',
  categoryId: blank.main_category_id || null,
  techniques: (blank.techniques ?? []).map(({ key, display_name, is_default }) => ({
    key,
    name: display_name || key,
    isDefault: is_default === true,
  })),
  variantCount: blank.variant_count ?? 0,
  imageUrl: blank.image || null,
  isDiscontinued: blank.is_discontinued === true,
})

/** Printful's mockups are no place to print on. */
const isPlacement = (type: string): boolean => type !== 'preview' && type !== 'mockup'

export function blankOf({ product, variants }: z.output<typeof blankShape>, report: ReportUnknownValue): PrinterBlank {
  const isUsd = !product.currency || product.currency.toUpperCase() === 'USD'
  const usd = (cents: Cents | null): Cents => (isUsd && cents !== null ? cents : ZERO)
  return {
    ...blankSummaryOf(product),
    description: product.description,
    originCountry: product.origin_country || null,
    fulfillmentDays: numberOf(product.avg_fulfillment_time),
    placements: (product.files ?? []).flatMap(({ id, type, title, additional_price, options }) => {
      const placement = type || id
      if (!placement || !isPlacement(placement)) return []
      const unlimited = options?.find(({ id }) => id === 'full_color')
      return [
        {
          placement,
          title: title || placement,
          extraCost: usd(additional_price),
          unlimitedColorsCost: unlimited ? usd(unlimited.additional_price) : null,
        },
      ]
    }),
    options: (product.options ?? []).map((option) => ({
      id: option.id,
      title: option.title || option.id,
      kind: option.type ?? '',
      values: Object.entries(option.values).map(([value, label]) => ({
        value,
        label: String(label ?? value),
        extraCost: usd(option.additional_price_breakdown[value] ?? option.additional_price),
      })),
    })),
    variants: (variants ?? []).map((variant) => variantOf(variant, isUsd, report)),
  }
}

/** Whether a blank can be made in a region, by Printful's word for its stock there. */
const stockStatuses: Readonly<Record<string, boolean>> = {
  in_stock: true,
  stocked_on_demand: true,
  discontinued: false,
  out_of_stock: false,
  not_fulfillable: false,
}

function variantOf(
  variant: z.output<typeof blankVariantShape>,
  isUsd: boolean,
  report: ReportUnknownValue,
): PrinterBlankVariant {
  const regions = (variant.availability_status ?? []).flatMap(({ region, status }) => {
    if (!region || !status) return []
    if (!Object.hasOwn(stockStatuses, status)) report('stock status', status)
    return stockStatuses[status] === true ? [region] : []
  })
  return {
    id: variant.id,
    size: variant.size || null,
    color: variant.color || null,
    hex: hexOf(variant.color_code),
    hex2: hexOf(variant.color_code2),
    cost: isUsd ? variant.price : null,
    isInStock: variant.in_stock !== false,
    regions,
    materials: (variant.material ?? []).flatMap(({ name, percentage }) =>
      name ? [{ name, percentage: numberOf(percentage) }] : [],
    ),
  }
}

const hexOf = (code: string | null | undefined): string | null =>
  code && /^#?[0-9a-f]{6}$/i.test(code.trim()) ? `#${code.trim().replace('#', '').toLowerCase()}` : null

function numberOf(given: string | number | null | undefined): number | null {
  if (given === null || given === undefined || given === '') return null
  const read = Number(given)
  return Number.isFinite(read) && read >= 0 ? read : null
}

const measure = z.nullish(z.union([z.string(), z.number()]))

export const sizesShape = z.object({
  size_tables: z.nullish(
    z.array(
      z.object({
        type: z.string(),
        unit: word,
        description: prose,
        measurements: z.nullish(
          z.array(
            z.object({
              type_label: text,
              values: z.nullish(
                z.array(z.object({ size: z.string(), value: measure, min_value: measure, max_value: measure })),
              ),
            }),
          ),
        ),
      }),
    ),
  ),
})

const sizeTableKinds = ['measure_yourself', 'product_measure', 'international'] as const

export type PrinterSizeTable = {
  kind: (typeof sizeTableKinds)[number]
  /** Null for names of sizes. */
  unit: 'inches' | 'cm' | null
  description: string
  rows: { label: string; values: { size: string; value: string }[] }[]
}

export const sizeTablesOf = (
  { size_tables }: z.output<typeof sizesShape>,
  report: ReportUnknownValue,
): PrinterSizeTable[] =>
  (size_tables ?? []).flatMap(({ type, unit, description, measurements }) => {
    const kind = sizeTableKinds.find((known) => known === type)
    if (!kind) report('size table', type)
    if (!kind || (unit && unit !== 'inches' && unit !== 'cm')) return []
    const rows = (measurements ?? []).map(({ type_label, values }) => ({
      label: type_label ?? '',
      values: (values ?? []).flatMap(({ size, value, min_value, max_value }) => {
        const shown = value ?? (min_value && max_value ? `${min_value} – ${max_value}` : undefined)
        return shown === undefined ? [] : [{ size, value: String(shown) }]
      }),
    }))
    return [{ kind, unit: unit === 'inches' || unit === 'cm' ? unit : null, description, rows }]
  })

const pixels = z.int().check(z.gte(1), z.lte(100_000))

export const printfilesShape = z.object({
  available_placements: mapOf(z.nullish(z.string())),
  printfiles: z.nullish(
    z.array(
      z.object({ printfile_id: id, width: pixels, height: pixels, dpi: pixels, fill_mode: word, can_rotate: flag }),
    ),
  ),
  variant_printfiles: z.nullish(z.array(z.object({ variant_id: id, placements: mapOf(z.int()) }))),
})

export type PrinterPrintArea = {
  placement: string
  title: string
  technique: string
  /** Pixels of the whole area at `dpi`. */
  width: number
  height: number
  dpi: number
  fillMode: 'cover' | 'fit'
  canRotate: boolean
  variantIds: number[]
}

/** A row for each placement and print file. */
export function printAreasOf(
  { available_placements, printfiles, variant_printfiles }: z.output<typeof printfilesShape>,
  technique: string,
): PrinterPrintArea[] {
  const byId = new Map((printfiles ?? []).map((file) => [file.printfile_id, file]))
  const areas = new Map<string, PrinterPrintArea>()
  for (const { variant_id, placements } of variant_printfiles ?? []) {
    for (const [placement, fileId] of Object.entries(placements)) {
      const file = byId.get(fileId)
      if (!file || !isPlacement(placement)) continue
      const key = `${placement} ${fileId}`
      const known = areas.get(key)
      if (known) known.variantIds.push(variant_id)
      else
        areas.set(key, {
          placement,
          title: available_placements[placement] || placement,
          technique,
          width: file.width,
          height: file.height,
          dpi: file.dpi,
          fillMode: file.fill_mode === 'cover' ? 'cover' : 'fit',
          canRotate: file.can_rotate === true,
          variantIds: [variant_id],
        })
    }
  }
  return [...areas.values()]
}
