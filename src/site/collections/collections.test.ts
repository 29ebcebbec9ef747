import { describe, expect, test } from 'vitest'
import { contrastProblems } from '#domain/catalog/contrast.ts'
import { house } from '../house.ts'
import { knownCollections } from './known.ts'

test.each([...knownCollections, house])('the colors of $displayName can be read', ({ colors }) => {
  expect(contrastProblems(colors)).toEqual({})
})

describe.each(knownCollections)('$displayName', ({ displayName, emailSubject, keywords, ...texts }) => {
  test('has a subject of the confirmation email that follows the pattern', () => {
    expect(emailSubject).toBe(`Order Confirmation PF{orderId} - ${displayName}`)
  })

  test('has no text that shouts with an exclamation mark, and its pet is a search word', () => {
    expect(Object.values(texts).filter((text) => typeof text === 'string' && text.includes('!'))).toEqual([])
    expect(keywords).toContain(texts.petName.toLowerCase())
  })
})

test('the specification has three collections, Rudy first', () => {
  expect(knownCollections.map(({ id }) => id)).toEqual(['rudy', 'sherlock', 'example'])
})
