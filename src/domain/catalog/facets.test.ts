import { describe, expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import {
  countFacets,
  hasFacetsChosen,
  filterByFacets,
  NO_FACETS_CHOSEN,
  withChosenColorFirst,
  parseFacetChoice,
  type FacetChoice,
} from './facets.ts'

const dye = (name: string) => ({ name, hex: '#000000' })
const hat = {
  id: 'hat',
  type: 'hat',
  colors: [dye('Navy'), dye('Ivory')],
  sizes: [],
  priceRange: { from: cents(2995) },
}
const mug = { id: 'mug', type: 'mug', colors: [dye('Ivory with Gold')], sizes: [], priceRange: { from: cents(1750) } }
const tee = {
  id: 'tee',
  type: 't-shirt',
  colors: [dye('Navy')],
  sizes: ['M', 'S', '2XL'],
  priceRange: { from: cents(2000) },
}
const throw_ = { id: 'throw', type: 'blanket', colors: [dye('Moss')], sizes: [], priceRange: { from: cents(6200) } }
const products = [tee, mug, throw_, hat]

const having = (chosen: Partial<FacetChoice>): FacetChoice => ({ ...NO_FACETS_CHOSEN, ...chosen })
const ids = (chosen: Partial<FacetChoice>) => filterByFacets(products, having(chosen)).map(({ id }) => id)
const of = (counted: readonly { value: string; count: number | null }[]) =>
  Object.fromEntries(counted.map(({ value, count }) => [value, count]))

describe('a product list is filtered', () => {
  test.each<[string, Partial<FacetChoice>, string[]]>([
    ['by nothing to everything', {}, ['tee', 'mug', 'throw', 'hat']],
    ['by a type', { type: ['hat'] }, ['hat']],
    ['by two types to both', { type: ['hat', 'mug'] }, ['mug', 'hat']],
    ['by a color and a type to what has both', { type: ['t-shirt'], color: ['Navy'] }, ['tee']],
    ['by the main color of what has two', { color: ['Ivory'] }, ['mug', 'hat']],
    ['by a size', { size: ['2XL'] }, ['tee']],
    ['by a price, its lower end included', { price: { from: cents(2000), to: cents(2995) } }, ['tee']],
    ['by a price without end', { price: { from: cents(5000), to: null } }, ['throw']],
    ['by a value that nothing has to nothing', { color: ['Plaid'] }, []],
  ])('%s', (_, chosen, left) => expect(ids(chosen)).toEqual(left))
})

test('pictures in the chosen color come first', () => {
  const picture = (color: string | null, view = 'front') => ({ color, view })
  const cap = { images: [picture('Charcoal'), picture(null), picture('Navy with Ivory'), picture('Navy', 'detail')] }
  const first = (color: string[]) => withChosenColorFirst(cap, having({ color })).images.map(({ color: name }) => name)
  expect(first(['Navy'])).toEqual(['Navy with Ivory', 'Navy', 'Charcoal', null])
  expect(first([])).toEqual(['Charcoal', null, 'Navy with Ivory', 'Navy'])
})

describe('filter counts', () => {
  test('show how many products a value has, given the other filters', () => {
    const { type, color, price } = countFacets(products, having({ type: ['hat'] }))
    expect(of(type)).toEqual({ hat: 1, 't-shirt': 1, mug: 1, blanket: 1 })
    expect(of(color)).toEqual({ Navy: 1, Ivory: 1, Moss: 0 })
    expect(price.map(({ name, count }) => [name, count])).toEqual([
      ['0-20', 0],
      ['20-30', 1],
      ['50-', 0],
    ])
  })

  test('match the products shown once the value is chosen', () => {
    for (const { value, count } of countFacets(products, having({ color: ['Navy'] })).type)
      expect(ids({ color: ['Navy'], type: [value] })).toHaveLength(count ?? NaN)
  })

  test('are listed in a familiar order', () => {
    const { type, color, size } = countFacets(products, NO_FACETS_CHOSEN)
    expect(type.map(({ value }) => value)).toEqual(['hat', 't-shirt', 'mug', 'blanket'])
    expect(color.map(({ value }) => value)).toEqual(['Ivory', 'Moss', 'Navy'])
    expect(size.map(({ value }) => value)).toEqual(['S', 'M', '2XL'])
  })
})

describe('an address', () => {
  const read = (address: string) => {
    const parameters = new URLSearchParams(address)
    return parseFacetChoice((name) => parameters.getAll(name))
  }

  test('restores the chosen filters', () => {
    expect(read('type=hat&type=mug&color=Vault+Black&size=2XL&price=20-30')).toEqual({
      type: ['hat', 'mug'],
      color: ['Vault Black'],
      size: ['2XL'],
      price: { from: 2000, to: 3000 },
    })
  })

  test.each(['', 'type=', 'price=cheap', 'price=-5', 'q=hat'])('%j chooses nothing', (address) => {
    expect(hasFacetsChosen(read(address))).toBe(false)
  })

  test('with a thousand values is read only in part', () => {
    expect(read(Array.from({ length: 1000 }, (_, n) => `color=${n}`).join('&')).color).toHaveLength(20)
    expect(read(`color=${'x'.repeat(10_000)}`).color[0]).toHaveLength(60)
  })
})
