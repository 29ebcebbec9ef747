import { expect, test } from 'vitest'
import { productTypes } from './product-types.ts'
import { centimeters, specsOf } from './specs.ts'

const valueOf = (type: (typeof productTypes)[number], label: string, name = 'Rudy') =>
  specsOf({ type, name }).facts.find((fact) => fact.label === label)?.value

test.each([
  ['mug', 'Holds', 'Rudy Mug 11 oz "Opening Bell"', '11 oz (325 ml)'],
  ['mug', 'Holds', 'Rudy Mug 15 oz "Second Coffee"', '15 oz (445 ml)'],
  ['mug', 'Holds', 'Rudy Mug', '15 oz (445 ml)'],
  ['mug', 'Holds', 'Mug No. 111 oz', '15 oz (445 ml)'],
  ['water-bottle', 'Holds', 'Rudy', '17 oz (500 ml)'],
  ['blanket', 'Size', 'Rudy', '50 x 60 in (127 x 152 cm)'],
  ['pillow', 'Size', 'Rudy', '18 x 18 in (46 x 46 cm)'],
] as const)('a %s says %s, by its name %s: %s', (type, label, name, value) =>
  expect(valueOf(type, label, name)).toBe(value),
)

test.each(['tote', 'can-cooler', 'mouse-pad'] as const)('a %s has its dimensions', (type) => {
  expect(valueOf(type, 'Size')).toMatch(/ in \(.+ cm\)$/)
})

test.each(['t-shirt', 'polo'] as const)('a %s has a size guide from S to 3XL that grows with every size', (type) => {
  const guide = specsOf({ type, name: 'Rudy' }).sizeGuide ?? []
  expect(guide.map(({ size }) => size)).toEqual(['S', 'M', 'L', 'XL', '2XL', '3XL'])
  for (const [index, row] of guide.entries()) {
    const smaller = guide[index - 1]
    if (smaller) expect([row.chest > smaller.chest, row.length > smaller.length]).toEqual([true, true])
  }
})

test('only shirts have a size guide', () => {
  expect(productTypes.filter((type) => specsOf({ type, name: 'Rudy' }).sizeGuide)).toEqual(['t-shirt', 'polo'])
})

test.each([
  [18, 46],
  [20, 51],
  [50, 127],
])('%i inches are %i centimeters', (inches, cm) => expect(centimeters(inches)).toBe(cm))
