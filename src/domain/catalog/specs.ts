import type { ProductType } from './product-types.ts'

type Fact = { label: string; value: string }

/** Flat measures of a shirt in inches: across the chest, and from shoulder to hem. */
export type SizeRow = { size: string; chest: number; length: number }

export type Specs = { facts: readonly Fact[]; sizeGuide?: readonly SizeRow[] }

const CM_PER_INCH = 2.54

/** `20` becomes `51`: rounded to whole centimeters. */
export const centimeters = (inches: number): number => Math.round(inches * CM_PER_INCH)

const inches = (...sides: number[]): string =>
  `${sides.join(' x ')} in (${sides.map((side) => centimeters(side)).join(' x ')} cm)`

const fact = (label: string, value: string): Fact => ({ label, value })
const made = fact('Made', 'Made to order, printed after you buy')

const shirtGuide: readonly SizeRow[] = [
  { size: 'S', chest: 18, length: 28 },
  { size: 'M', chest: 20, length: 29 },
  { size: 'L', chest: 22, length: 30 },
  { size: 'XL', chest: 24, length: 31 },
  { size: '2XL', chest: 26, length: 32 },
  { size: '3XL', chest: 28, length: 33 },
]
const poloGuide: readonly SizeRow[] = [
  { size: 'S', chest: 19, length: 28 },
  { size: 'M', chest: 21, length: 29 },
  { size: 'L', chest: 23, length: 30 },
  { size: 'XL', chest: 25, length: 31 },
  { size: '2XL', chest: 27, length: 32 },
  { size: '3XL', chest: 29, length: 33 },
]

const specsByType: Record<Exclude<ProductType, 'mug'>, Specs> = {
  'vented-hat': {
    facts: [
      fact('Front', 'Structured cotton twill'),
      fact('Back', 'Open polyester mesh, snap closure'),
      fact('Decoration', 'Embroidered'),
      fact('Fits', '21 to 24 in (53 to 61 cm) around the head'),
      made,
    ],
  },
  hat: {
    facts: [
      fact('Fabric', 'Washed cotton twill, unstructured'),
      fact('Closure', 'Adjustable strap with buckle'),
      fact('Decoration', 'Embroidered'),
      fact('Fits', '21 to 24 in (53 to 61 cm) around the head'),
      made,
    ],
  },
  visor: {
    facts: [
      fact('Fabric', 'Cotton twill with a terry sweatband'),
      fact('Closure', 'Adjustable strap'),
      fact('Decoration', 'Embroidered'),
      made,
    ],
  },
  't-shirt': {
    facts: [
      fact('Fabric', 'Ring-spun cotton, pre-shrunk'),
      fact('Sizes', 'S to 3XL'),
      fact('Care', 'Cold wash inside out, hang to dry'),
      made,
    ],
    sizeGuide: shirtGuide,
  },
  polo: {
    facts: [
      fact('Fabric', 'Cotton piqué with a ribbed collar'),
      fact('Sizes', 'S to 3XL'),
      fact('Decoration', 'Embroidered on the left chest'),
      fact('Care', 'Cold wash inside out, hang to dry'),
      made,
    ],
    sizeGuide: poloGuide,
  },
  'water-bottle': {
    facts: [
      fact('Holds', '17 oz (500 ml)'),
      fact('Material', 'Double-walled stainless steel'),
      fact('Care', 'Wash by hand'),
      made,
    ],
  },
  pillow: {
    facts: [
      fact('Size', inches(18, 18)),
      fact('Cover', 'Printed on both sides, hidden zip'),
      fact('Care', 'Cover: machine wash cold'),
      made,
    ],
  },
  blanket: {
    facts: [
      fact('Size', inches(50, 60)),
      fact('Fabric', 'Soft polyester fleece, printed on one side'),
      fact('Care', 'Machine wash cold, tumble dry low'),
      made,
    ],
  },
  tote: {
    facts: [
      fact('Size', inches(15, 16)),
      fact('Handles', '22 in (56 cm), over the shoulder'),
      fact('Fabric', 'Heavy cotton canvas'),
      made,
    ],
  },
  'can-cooler': {
    facts: [
      fact('Size', inches(4, 5.2)),
      fact('Fits', '12 oz (355 ml) cans and most bottles'),
      fact('Material', 'Neoprene, folds flat'),
      made,
    ],
  },
  'mouse-pad': {
    facts: [fact('Size', inches(8.7, 7.1)), fact('Material', 'Polyester top on natural rubber'), made],
  },
}

/** Eleven ounces if the name mentions it, otherwise fifteen (specification, section 9). */
const isSmallMug = (name: string): boolean => /\b11\s?oz\b/i.test(name)

const mugSpecs = (name: string): Specs => ({
  facts: [
    isSmallMug(name) ? fact('Holds', '11 oz (325 ml)') : fact('Holds', '15 oz (445 ml)'),
    isSmallMug(name)
      ? fact('Size', '3.8 in high, 3.2 in across (10 x 8 cm)')
      : fact('Size', '4.7 in high, 3.4 in across (12 x 9 cm)'),
    fact('Material', 'Glazed ceramic'),
    fact('Care', 'Dishwasher and microwave safe'),
    made,
  ],
})

/** The details panel for a product of this type (specification, section 9, Product specs). */
export const specsOf = ({ type, name }: { type: ProductType; name: string }): Specs =>
  type === 'mug' ? mugSpecs(name) : specsByType[type]
