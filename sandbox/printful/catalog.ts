import { PrintfulError } from './answers.ts'
import { blankPicture } from './blank-picture.ts'
import { categories, hexes, placements, printfiles, rows, threads, type Row } from './catalog-rows.ts'
import { centsOf, decimalOf } from './decimal.ts'
import type { StoreProduct } from './products.ts'

/** Printful's catalog in its API's formats, made of `catalog-rows.ts` and of what the store's first products are printed on. */

export type BlankVariant = {
  id: number
  size: string
  color: string
  hex: string | null
  hex2: string | null
  cost: number
  inStock: boolean
}

export type PrintArea = {
  placement: string
  printfile: number
  width: number
  height: number
  dpi: number
  fill: string
}

const FIRST_INVENTED_ID = 20_000_000
const IDS_A_BLANK = 1000
const WALL_DPI = 150
/** Print files of wall art are numbered by their size. */
const FIRST_WALL_FILE = 1000
const regions = { US: 'United States', EU: 'Europe', EU_LV: 'Latvia', UK: 'United Kingdom', CA: 'Canada' }

const listOf = (text: string): string[] => text.split(', ').filter(Boolean)
const isEmbroidery = (placement: string): boolean => placement.startsWith('embroidery_')

/** Cents by size: `11.69 2XL:13.69` holds from 2XL on. */
function costOf({ cost, sizes }: Row, size: string): number {
  const [first = '0', ...later] = cost.split(' ')
  const order = listOf(sizes)
  let found = first
  for (const step of later) {
    const at = step.lastIndexOf(':')
    if (order.indexOf(step.slice(0, at)) <= order.indexOf(size)) found = step.slice(at + 1)
  }
  return centsOf(found)
}

function variantsOf(row: Row): BlankVariant[] {
  const colors = row.colors === '' ? [''] : listOf(row.colors)
  const sizes = listOf(row.sizes)
  return colors.flatMap((color, at) =>
    sizes.map((size, index) => {
      const [first, count] = row.known.get(color) ?? [0, 0]
      const [hex = null, hex2 = null] = (hexes[color] ?? '').split('|').filter(Boolean)
      return {
        id: index < count ? first + index : FIRST_INVENTED_ID + row.id * IDS_A_BLANK + at * sizes.length + index,
        size,
        color,
        hex,
        hex2,
        cost: costOf(row, size),
        inStock: !row.isDiscontinued,
      }
    }),
  )
}

/** `18″×24″` lies horizontally, as Printful defines wall art. */
function wallArea(placement: string, size: string): PrintArea {
  const [, first = '0', second = '0'] = /^([\d.]+)″×([\d.]+)″$/.exec(size) ?? []
  const pixels = [Number(first), Number(second)]
    .map((inches) => Math.round(inches * WALL_DPI))
    .toSorted((a, b) => b - a)
  const [width = 0, height = 0] = pixels
  return { placement, printfile: FIRST_WALL_FILE + width + height, width, height, dpi: WALL_DPI, fill: 'cover' }
}

export function openCatalog(products: () => readonly StoreProduct[]) {
  /** What the control page changed: cents by variant, and blanks no longer made. */
  const costs = new Map<number, number>()
  const discontinued = new Set<number>()

  /** Variants of the store's first products, in colors and at costs of the demo. They stand for Printful's own of the same name. */
  function demoVariants(row: Row): BlankVariant[] {
    const demo = new Map<number, BlankVariant>()
    for (const product of products()) {
      if (product.blank.productId !== row.id || product.isCreated) continue
      for (const { variant_id, size, color, cost, availability } of product.variants) {
        const hex = product.hexes[color] ?? null
        const inStock = availability === 'active'
        demo.set(variant_id, { id: variant_id, size, color, hex, hex2: null, cost: centsOf(cost), inStock })
      }
    }
    return [...demo.values()]
  }

  function blankOf(id: number) {
    const row = rows.find((one) => one.id === id)
    if (!row) throw new PrintfulError(404, 'Product not found')
    const demo = demoVariants(row)
    const taken = new Set(demo.map(({ color, size }) => `${color} / ${size}`))
    const variants = [...demo, ...variantsOf(row).filter(({ color, size }) => !taken.has(`${color} / ${size}`))].map(
      (variant) => ({ ...variant, cost: costs.get(variant.id) ?? variant.cost }),
    )
    return { row, variants, isDiscontinued: row.isDiscontinued || discontinued.has(id) }
  }

  /** @returns the blank of a catalog variant */
  function findVariant(id: number): { row: Row; variant: BlankVariant } | undefined {
    for (const row of rows) {
      const variant = blankOf(row.id).variants.find((one) => one.id === id)
      if (variant) return { row, variant }
    }
    return undefined
  }

  /** Where one variant of a blank can be printed. */
  function areasOf(row: Row, { size }: Pick<BlankVariant, 'size'>): PrintArea[] {
    if (row.areas === 'wall') return [wallArea('default', size)]
    const special = new RegExp(`${size.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&')}=(\\d+)`).exec(row.areas)?.[1]
    return row.areas.split(' ').flatMap((part) => {
      const [, placement = '', number = ''] = /^([a-z_]+):(\d+)$/.exec(part) ?? []
      const printfile = Number(special ?? number)
      const file = printfiles[printfile]
      if (!placement || !file) return []
      const [width, height, dpi, flags = ''] = file
      return [{ placement, printfile, width, height, dpi, fill: flags.includes('c') ? 'cover' : 'fit' }]
    })
  }

  const placementsOf = (row: Row): string[] => [
    ...new Set(blankOf(row.id).variants.flatMap((variant) => areasOf(row, variant).map(({ placement }) => placement))),
  ]

  function filesOf(row: Row) {
    return [
      ...placementsOf(row).map((placement) => {
        const [title, extra = null] = placements[placement] ?? [placement]
        return {
          id: placement === 'front' ? 'default' : placement,
          type: placement,
          title,
          additional_price: extra,
          options: isEmbroidery(placement)
            ? [{ id: 'full_color', type: 'bool', title: 'Unlimited color', additional_price: 3.95 }]
            : [],
        }
      }),
      { id: 'preview', type: 'mockup', title: 'Mockup', additional_price: null, options: [] },
    ]
  }

  function optionsOf(row: Row) {
    const sewn = placementsOf(row).filter(isEmbroidery)
    const option = (id: string, title: string, type: string, values: Readonly<Record<string, string>>) => ({
      id,
      title,
      type,
      values,
      additional_price: null,
      additional_price_breakdown: {},
    })
    return [
      ...(sewn.length > 0
        ? [
            option('embroidery_type', 'Embroidery type', 'radio', {
              flat: 'Flat embroidery',
              '3d': '3D puff',
              both: 'Partial 3D puff',
            }),
          ]
        : []),
      ...sewn.map((placement) =>
        option(
          threadOption(placement),
          `Thread colors: ${placements[placement]?.[0] ?? placement}`,
          'multi_select',
          threads,
        ),
      ),
      ...(row.hasStitchColor
        ? [option('stitch_color', 'Stitch color', 'radio', { white: 'White', black: 'Black' })]
        : []),
    ]
  }

  /** @param origin of the pictures' addresses */
  function product(id: number, origin: string) {
    const { row, variants, isDiscontinued } = blankOf(id)
    return {
      id: row.id,
      main_category_id: row.category,
      type: row.type,
      type_name: row.kind,
      title: row.title,
      brand: row.brand || null,
      model: row.model || row.title,
      image: `${origin}/files/blank-${row.id}.jpg`,
      variant_count: variants.length,
      currency: 'USD',
      files: filesOf(row),
      options: optionsOf(row),
      is_discontinued: isDiscontinued,
      avg_fulfillment_time: 4.3,
      description: row.text,
      techniques: row.techniques.map((key, index) => ({
        key,
        display_name: techniqueNames[key] ?? key,
        is_default: index === 0,
      })),
      origin_country: row.origin || null,
    }
  }

  function detail(id: number, origin: string) {
    const { row, variants, isDiscontinued } = blankOf(id)
    const material = listOf(row.material).map((part) => {
      const [, name = part, share = '100'] = /^(.*) (\d+)$/.exec(part) ?? []
      return { name, percentage: Number(share) }
    })
    return {
      product: product(id, origin),
      variants: variants.map(({ size, color, hex, hex2, cost, inStock, ...variant }) => ({
        id: variant.id,
        product_id: row.id,
        name: `${row.title} (${[color, size].filter(Boolean).join(' / ')})`,
        size,
        color,
        color_code: hex,
        color_code2: hex2,
        image: null,
        price: decimalOf(cost),
        in_stock: inStock && !isDiscontinued,
        availability_regions: regions,
        availability_status: Object.keys(regions).map((region) => ({
          region,
          status: isDiscontinued ? 'discontinued' : inStock ? 'in_stock' : 'out_of_stock',
        })),
        material,
      })),
    }
  }

  /** @param units as asked for: `inches,cm` */
  function sizes(id: number, units: readonly string[]) {
    const { row } = blankOf(id)
    if (!row.measures) throw new PrintfulError(404, 'Not found')
    const table = row.measures
    return {
      product_id: id,
      available_sizes: listOf(row.sizes),
      size_tables: units.map((unit) => ({
        type: 'product_measure',
        unit,
        description: `<p>Measurements are provided by suppliers.</p>\n<p>Product measurements may vary by up to 2" (5 cm).&nbsp;</p>`,
        image_url: null,
        image_description: '',
        measurements: Object.entries(table).map(([type_label, values]) => ({
          type_label,
          values: listOf(row.sizes).flatMap((size, index) => {
            const [least, most] = (values.split(' ')[index] ?? '').split('-').map((inches) => inUnit(inches, unit))
            if (!least) return []
            return [most ? { size, min_value: least, max_value: most } : { size, value: least }]
          }),
        })),
      })),
    }
  }

  function printfilesOf(id: number, technique: string | null) {
    const { row, variants } = blankOf(id)
    const [standard = ''] = row.techniques
    const wanted = technique ?? standard
    if (!row.techniques.includes(wanted)) throw new PrintfulError(400, 'Invalid technique given')
    const fits = ({ placement }: PrintArea) =>
      row.techniques.length === 1 || isEmbroidery(placement) === (wanted === 'EMBROIDERY')
    const used = new Map<number, PrintArea>()
    const variant_printfiles = variants.map((variant) => {
      const areas = areasOf(row, variant).filter(fits)
      for (const area of areas) used.set(area.printfile, area)
      return {
        variant_id: variant.id,
        placements: Object.fromEntries(areas.map(({ placement, printfile }) => [placement, printfile])),
      }
    })
    const shown = new Set(variant_printfiles.flatMap((one) => Object.keys(one.placements)))
    return {
      product_id: id,
      available_placements: Object.fromEntries([...shown].map((one) => [one, placements[one]?.[0] ?? one])),
      printfiles: [...used.values()].map(({ printfile, width, height, dpi, fill }) => ({
        printfile_id: printfile,
        width,
        height,
        dpi,
        fill_mode: fill,
        can_rotate: row.areas === 'wall',
      })),
      variant_printfiles,
      option_groups: mockupStyles,
      options: ['Front', 'Back'],
    }
  }

  return {
    list: (categoryIds: readonly number[], origin: string) =>
      rows
        .filter(({ category }) => categoryIds.length === 0 || categoryIds.some((id) => isWithin(category, id)))
        .map(({ id }) => product(id, origin)),
    detail,
    /** The picture of a blank's address. @returns undefined for another address */
    picture(file: string): Promise<Buffer> | undefined {
      const id = Number(/^blank-(\d+)\.jpg$/.exec(file)?.[1])
      const row = rows.find((one) => one.id === id)
      return row && blankPicture(row.kind, blankOf(id).variants[0]?.hex ?? null)
    },
    sizes,
    printfilesOf,
    categories: () =>
      categories.map(([id, parent_id, title]) => ({ id, parent_id, image_url: null, size: 'small', title })),
    findVariant,
    areasOf,
    optionsOf,
    setCost: (variantId: number, cents: number): void => void costs.set(variantId, cents),
    discontinue(id: number): void {
      blankOf(id)
      discontinued.add(id)
    },
    reset(): void {
      costs.clear()
      discontinued.clear()
    },
  }
}

export type Catalog = ReturnType<typeof openCatalog>

/** Every blank has these, so a product gets a second picture. */
export const mockupStyles = ['Flat', 'Flat Lifestyle']

/** `embroidery_chest_left` has the option `thread_colors_chest_left`; the front of a cap just `thread_colors`. */
export const threadOption = (placement: string): string =>
  `thread_colors${placement.replace('embroidery', '').replace(/^_front$/, '')}`

const techniqueNames: Readonly<Record<string, string>> = {
  DTG: 'DTG printing',
  EMBROIDERY: 'Embroidery',
  'CUT-SEW': 'Cut & sew sublimation',
  SUBLIMATION: 'Sublimation',
  DIGITAL: 'Digital printing',
  UV: 'UV printing',
}

function isWithin(category: number, wanted: number): boolean {
  const parent = categories.find(([id]) => id === category)?.[1] ?? 0
  return category === wanted || (parent !== 0 && isWithin(parent, wanted))
}

/** Centimeters have one decimal, as in Printful's tables. */
const inUnit = (inches: string, unit: string): string =>
  unit === 'cm' && inches !== '' ? String(Math.round(Number(inches) * 25.4) / 10) : inches
