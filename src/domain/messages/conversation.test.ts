import { expect, test } from 'vitest'
import {
  conversationStates,
  fillReply,
  leftPlaceholderIn,
  nextConversationState,
  orderNumbersIn,
  unknownPlaceholderIn,
} from './conversation.ts'

test('what a customer writes always waits for an answer, also in a closed conversation', () => {
  expect(conversationStates.map((state) => nextConversationState(state, 'write'))).toEqual([
    'waiting',
    'waiting',
    'waiting',
  ])
})

test('only a closed conversation is reopened, and it is not closed twice', () => {
  expect(conversationStates.map((state) => nextConversationState(state, 'reopen'))).toEqual([
    undefined,
    undefined,
    'waiting',
  ])
  expect(nextConversationState('closed', 'close')).toBeUndefined()
})

test('a saved reply is filled in with what is known, and what is not stays to be seen', () => {
  const filled = fillReply('Hi {first-name}, {order} is here: {tracking} {smile}', {
    'first-name': 'Ada',
    order: 'PF1',
  })
  expect(filled).toBe('Hi Ada, PF1 is here: {tracking} {smile}')
  expect(leftPlaceholderIn(filled)).toBe('tracking')
  expect(leftPlaceholderIn('Hi {smile}')).toBeUndefined()
})

test('a saved reply with a placeholder that does not exist is found', () => {
  expect(unknownPlaceholderIn('Hi {first-name}, {parcel}')).toBe('parcel')
  expect(unknownPlaceholderIn('Hi {first-name}, {order}')).toBeUndefined()
})

test.each([
  ['My order PFK7QM-4T2X is late', ['PFK7QM-4T2X']],
  ['pfk7qm4t2x and PFAAAA BBBB', ['pfk7qm4t2x', 'PFAAAA BBBB']],
  ['Where is my parcel?', []],
  ['PFK7QM-4T2XY', []],
])('in “%s” the numbers of orders are %j', (text, numbers) => {
  expect(orderNumbersIn(text)).toEqual(numbers)
})
