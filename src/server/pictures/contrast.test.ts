import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { colorFit } from '#domain/pictures/contrast.ts'
import { readDrawing } from './uploads.ts'

const read = new Map<string, ReturnType<typeof readDrawing>>()
function drawingOf(name: string) {
  const known = read.get(name)
  if (known) return known
  const file = new URL(`../../../pictures/designs/${name}.svg`, import.meta.url)
  const made = readDrawing({ bytes: readFileSync(file) })
  read.set(name, made)
  return made
}
const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${inside}</svg>`)
const fitOf = async (inside: string, dye: string) =>
  colorFit((await readDrawing({ bytes: svg(inside) })).drawing, dye).fit

test('every drawing of the demo suits every dye it is sold on', async () => {
  const unsuited: string[] = []
  for (const { design, colors } of demoProducts)
    for (const { name, hex } of colors) {
      const { fit, standsOut } = colorFit((await drawingOf(design)).drawing, hex)
      if (fit !== 'good') unsuited.push(`${design} on ${name}: ${fit} ${standsOut}`)
    }
  expect(unsuited).toEqual([])
})

const bone = '<circle cx="50" cy="50" r="40" fill="#f3eee2"/>'
const outlined = '<circle cx="50" cy="50" r="40" fill="#2b2b2e" stroke="#f3eee2" stroke-width="6"/>'
const mixed = '<circle cx="50" cy="50" r="40" fill="#f3eee2"/><circle cx="50" cy="50" r="20" fill="#2b2b2e"/>'
test.each([
  ['ivory ink', bone, 'ivory', '#f3eee2', 'poor'],
  ['ivory ink', bone, 'white', '#f6f5f1', 'poor'],
  ['ivory ink', bone, 'navy', '#1f2a44', 'good'],
  ['dark ink with an ivory outline', outlined, 'charcoal, by its outline', '#2b2b2e', 'good'],
  ['dark ink with an ivory outline', outlined, 'ivory, by its inside', '#f3eee2', 'good'],
  ['ivory around a small dark middle', mixed, 'ivory, of which most vanishes', '#f3eee2', 'weak'],
])('%s (%s) on %s is %s: %s', async (_, drawing, __, dye, fit) => {
  expect(await fitOf(drawing, dye)).toBe(fit)
})
