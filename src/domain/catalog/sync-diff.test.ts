import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import {
  applyChanges,
  diffVariants,
  changeApplies,
  invertChange,
  isListPlausible,
  canAutoApply,
  isSameChange,
  objectionToAnswer,
  revertChanges,
  toVariantCopy,
  type AnsweredVariant,
  type VariantCopy,
} from './sync-diff.ts'

const HAT = 1 as ProductId
const id = (number: number) => number as VariantId

const aCopy = (more: Partial<VariantCopy> = {}): VariantCopy => ({
  productId: HAT,
  catalogVariantId: 100,
  blankId: 71,
  position: 0,
  name: 'Hat',
  color: 'Navy',
  size: 'One size',
  sku: null,
  unitPrice: cents(2995),
  costCents: cents(1200),
  availability: 'active',
  previewUrl: 'https://files.example/navy.webp',
  ...more,
})

const anAnswer = (number: number, more: Partial<AnsweredVariant> = {}): AnsweredVariant => ({
  id: id(number),
  catalogVariantId: 100,
  blankId: 71,
  name: 'Hat',
  color: 'Navy',
  size: 'One size',
  sku: null,
  unitPrice: cents(2995),
  availability: 'active',
  previewUrl: 'https://files.example/navy.webp',
  ignored: false,
  ...more,
})

const copies = fc
  .dictionary(
    fc.integer({ min: 1, max: 9 }).map(String),
    fc.record<VariantCopy>({
      productId: fc.constantFrom(1, 2) as fc.Arbitrary<ProductId>,
      catalogVariantId: fc.integer({ min: 1, max: 3 }),
      blankId: fc.option(fc.integer({ min: 1, max: 3 })),
      position: fc.integer({ min: 0, max: 3 }),
      name: fc.constantFrom('Hat', 'Cap'),
      color: fc.option(fc.constantFrom('Navy', 'Ivory')),
      size: fc.option(fc.constantFrom('S', 'M')),
      sku: fc.option(fc.constantFrom('A', 'B')),
      unitPrice: fc.integer({ min: 1, max: 3 }).map(cents),
      costCents: fc.option(fc.integer({ min: 0, max: 3 }).map(cents)),
      availability: fc.constantFrom('active', 'out_of_stock', 'temporary_out_of_stock', 'discontinued'),
      previewUrl: fc.option(fc.constantFrom('https://files.example/a.webp', 'https://files.example/b.webp')),
    }),
  )
  .map((entries) => new Map(Object.entries(entries).map(([key, copy]) => [id(Number(key)), copy])))

describe('for any two catalogs', () => {
  test('applying the changes makes our catalog equal to Printful’s', () => {
    fc.assert(
      fc.property(copies, copies, (ours, theirs) => {
        expect(applyChanges(ours, diffVariants(ours, theirs))).toEqual(theirs)
      }),
    )
  })

  test('equal catalogs have no changes', () => {
    fc.assert(
      fc.property(copies, (same) => {
        expect(diffVariants(same, structuredClone(same))).toEqual([])
      }),
    )
  })

  test('applying and reverting changes restores the original', () => {
    fc.assert(
      fc.property(copies, copies, (ours, theirs) => {
        const changes = diffVariants(ours, theirs)
        expect(revertChanges(applyChanges(ours, changes), changes)).toEqual(ours)
      }),
    )
  })

  test('safe changes never add or remove variants or change prices, pictures or texts', () => {
    const visible = (sides: ReadonlyMap<VariantId, VariantCopy>) =>
      [...sides].map(([variantId, { unitPrice, previewUrl, name, color, size, productId }]) => [
        variantId,
        [unitPrice, previewUrl, name, color, size, productId],
      ])
    fc.assert(
      fc.property(copies, copies, (ours, theirs) => {
        const safe = diffVariants(ours, theirs).filter(({ kind }) => canAutoApply(kind))
        expect(visible(applyChanges(ours, safe))).toEqual(visible(ours))
      }),
    )
  })

  test('pending changes are proposed again unchanged until one side changes', () => {
    fc.assert(
      fc.property(copies, copies, (ours, theirs) => {
        const changes = diffVariants(ours, theirs)
        const waiting = changes.filter(({ kind }) => !canAutoApply(kind))
        const again = diffVariants(
          applyChanges(
            ours,
            changes.filter(({ kind }) => canAutoApply(kind)),
          ),
          theirs,
        )
        expect(again).toHaveLength(waiting.length)
        expect(again.every((one) => waiting.some((other) => isSameChange(one, other)))).toBe(true)
      }),
    )
  })

  test('every change fits before it is applied, and its inverse after', () => {
    fc.assert(
      fc.property(copies, copies, (ours, theirs) => {
        let now: ReadonlyMap<VariantId, VariantCopy> = ours
        for (const change of diffVariants(ours, theirs)) {
          expect(changeApplies(now, change)).toBe(true)
          now = applyChanges(now, [change])
          expect(changeApplies(now, invertChange(change))).toBe(true)
        }
      }),
    )
  })
})

const kinds = (ours: VariantCopy | null, theirs: VariantCopy | null) =>
  diffVariants(new Map(ours ? [[id(1), ours]] : []), new Map(theirs ? [[id(1), theirs]] : [])).map(({ kind }) => kind)

test.each<[string, VariantCopy | null, VariantCopy | null, string[]]>([
  ['a new one', null, aCopy(), ['new']],
  ['one that is gone is first no longer made', aCopy(), null, ['discontinued', 'gone']],
  ['one that is gone and was no longer made', aCopy({ availability: 'discontinued' }), null, ['gone']],
  ['another price', aCopy(), aCopy({ unitPrice: cents(3000) }), ['price']],
  ['another cost', aCopy(), aCopy({ costCents: cents(1300) }), ['cost']],
  ['another picture', aCopy(), aCopy({ previewUrl: 'https://files.example/other.webp' }), ['picture']],
  ['the same picture on another host', aCopy(), aCopy({ previewUrl: 'http://127.0.0.1:9/navy.webp' }), []],
  ['another name and color', aCopy(), aCopy({ name: 'Cap', color: 'Ivory' }), ['details']],
  ['another place and number', aCopy(), aCopy({ position: 3, sku: 'X' }), ['upkeep']],
  ['sold out', aCopy(), aCopy({ availability: 'out_of_stock' }), ['sold_out']],
  ['sold out for a while', aCopy(), aCopy({ availability: 'temporary_out_of_stock' }), ['sold_out']],
  ['discontinued', aCopy(), aCopy({ availability: 'discontinued' }), ['discontinued']],
  ['made again', aCopy({ availability: 'out_of_stock' }), aCopy(), ['back_in_stock']],
  ['several at once', aCopy(), aCopy({ unitPrice: cents(1), availability: 'out_of_stock' }), ['price', 'sold_out']],
])('%s', (_, ours, theirs, expected) => expect(kinds(ours, theirs)).toEqual(expected))

test.each<[number, number, boolean]>([
  [0, 0, false],
  [0, 1, true],
  [36, 0, false],
  [36, 17, false],
  [36, 18, true],
  [36, 36, true],
])('after %i products, a list of %i is trusted: %s', (before, listed, believed) =>
  expect(isListPlausible(before, listed)).toBe(believed),
)

test.each<[number | null, number, string | undefined]>([
  [0, 0, 'no_variants'],
  [null, 0, 'no_variants'],
  [3, 0, 'no_variants'],
  [3, 2, 'half_an_answer'],
  [3, 3, undefined],
  [null, 2, undefined],
])('an answer about %s variants that names %i', (count, named, objection) =>
  expect(
    objectionToAnswer(
      count,
      Array.from({ length: named }, (_, index) => anAnswer(index + 1)),
    ),
  ).toBe(objection),
)

describe('Printful’s data', () => {
  const read = (ours: Map<VariantId, VariantCopy>, ...variants: AnsweredVariant[]) =>
    toVariantCopy(ours, HAT, variants, new Map())

  test('a variant without a price or blank keeps our copy; a new one is skipped', () => {
    const known = new Map([[id(1), aCopy({ name: 'As it was' })]])
    for (const broken of [
      { unitPrice: null },
      { unitPrice: cents(0) },
      { unitPrice: cents(-100) },
      { catalogVariantId: null },
    ]) {
      expect(read(known, anAnswer(1, broken))).toEqual(known)
      expect(read(new Map(), anAnswer(1, broken))).toEqual(new Map())
    }
  })

  test('a variant removed from the store is missing', () => {
    expect(read(new Map([[id(1), aCopy()]]), anAnswer(1, { ignored: true }))).toEqual(new Map())
  })

  test('unknown costs and blanks keep their last value', () => {
    const known = new Map([[id(1), aCopy({ costCents: cents(900) })]])
    expect(diffVariants(known, read(known, anAnswer(1, { blankId: null })))).toEqual([])
    const costs = new Map([[100, cents(950)]])
    expect(diffVariants(known, toVariantCopy(known, HAT, [anAnswer(1)], costs))).toMatchObject([
      { kind: 'cost', before: { costCents: 900 }, after: { costCents: 950 } },
    ])
  })
})
