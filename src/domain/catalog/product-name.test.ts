import { expect, test } from 'vitest'
import { spokenName } from './product-name.ts'

test.each([
  ['Rudy Hat "After Hours"', 'Rudy Hat “After Hours”'],
  ['Two in one: "Bull" and "Bear"', 'Two in one: “Bull” and “Bear”'],
  ['Poster 24" wide', 'Poster 24" wide'],
  ['Sherpa Blanket', 'Sherpa Blanket'],
])('%s reads %s', (name, spoken) => {
  expect(spokenName(name)).toBe(spoken)
})
