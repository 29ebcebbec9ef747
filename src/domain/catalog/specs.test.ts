import { expect, test } from 'vitest'
import { centimeters, formatMeasure, isOfFlatTops } from './measures.ts'
import { plainProductType, type Fact, type Measure, type ProductType } from './product-types.ts'
import { specsOf } from './specs.ts'

const typeWith = (part: Partial<ProductType>): ProductType => ({ ...plainProductType('mug'), ...part })

const mugFacts: Fact[] = [
  { label: 'Holds', value: '325 ml', onlyFor: '11 oz' },
  { label: 'Holds', value: '445 ml' },
  { label: 'Material', value: 'Ceramic' },
]

test.each([
  ['Rudy Mug 11 oz "Opening Bell"', '325 ml'],
  ['Rudy Mug 11OZ', '325 ml'],
  ['Rudy Mug 15 oz "Second Coffee"', '445 ml'],
  ['Mug No. 111 oz', '445 ml'],
])('a line for mugs of 11 oz replaces the general one where the name says so: %s holds %s', (name, holds) => {
  expect(specsOf(typeWith({ facts: mugFacts }), { name }).facts).toEqual([
    { label: 'Holds', value: holds },
    { label: 'Material', value: 'Ceramic' },
  ])
})

test('a size table is shown from the smallest size to the largest', () => {
  const rows = ['3XL', 'XS', 'L', 'S/M'].map((size) => ({ size, values: [1] }))
  const { sizeTable } = specsOf(typeWith({ sizeTable: { caption: '', measures: ['Chest'], rows } }), { name: 'Shirt' })
  expect(sizeTable?.rows.map(({ size }) => size)).toEqual(['XS', 'S/M', 'L', '3XL'])
})

test.each([
  [18, 46],
  [20, 51],
  [50, 127],
])('%i inches are %i centimeters', (inches, cm) => expect(centimeters(inches)).toBe(cm))

test('a measure is a number, a range or nothing', () => {
  const range: [number, number] = [18, 20.5]
  expect([20, range, null].map(formatMeasure)).toEqual(['20 in / 51 cm', '18 to 20.5 in / 46 to 52 cm', ''])
})

test.each<[string, string[], Measure[], boolean]>([
  ['a shirt laid flat', ['Chest', 'Length'], [18, 28], true],
  ['a chest measured around the body', ['Length', 'Chest'], [28, [34, 37]], false],
  ['leggings', ['Waist', 'Hips'], [25, 35], false],
  ['a pillow', ['Width', 'Length'], [18, 18], false],
])('only tops laid flat are drawn: %s', (_, measures, values, isDrawn) => {
  expect(isOfFlatTops({ measures, rows: [{ size: 'S', values }] })).toBe(isDrawn)
})
