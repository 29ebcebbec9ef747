import { describe, expect, test } from 'vitest'
import { facetsFrom, hasFacetsChosen, parseFacetChoice } from './facets.ts'

test('values are listed in a familiar order, with counts, also without a match', () => {
  const names = ['size:2XL', 'size:S', 'color:Navy', 'color:Ivory', 'type:mug', 'type:hat', 'price:50-', 'price:0-20']
  const all = [...names, 'all'].map((facet) => ({ facet, count: 1, hex: facet === 'color:Navy' ? '#1f2a44' : null }))
  const counts = new Map([...names.slice(1), 'all'].map((facet) => [facet, 1]))
  const { type, color, size, price } = facetsFrom(
    all,
    { type: counts, color: counts, size: counts, price: undefined },
    [
      { key: 'hat', plural: 'Hats' },
      { key: 'pillow', plural: 'Pillows' },
      { key: 'mug', plural: 'Mugs' },
    ],
  )
  expect(type).toEqual([
    { value: 'hat', count: 1, title: 'Hats' },
    { value: 'mug', count: 1, title: 'Mugs' },
  ])
  expect(color).toEqual([
    { value: 'Ivory', count: 1, hex: null },
    { value: 'Navy', count: 1, hex: '#1f2a44' },
  ])
  expect(size).toEqual([
    { value: 'S', count: 1 },
    { value: '2XL', count: 0 },
  ])
  expect(price.map(({ name, count }) => [name, count])).toEqual([
    ['0-20', null],
    ['50-', null],
  ])
})

test('a chosen type that the list lacks has its title, so its chip does not show the key', () => {
  const none = new Map<string, number>()
  const types = [{ key: 'phone-case', plural: 'Phone cases' }]
  const { type } = facetsFrom([], { type: none, color: none, size: none, price: none }, types, [
    'phone-case',
    'nothing',
  ])
  expect(type).toEqual([{ value: 'phone-case', count: 0, title: 'Phone cases' }])
})

test('phone models have a filter of their own; what some products have as a size stays a size', () => {
  const rows = [
    ['size:M', 3],
    ['sized:Sock size\u{1f}M', 1],
    ['size:iPhone 15', 2],
    ['sized:Phone model\u{1f}iPhone 15', 2],
  ] as const
  const all = rows.map(([facet, count]) => ({ facet, count, hex: null }))
  const none = new Map<string, number>()
  const { size } = facetsFrom(all, { type: none, color: none, size: new Map(rows), price: none }, [])
  expect(size).toEqual([
    { value: 'M', count: 3 },
    { value: 'iPhone 15', count: 2, label: 'Phone model' },
  ])
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
