import { centimeters } from '#domain/catalog/measures.ts'
import type { PictureModel } from '#domain/pictures/picture-models.ts'
import type { DemoProduct } from './demo-product.ts'

type Measured = 'chest' | 'height' | 'length' | 'width' | 'depth' | 'around'

/** How a sentence says them, in its order. */
const words: readonly (readonly [Measured, string])[] = [
  ['chest', 'across the chest'],
  ['height', 'high'],
  ['length', 'long'],
  ['width', 'wide'],
  ['depth', 'deep'],
  ['around', 'around the head'],
]

/** How large a type's products are, as its page says and the printer publishes. */
export type TypeMeasures = {
  type: PictureModel
  /** Only for products whose name has it, as the details panel does: `11 oz`. */
  onlyFor?: string
  /** What is measured, where that is not the piece as the picture shows it. */
  note?: string
  /** In inches; two numbers are a range. */
  lines: Partial<Record<Measured, number | readonly [number, number]>>
}

/**
 * The bottle's are from the printer's description (10.5 by 2.85 in); all others are those of the product types' details and size guides.
 * A visor has none, since no published measure of its blank is known.
 */
export const typeMeasures: readonly TypeMeasures[] = [
  { type: 'vented-hat', note: 'One size', lines: { around: [21, 24] } },
  { type: 'hat', note: 'One size', lines: { around: [21, 24] } },
  { type: 't-shirt', note: 'Size M', lines: { chest: 20, length: 29 } },
  { type: 'polo', note: 'Size M', lines: { chest: 21, length: 29 } },
  { type: 'mug', onlyFor: '11 oz', note: '11 oz', lines: { height: 3.8, width: 3.2 } },
  { type: 'mug', onlyFor: '15 oz', note: '15 oz', lines: { height: 4.7, width: 3.4 } },
  { type: 'water-bottle', note: '17 oz', lines: { height: 10.5, width: 2.85 } },
  { type: 'pillow', lines: { height: 18, width: 18 } },
  { type: 'blanket', lines: { length: 60, width: 50 } },
  { type: 'tote', lines: { height: 16, width: 15 } },
  { type: 'can-cooler', note: 'Folded flat', lines: { height: 5.2, width: 4 } },
  { type: 'mouse-pad', lines: { width: 8.7, depth: 7.1 } },
]

/** @returns undefined where no measures are known */
export const measuresOf = ({ type, name }: Pick<DemoProduct, 'type' | 'name'>): TypeMeasures | undefined =>
  typeMeasures.find((one) => one.type === type && (one.onlyFor === undefined || name.includes(one.onlyFor)))

/** `Measures of the mug, 11 oz: 3.8 inches (10 cm) high, 3.2 inches (8 cm) wide`. */
export function measuresAlt({ type, note, lines }: TypeMeasures): string {
  const piece = type === 't-shirt' ? type : type.replaceAll('-', ' ')
  const measured = words.flatMap(([one, said]) => {
    const inches = lines[one]
    if (inches === undefined) return []
    const ends = typeof inches === 'number' ? [inches] : inches
    return [`${ends.join(' to ')} inches (${ends.map(centimeters).join(' to ')} cm) ${said}`]
  })
  return `Measures of the ${piece}${note ? `, ${note.charAt(0).toLowerCase()}${note.slice(1)}` : ''}: ${measured.join(', ')}`
}
