import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedMembers, isSameValue, mergeImport } from './product-content.ts'

type Content = { name: string; badge: string | null; colors: string[] }

const content = fc.record({
  name: fc.constantFrom('Hat', 'Cap', 'Visor'),
  badge: fc.constantFrom(null, 'NEW ARRIVAL', 'LAST ONES'),
  colors: fc.array(fc.constantFrom('Navy', 'Ivory'), { maxLength: 2 }),
})

test('a file takes only what it changed since the last import; what the owner changed stays', () => {
  fc.assert(
    fc.property(content, content, content, (last: Content, current: Content, file: Content) => {
      const merged = mergeImport(last, current, file)
      for (const name of ['name', 'badge', 'colors'] as const)
        expect(merged[name]).toEqual(isSameValue(last[name], file[name]) ? current[name] : file[name])
      expect(mergeImport(file, merged, file)).toEqual(merged)
      expect(changedMembers(file, mergeImport(undefined, current, file))).toEqual([])
    }),
  )
})

test('values are the same whatever the order of their members, and differ by order in lists', () => {
  expect(isSameValue({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true)
  expect(isSameValue({ a: undefined }, {})).toBe(true)
  expect(isSameValue(['Navy', 'Ivory'], ['Ivory', 'Navy'])).toBe(false)
  expect(isSameValue({ a: 1 }, { a: 1, b: 2 })).toBe(false)
})
