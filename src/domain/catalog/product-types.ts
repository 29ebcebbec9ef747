/** Every product type the shop sells (specification, section 1). Mugs of both sizes are one type. */
export const productTypes = [
  'vented-hat',
  'hat',
  'visor',
  't-shirt',
  'polo',
  'mug',
  'water-bottle',
  'pillow',
  'blanket',
  'tote',
  'can-cooler',
  'mouse-pad',
] as const

export type ProductType = (typeof productTypes)[number]
