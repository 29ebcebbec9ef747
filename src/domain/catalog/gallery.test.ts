import { expect, test } from 'vitest'
import { pictureAlt, cardPictures, inUse, mainPicture, pictureBeside, galleryPictures } from './gallery.ts'

const pictures = [
  { src: 'navy-front', view: 'front', color: 'Navy' },
  { src: 'navy-detail', view: 'detail', color: 'Navy' },
  { src: 'ivory-front', view: 'front', color: 'Ivory' },
]

test.each([
  ['follows the chosen color', { clicked: undefined, color: 'Ivory' }, 'ivory-front'],
  ['stays with a clicked thumbnail', { clicked: 'navy-detail', color: 'Ivory' }, 'navy-detail'],
  ['forgets a click on a picture that is gone', { clicked: 'old', color: 'Ivory' }, 'ivory-front'],
  ['is the first where nothing fits', { clicked: undefined, color: 'Pink' }, 'navy-front'],
])('the large picture %s', (_, choice, src) => expect(mainPicture(pictures, choice)?.src).toBe(src))

test('without pictures there is no large picture', () => {
  expect(mainPicture([], { clicked: undefined, color: null })).toBeUndefined()
})

test.each([
  [{ view: 'front', color: 'Navy' }, 'Rudy Hat in Navy, front'],
  [{ view: 'scene', color: null }, 'Rudy Hat, scene'],
  [{ view: '', color: null }, 'Rudy Hat'],
])('%o reads as %j', (picture, alt) => expect(pictureAlt('Rudy Hat', picture)).toBe(alt))

test.each([
  ['the chosen color with all its views first', 'Navy', 9, ['navy-front', 'navy-detail', 'ivory-front']],
  ['another color by its first picture', 'Ivory', 9, ['ivory-front', 'navy-front']],
  ['the first color like a chosen one where none is', null, 9, ['navy-front', 'navy-detail', 'ivory-front']],
  ['no more than it has place for', 'Navy', 2, ['navy-front', 'navy-detail']],
])('a card shows %s', (_, color, count, expected) => {
  expect(cardPictures(pictures, color, count).map(({ src }) => src)).toEqual(expected)
})

test.each([
  ['Navy', ['navy-front', 'navy-detail']],
  [null, ['navy-front', 'navy-detail']],
  ['Ivory', ['navy-front', 'ivory-front']],
])('in %s the gallery shows its views, and the other colors only beside a single picture', (color, expected) => {
  expect(galleryPictures(pictures, color).map(({ src }) => src)).toEqual(expected)
})

test('a drawing of the measures is in every color’s gallery, and never on a card or in a product’s place', () => {
  const measured = [...pictures, { src: 'measures', view: 'measures', color: null }]
  const sources = (shown: typeof measured) => shown.map(({ src }) => src)
  expect(sources(galleryPictures(measured, 'Navy'))).toEqual(['navy-front', 'navy-detail', 'measures'])
  expect(sources(galleryPictures(measured, 'Ivory'))).toEqual(['ivory-front', 'measures'])
  expect(sources(cardPictures(measured, null, 9))).toEqual(['navy-front', 'navy-detail', 'ivory-front'])
  expect(mainPicture(measured, { clicked: undefined, color: null })?.src).toBe('navy-front')
  expect(inUse(measured, null)).toBeUndefined()
})

test.each([
  ['the next', 0, 1, 'navy-detail'],
  ['the first after the last', 2, 1, 'navy-front'],
  ['the last before the first', 0, -1, 'ivory-front'],
])('the next picture is %s', (_, index, steps, src) => {
  expect(pictureBeside(pictures, pictures[index], steps)?.src).toBe(src)
})

test('without pictures there is no next one', () => {
  expect(pictureBeside([], undefined, 1)).toBeUndefined()
})
