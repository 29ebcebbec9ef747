import { expect, test } from 'vitest'
import { altOf, firstOfEachColour, mainPicture } from './gallery.ts'

const pictures = [
  { src: 'navy-front', view: 'front', colour: 'Navy' },
  { src: 'navy-detail', view: 'detail', colour: 'Navy' },
  { src: 'ivory-front', view: 'front', colour: 'Ivory' },
]

test.each([
  ['follows the chosen colour', { clicked: undefined, colour: 'Ivory' }, 'ivory-front'],
  ['stays with a clicked thumbnail', { clicked: 'navy-detail', colour: 'Ivory' }, 'navy-detail'],
  ['forgets a click on a picture that is gone', { clicked: 'old', colour: 'Ivory' }, 'ivory-front'],
  ['is the first where nothing fits', { clicked: undefined, colour: 'Pink' }, 'navy-front'],
])('the large picture %s', (_, choice, src) => expect(mainPicture(pictures, choice)?.src).toBe(src))

test('without pictures there is no large one', () => {
  expect(mainPicture([], { clicked: undefined, colour: null })).toBeUndefined()
})

test.each([
  [{ view: 'front', colour: 'Navy' }, 'Rudy Hat in Navy, front'],
  [{ view: 'scene', colour: null }, 'Rudy Hat, scene'],
  [{ view: '', colour: null }, 'Rudy Hat'],
])('%o reads as %j', (picture, alt) => expect(altOf('Rudy Hat', picture)).toBe(alt))

test('a card shows each colour once', () => {
  expect(firstOfEachColour(pictures).map(({ src }) => src)).toEqual(['navy-front', 'ivory-front'])
})
