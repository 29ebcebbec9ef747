import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** The characters in the two subset fonts, from the style sheet's unicode-range. */
const ranges = [...read('src/web/theme/styles.css').matchAll(/-first\.woff2[^}]*unicode-range:([^;]+);/g)].map(
  ([, list = '']) =>
    list.split(',').map((range) => {
      const [from = Number.NaN, to = from] = range
        .trim()
        .replace('U+', '')
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return { from, to }
    }),
)

test('the subset fonts cover every character of the shop’s own texts, so no page loads the full fonts', () => {
  const files = globSync(['src/{web,site,contract}/**/*.{ts,tsx}', 'src/domain/catalog/*.ts', 'sandbox/catalog/*.ts'], {
    cwd: ROOT,
  }).filter((path) => !path.includes('.test.'))
  const used = new Set(files.flatMap((path) => Array.from(read(path))).filter((letter) => letter >= ' '))
  expect(ranges).toHaveLength(2)
  for (const range of ranges) {
    const isCovered = (letter: string) =>
      range.some(({ from, to }) => from <= (letter.codePointAt(0) ?? 0) && (letter.codePointAt(0) ?? 0) <= to)
    expect([...used].filter((letter) => !isCovered(letter))).toEqual([])
  }
})
