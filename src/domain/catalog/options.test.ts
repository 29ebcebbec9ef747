import { describe, expect, test } from 'vitest'
import {
  chooseOption,
  colorsForSize,
  firstVariant,
  hasOptionChoice,
  optionState,
  optionValues,
  type OptionVariant,
} from './options.ts'

/** `navy M` is made, `navy L!` is sold out. */
const shop = (...made: string[]): OptionVariant[] =>
  made.map((text, index) => {
    const [color = '', size = ''] = text.replace('!', '').split(' ')
    return { id: index + 1, color, size, available: !text.endsWith('!') }
  })
const get = (variants: OptionVariant[], text: string): OptionVariant => {
  const found = variants.find(({ color, size }) => `${color} ${size}` === text)
  if (!found) throw new Error(`${text} is not in the test's shop`)
  return found
}
const nameOf = (variant: OptionVariant | undefined) => variant && `${variant.color} ${variant.size}`

const shirts = shop('navy S', 'navy M', 'navy L!', 'ivory M', 'ivory L', 'black S!', 'gold XL')

test('values keep the order of the variants, once each', () => {
  expect(optionValues(shirts, 'color')).toEqual(['navy', 'ivory', 'black', 'gold'])
  expect(optionValues(shirts, 'size')).toEqual(['S', 'M', 'L', 'XL'])
})

test('a selector is offered only for more than one distinct value', () => {
  const hats = shop('navy One', 'ivory One')
  expect([hasOptionChoice(hats, 'color'), hasOptionChoice(hats, 'size')]).toEqual([true, false])
})

test.each([
  ['the first that can be bought', ['navy S!', 'navy M'], 'navy M'],
  ['the first, when all are sold out', ['navy S!', 'navy M!'], 'navy S'],
  ['nothing, when there is nothing', [], undefined],
])('the default choice is %s', (_, made, expected) => expect(nameOf(firstVariant(shop(...made)))).toBe(expected))

test.each([
  ['navy S', 'size', 'M', 'available'],
  ['navy S', 'size', 'L', 'sold_out'],
  ['navy S', 'size', 'XL', 'not_made'],
  ['navy S', 'color', 'ivory', 'not_made'],
  ['navy M', 'color', 'ivory', 'available'],
] as const)('with %s chosen, the %s %s is %s', (chosen, option, value, state) => {
  expect(optionState(shirts, get(shirts, chosen), option, value)).toBe(state)
})

test.each([
  ['S', ['navy']],
  ['L', ['ivory']],
  ['XL', ['gold']],
  ['XXL', []],
])('%s is available in %j', (size, colors) => {
  expect(colorsForSize(shirts, size)).toEqual(colors)
})

test('a size sold out in every color lists the colors it is made in', () => {
  expect(colorsForSize(shop('navy M', 'navy L!', 'ivory L!'), 'L')).toEqual(['navy', 'ivory'])
})

describe('choosing', () => {
  test.each([
    ['keeps the other option where the pair is made', 'navy M', 'color', 'ivory', 'ivory M'],
    ['keeps it also where the pair is sold out', 'ivory L', 'color', 'navy', 'navy L'],
    ['takes the nearest size that is made', 'navy S', 'color', 'ivory', 'ivory M'],
    ['takes the only size that is made, however far', 'navy S', 'color', 'gold', 'gold XL'],
    ['takes a sold-out size when the color has nothing else', 'ivory M', 'color', 'black', 'black S'],
    ['takes another color for a size that this one lacks', 'navy S', 'size', 'XL', 'gold XL'],
  ] as const)('%s', (_, chosen, option, value, expected) => {
    expect(nameOf(chooseOption(shirts, get(shirts, chosen), option, value))).toBe(expected)
  })

  test('prefers a variant for sale over a closer one that is sold out', () => {
    const variants = shop('navy M', 'ivory L!', 'ivory XL')
    expect(nameOf(chooseOption(variants, get(variants, 'navy M'), 'color', 'ivory'))).toBe('ivory XL')
  })

  test('never leads to a dead end: every option can be reached from every other', () => {
    for (const chosen of shirts)
      for (const option of ['color', 'size'] as const)
        for (const value of optionValues(shirts, option))
          expect(chooseOption(shirts, chosen, option, value)?.[option]).toBe(value)
  })

  test('a value that is not made selects nothing', () => {
    expect(chooseOption(shirts, get(shirts, 'navy S'), 'color', 'pink')).toBeUndefined()
  })
})
