import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Printful's catalog of blanks, read from `catalog.tsv`: numbers, names, brands and models as of 2026, from Printful's published description, its
 * catalog pages and public programs that use its API. Confirmed are the numbers of all blanks, the `known` variants, the print files of 71
 * and 162, and the costs of 71, 84, 146 and 206. Other costs, measures, materials and print areas are near what such products had, for a
 * demo that behaves alike.
 * Variants without a known number count from 20,000,000, which no real one reaches.
 */

/** Printful's colors by name; `Navy|Gray` has a second one. Real garments differ a little. */
export const hexes: Readonly<Record<string, string>> = {
  White: '#ffffff',
  'White (glossy)': '#ffffff',
  Black: '#0b0b0b',
  Navy: '#212642',
  'Heather Navy': '#344458',
  'Dark Grey Heather': '#3e3c3d',
  Asphalt: '#52514f',
  'Athletic Heather': '#cececc',
  'Sport Grey': '#9b969c',
  'Dark Heather': '#47484d',
  Ash: '#f0f1ea',
  'Soft Cream': '#e7d4c0',
  Natural: '#e5ded2',
  Oatmeal: '#ddd4c5',
  Khaki: '#b49771',
  Stone: '#d6bdad',
  Brown: '#4e352c',
  Spruce: '#324c3f',
  Forest: '#223b26',
  'Dark Green': '#233630',
  Olive: '#5b642f',
  'Military Green': '#6b6652',
  Leaf: '#5c9346',
  Mint: '#a1d2b8',
  'Light Blue': '#a4c1e0',
  'Steel Blue': '#668ea7',
  'True Royal': '#0e4d9b',
  Royal: '#1b4ab4',
  'Team Purple': '#48307e',
  Maroon: '#642838',
  Red: '#d0071e',
  Brick: '#a8412f',
  Orange: '#f48d39',
  Gold: '#fda527',
  Mustard: '#eda027',
  Pink: '#fdbfc7',
  'Light Pink': '#f3d4e3',
  Berry: '#bd3b70',
  Cranberry: '#6c152b',
  'Green Camo': '#454a37',
  Charcoal: '#2e2d33',
  'Black/White': '#0b0b0b|#ffffff',
  'Navy/White': '#182031|#ffffff',
  'Charcoal/White': '#4b4e57|#ffffff',
  'Royal/White': '#29487d|#ffffff',
  'Red inside': '#ffffff|#b3242a',
  'Blue inside': '#ffffff|#2450a4',
  'Yellow inside': '#ffffff|#e8b90f',
  'Black inside': '#ffffff|#111111',
  'Red Oak': '#a4754d',
  Clear: '#f5f5f5',
}

/** Printfiles by number: width, height, dpi; `c` covers, `r` can be rotated. */
export const printfiles: Readonly<Record<number, readonly [number, number, number, string?]>> = {
  1: [1800, 2400, 150],
  2: [1500, 1800, 150],
  3: [1350, 1650, 150],
  4: [1050, 1350, 150],
  5: [900, 1050, 150],
  6: [1500, 1500, 150],
  7: [2250, 2700, 150],
  8: [2700, 1050, 300],
  9: [3000, 1155, 300],
  10: [1890, 765, 300],
  11: [1650, 600, 300],
  12: [1200, 450, 300],
  71: [450, 450, 150],
  90: [450, 450, 150],
  130: [450, 450, 150],
  136: [1200, 1200, 300],
  186: [700, 1200, 150, 'c'],
  200: [2850, 2850, 150, 'c'],
  201: [4500, 5400, 150, 'c'],
  202: [4200, 5100, 150, 'c'],
  203: [7950, 9450, 150, 'c'],
  204: [3300, 3300, 150, 'c'],
  205: [2400, 3600, 150, 'c'],
  206: [1179, 2079, 300, 'c'],
  207: [3450, 2100, 300, 'c'],
  208: [2250, 2550, 150, 'c'],
  209: [2700, 3150, 150],
  210: [5550, 4650, 300, 'c'],
  211: [2400, 2400, 300],
  212: [1500, 900, 300],
  213: [2250, 1350, 300, 'c'],
  214: [4050, 3450, 150, 'c'],
}

/** What a placement is called, and what it adds to the cost; included where nothing is said. */
export const placements: Readonly<Record<string, readonly [title: string, extra?: string]>> = {
  default: ['Print file'],
  front: ['Front print'],
  front_large: ['Large front print', '5.95'],
  back: ['Back print', '5.95'],
  sleeve_left: ['Left sleeve', '5.95'],
  sleeve_right: ['Right sleeve', '5.95'],
  label_outside: ['Outside label', '2.49'],
  embroidery_front: ['Front'],
  embroidery_back: ['Back', '2.95'],
  embroidery_chest_left: ['Left chest', '2.95'],
  embroidery_chest_center: ['Center chest', '2.95'],
  top: ['Top'],
  pocket: ['Pocket'],
}

/** Thread colors by number of the maker. */
export const threads: Readonly<Record<string, string>> = {
  '#FFFFFF': '1801 White',
  '#000000': '1800 Black',
  '#96A1A8': '1718 Grey',
  '#A67843': '1672 Old Gold',
  '#FFCC00': '1951 Gold',
  '#E25C27': '1987 Orange',
  '#CC3366': '1910 Flamingo',
  '#CC3333': '1839 Red',
  '#660000': '1784 Maroon',
  '#333366': '1966 Navy',
  '#005397': '1842 Royal',
  '#3399FF': '1695 Aqua/Teal',
  '#6B5294': '1832 Purple',
  '#01784E': '1751 Kelly Green',
  '#7BA35A': '1848 Kiwi Green',
}

/** id, parent, title, as in `GET /categories`. */
export const categories: readonly (readonly [number, number, string])[] = [
  [1, 0, 'Men’s clothing'],
  [2, 0, 'Women’s clothing'],
  [3, 0, 'Kids’ & youth clothing'],
  [4, 0, 'Accessories'],
  [5, 0, 'Home & living'],
  [6, 1, 'All shirts'],
  [24, 6, 'T-shirts'],
  [26, 6, 'Polo shirts'],
  [27, 6, 'Long sleeve shirts'],
  [28, 1, 'Hoodies'],
  [29, 1, 'Sweatshirts'],
  [33, 2, 'Leggings'],
  [47, 3, 'Youth t-shirts'],
  [48, 3, 'Youth hoodies'],
  [49, 3, 'Baby bodysuits'],
  [50, 3, 'Baby & toddler t-shirts'],
  [42, 4, 'Dad hats'],
  [44, 4, 'Trucker hats'],
  [46, 4, 'Visors'],
  [51, 4, 'Beanies'],
  [16, 4, 'Bags'],
  [15, 4, 'Backpacks'],
  [17, 4, 'Phone cases'],
  [18, 4, 'Socks'],
  [19, 4, 'Bandanas'],
  [20, 4, 'Pet products'],
  [21, 5, 'Wall art'],
  [55, 21, 'Posters'],
  [56, 21, 'Framed posters'],
  [57, 21, 'Canvas prints'],
  [58, 5, 'Pillows & cases'],
  [59, 5, 'Blankets'],
  [60, 5, 'Mugs'],
  [61, 5, 'Water bottles & tumblers'],
  [62, 5, 'Stationery'],
  [63, 5, 'Stickers & magnets'],
  [64, 5, 'Aprons'],
  [65, 5, 'Mouse pads'],
  [66, 5, 'Coasters & can coolers'],
]

/** In inches, by size in the row's order; `34-37` is a range. */
const measures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shirt: { Length: '27 28 29 30 31 32 33', Chest: '31-34 34-37 38-41 42-45 46-49 50-53 54-57' },
  longsleeve: { Length: '27 28 29 30 31 32 33', Chest: '34-37 38-41 42-45 46-49 50-53 54-57 58-61' },
  hoodie: { Length: '27 28 29 30 31 32 33 34', Width: '20 22 24 26 28 30 32 34' },
  youth: { Length: '17.5 20.5 22 23.5 25', Width: '14.5 16 17 18 19' },
  baby: { Length: '10.75 11.75 12.75 13.75', Width: '7.5 8.5 9 9.5' },
  leggings: { Waist: '25.25 26.75 28.4 31.5 34.7', Hips: '35.4 37 38.6 41.7 44.9' },
  socks: { Length: '10.5 12 13' },
  polo: { Length: '27.5 28.5 29.5 30.5 31.5 32.5', Chest: '34-36 38-40 42-44 46-48 50-52 54-56' },
  pet: { Length: '7 8.5 10 12', 'Collar length': '10-13 12-17 15-20 18-26' },
}

export type Row = {
  id: number
  /** Such as `T-SHIRT`. */
  type: string
  /** How people call it. */
  kind: string
  title: string
  brand: string
  model: string
  category: number
  /** Printful's keys, the default first. */
  techniques: readonly string[]
  /** For one, or by size from this one on: `11.69 2XL:13.69`. */
  cost: string
  colors: string
  /** Comma separated; inches for wall art. */
  sizes: string
  /** `placement:printfile`, separated by blanks; `size=number` where a size has its own. `wall`: as the size says, at 150 dpi. */
  areas: string
  measures: Readonly<Record<string, string>> | undefined
  /** `cotton 90, polyester 10`. */
  material: string
  origin: string
  hasStitchColor: boolean
  /** Known variants by color: the number of the first size, and for how many sizes it counts on. */
  known: ReadonlyMap<string, readonly [first: number, sizes: number]>
  isDiscontinued: boolean
  text: string
}

function rowOf(line: string): Row {
  const cells = line.split('\t')
  const [id = '', type = '', kind = '', title = '', brand = '', model = '', category = '', techniques = ''] = cells
  const [cost = '', colors = '', sizes = '', areas = '', table = '', material = '', origin = ''] = cells.slice(8)
  const [options, known = '', discontinued, text = ''] = cells.slice(15)
  return {
    ...{ id: Number(id), type, kind, title, brand, model, category: Number(category) },
    ...{ cost, colors, sizes, areas, material, origin },
    techniques: techniques.split(' '),
    measures: measures[table],
    hasStitchColor: options === 'stitch',
    known: new Map(
      [...known.matchAll(/([^,]+) (\d+) (\d+)/g)].map(([, color = '', first, count]) => [
        color.trim(),
        [Number(first), Number(count)],
      ]),
    ),
    isDiscontinued: discontinued === 'discontinued',
    text: text.replaceAll(' / ', '\n'),
  }
}

export const rows: readonly Row[] = readFileSync(join(import.meta.dirname, 'catalog.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(rowOf)
