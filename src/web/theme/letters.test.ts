import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** The letters that the two fonts of every page have, as the style sheet tells the browser. */
const ranges = [...read('src/web/theme/styles.css').matchAll(/unicode-range:([^;]+);/g)].map(([, list = '']) =>
  list.split(',').map((one) => {
    const [from = Number.NaN, to = from] = one
      .trim()
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return { from, to }
  }),
)

test('the small fonts have every letter of our own texts, so that no page loads a large one for them', () => {
  const files = globSync(
    ['src/{web,brand,contract}/**/*.{ts,tsx}', 'src/domain/catalog/*.ts', 'sandbox/catalog/*.ts'],
    {
      cwd: ROOT,
    },
  ).filter((path) => !path.includes('.test.'))
  const used = new Set(files.flatMap((path) => Array.from(read(path))).filter((letter) => letter >= ' '))
  expect(ranges).toHaveLength(2)
  for (const range of ranges) {
    const isThere = (letter: string) =>
      range.some(({ from, to }) => from <= (letter.codePointAt(0) ?? 0) && (letter.codePointAt(0) ?? 0) <= to)
    expect([...used].filter((letter) => !isThere(letter))).toEqual([])
  }
})
