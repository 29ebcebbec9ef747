import { z } from 'zod'

import { PrintfulError } from './answers.ts'
import { threadOption, type BlankVariant, type Catalog, type PrintArea } from './catalog.ts'
import { placements, threads } from './catalog-rows.ts'
import { centsOf, decimalOf } from './decimal.ts'
import { fittedPosition, type Library, type LibraryFile, type Position } from './library.ts'
import type { StoreProduct, StoreVariant, VariantFile } from './products.ts'

/** Creating and changing products of the store. Printful ignores unknown fields. */

const text = z.string().nullish()
const optionBody = z.object({ id: z.string(), value: z.unknown() })
export const variantBody = z.object({
  id: z.number().int().nullish(),
  external_id: text,
  name: text,
  variant_id: z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]).nullish(),
  retail_price: z.union([z.string().regex(/^\d+(\.\d+)?$/), z.number().nonnegative()]).nullish(),
  sku: text,
  files: z
    .array(
      z.object({
        type: text,
        id: z.number().int().nullish(),
        url: z.unknown(),
        options: z.array(optionBody).nullish(),
      }),
    )
    .nullish(),
  options: z.array(optionBody).nullish(),
})
type VariantBody = z.infer<typeof variantBody>
const productBody = z.object({ external_id: text, name: text, thumbnail: text })

export const createBody = z.object({
  sync_product: productBody.optional(),
  sync_variants: z.array(variantBody).optional(),
})
export type CreateBody = z.infer<typeof createBody>

export const fileBody = z.object({
  url: z.unknown(),
  filename: text,
  visible: z.union([z.boolean(), z.number()]).nullish(),
})
export const threadColorsBody = z.object({ file_url: z.unknown() })

const VARIANTS_MAX = 100
const COLORS_MAX = 6
const UNLIMITED_COLORS = '3.95'

/** A file as it is printed on a variant. */
export type Print = { placement: string; file: LibraryFile; position: Position }

type World = {
  store: { products: StoreProduct[] }
  catalog: Catalog
  library: Library
  sendEvent: (type: 'product_synced' | 'product_updated' | 'product_deleted', product: StoreProduct) => void
}

export function openStore({ store, catalog, library, sendEvent }: World) {
  const allVariants = () => store.products.flatMap(({ variants }) => variants)
  let lastVariantId = 0
  const nextVariantId = (): number => {
    lastVariantId = Math.max(lastVariantId, ...allVariants().map(({ id }) => id)) + 1
    return lastVariantId
  }

  function refuseTaken(external_id: string | null | undefined, kind: 'Product' | 'Variant', own?: number): void {
    const known = kind === 'Product' ? store.products : allVariants()
    if (external_id && known.some((one) => one.external_id === external_id && one.id !== own))
      throw new PrintfulError(400, `Sync ${kind} with this External ID already exists`)
  }

  /** Everything is checked before anything is stored. */
  function variantOf(body: VariantBody, index: number, productName: string, known?: StoreVariant): StoreVariant {
    const refuse = (why: string) => new PrintfulError(400, `Variant ${index}: ${why}`)
    const variantId = body.variant_id ?? known?.variant_id
    if (variantId === undefined) throw refuse('The required field variant_id must be present')
    const found = catalog.findVariant(variantId)
    if (!found) throw refuse('Variant not found')
    const { row, variant } = found
    // A variant that is there may still be renamed or priced.
    const isChosen = !known || body.variant_id
    if (isChosen && (row.isDiscontinued || !variant.inStock))
      throw refuse(`${row.title} is discontinued or out of stock`)
    refuseTaken(body.external_id, 'Variant', known?.id)
    const options = body.options ?? known?.options ?? []
    const areas = catalog.areasOf(row, variant)
    const files = body.files ? filesOf(body.files, areas, options, refuse) : known?.files
    if (!files || files.length === 0) throw refuse('Non-label files must be provided for this product')
    checkOptions(catalog.optionsOf(row), options, refuse)
    const id = known?.id ?? nextVariantId()
    const retail = body.retail_price ?? known?.retail_price
    if (retail === undefined) throw refuse('The required field retail_price must be present')
    return {
      id,
      external_id: body.external_id ?? known?.external_id ?? id.toString(16),
      name:
        body.name ??
        known?.name ??
        [productName, [variant.color, variant.size].filter(Boolean).join(' / ')].join(' - '),
      variant_id: variantId,
      retail_price: decimalOf(centsOf(retail)),
      cost: decimalOf(costOf(variant, files, body)),
      sku: body.sku ?? known?.sku ?? '',
      size: variant.size,
      color: variant.color,
      availability: 'active',
      files,
      options,
    }
  }

  function filesOf(
    given: NonNullable<VariantBody['files']>,
    areas: readonly PrintArea[],
    options: StoreVariant['options'],
    refuse: (why: string) => PrintfulError,
  ): VariantFile[] {
    const files = given.map(({ type, id, url, options: fileOptions }) => {
      const placement = !type || type === 'default' ? areas[0]?.placement : type
      if (!placement || !areas.some((area) => area.placement === placement))
        throw refuse(`The file type ${type} is not supported for this product`)
      const isUnlimited = fileOptions?.some((one) => one.id === 'full_color' && one.value === true)
      const isAutomatic = fileOptions?.some((one) => one.id === 'auto_thread_color' && one.value === true)
      if (placement.startsWith('embroidery_') && !isUnlimited && !isAutomatic) {
        const colors = options?.find((one) => one.id === threadOption(placement))?.value
        if (!Array.isArray(colors) || colors.length === 0)
          throw refuse(`The option ${threadOption(placement)} is required for ${placement}`)
      }
      const file = id ? library.find(id) : library.add(url)
      if (!file) throw refuse('The file ID provided was not found')
      return { fileId: file.id, placement }
    })
    if (new Set(files.map(({ placement }) => placement)).size < files.length)
      throw refuse('The provided item contains multiple files for placement')
    return files
  }

  function costOf(variant: BlankVariant, files: readonly VariantFile[], body: VariantBody): number {
    const unlimited = (body.files ?? []).filter(({ options }) =>
      options?.some(({ id, value }) => id === 'full_color' && value === true),
    ).length
    const [first] = files
    return files.reduce(
      (sum, file) => {
        const extra = placements[file.placement]?.[1]
        // The first placement is part of the price, except embroidery on what is usually printed.
        const isIncluded = file === first && !/^embroidery_chest|_large$/.test(file.placement)
        return sum + (extra && !isIncluded ? centsOf(extra) : 0)
      },
      variant.cost + unlimited * centsOf(UNLIMITED_COLORS),
    )
  }

  function create(body: CreateBody): StoreProduct {
    const { sync_product: head, sync_variants: wanted } = body
    if (!head?.name) throw new PrintfulError(400, 'Missing required parameters: sync_product.name')
    const name = head.name
    if (!wanted || wanted.length === 0) throw new PrintfulError(400, 'Missing required parameters: sync_variants')
    if (wanted.length > VARIANTS_MAX)
      throw new PrintfulError(400, `A Sync Product can have at most ${VARIANTS_MAX} Sync Variants`)
    refuseTaken(head.external_id, 'Product')
    const variants = wanted.map((one, index) => variantOf(one, index, name))
    const externals = variants.map(({ external_id }) => external_id)
    if (new Set(externals).size < externals.length)
      throw new PrintfulError(400, 'Sync Variant with this External ID already exists')
    const row = catalog.findVariant(variants[0]?.variant_id ?? 0)?.row
    const id = Math.max(...store.products.map((product) => product.id), 0) + 1
    const product: StoreProduct = {
      id,
      external_id: head.external_id ?? id.toString(16),
      name,
      type: '',
      design: '',
      isCreated: true,
      hexes: hexesOf(catalog, variants),
      blank: {
        productId: row?.id ?? 0,
        title: row?.title ?? '',
        technique: variants[0]?.files?.[0]?.placement ?? 'default',
      },
      variants,
    }
    store.products.push(product)
    sendEvent('product_synced', product)
    return product
  }

  const changed = (known: StoreVariant, body: VariantBody, index: number, productName: string): StoreVariant =>
    // What Printful's dashboard made has no files that this library knows.
    !known.files && !body.files
      ? { ...known, ...(body.retail_price && { retail_price: decimalOf(centsOf(body.retail_price)) }) }
      : variantOf(body, index, productName, known)

  function changeVariant(product: StoreProduct, known: StoreVariant, body: VariantBody): StoreVariant {
    const variant = changed(known, body, 0, product.name)
    product.variants = product.variants.map((one) => (one === known ? variant : one))
    sendEvent('product_updated', product)
    return variant
  }

  /** Variants that are not listed are deleted; listed ones keep what is not given. */
  function change(product: StoreProduct, { sync_product: head, sync_variants: wanted }: CreateBody): StoreProduct {
    refuseTaken(head?.external_id, 'Product', product.id)
    const name = head?.name ?? product.name
    const variants = wanted?.map((body, index) => {
      const known = body.id ? product.variants.find(({ id }) => id === body.id) : undefined
      if (body.id && !known) throw new PrintfulError(400, `Variant ${index}: Sync variant not found`)
      return known ? changed(known, body, index, name) : variantOf(body, index, name)
    })
    if (variants?.length === 0) throw new PrintfulError(400, 'Please add at least one sync_variant')
    product.name = name
    if (head?.external_id) product.external_id = head.external_id
    if (variants) {
      product.variants = variants
      product.hexes = { ...product.hexes, ...hexesOf(catalog, variants) }
    }
    sendEvent('product_updated', product)
    return product
  }

  function remove(product: StoreProduct): void {
    store.products = store.products.filter((one) => one !== product)
    sendEvent('product_deleted', product)
  }

  /** How a variant is printed. Empty for those of the demo. */
  function printsOf({ variant_id, files = [] }: StoreVariant): Print[] {
    const found = catalog.findVariant(variant_id)
    if (!found) return []
    const areas = catalog.areasOf(found.row, found.variant)
    return files.flatMap(({ fileId, placement }) => {
      const file = library.find(fileId)
      const area = areas.find((one) => one.placement === placement)
      return file && area ? [{ placement, file, position: fittedPosition(area, file) }] : []
    })
  }

  return { create, change, changeVariant, remove, printsOf }
}

export type Store = ReturnType<typeof openStore>

const hexesOf = (catalog: Catalog, variants: readonly StoreVariant[]): Record<string, string> =>
  Object.fromEntries(
    variants.flatMap(({ color, variant_id }) => {
      const hex = catalog.findVariant(variant_id)?.variant.hex
      return hex ? [[color, hex] as const] : []
    }),
  )

function checkOptions(
  known: ReturnType<Catalog['optionsOf']>,
  given: NonNullable<StoreVariant['options']>,
  refuse: (why: string) => PrintfulError,
): void {
  for (const { id, value } of given) {
    const option = known.find((one) => one.id === id)
    if (!option && id !== 'notes') throw refuse(`The option ${id} is not available for this product`)
    if (!id.startsWith('thread_colors')) continue
    const colors = Array.isArray(value) ? value.map((one) => String(one).toUpperCase()) : []
    if (colors.length > COLORS_MAX) throw refuse(`The option ${id} can have at most ${COLORS_MAX} colors`)
    const unknown = colors.find((color) => !Object.hasOwn(threads, color))
    if (unknown) throw refuse(`The option ${id} has an unknown thread color ${unknown}`)
  }
}
