import { expect, test } from 'vitest'
import { labeledTexts, orderTextsIn } from './order-texts.ts'

const known = {
  gift_note: { label: 'Gift note', hint: 'We print it on a card.', maxLength: 200 },
  door_code: { label: 'Door code', hint: 'For the carrier.', maxLength: 20 },
}

test('texts left empty are not kept', () => {
  expect(orderTextsIn({ door_code: ' ', former: null, gift_note: ' For Ada ' })).toEqual({ gift_note: 'For Ada' })
  expect(orderTextsIn({ door_code: '' })).toBeUndefined()
})

test('texts are shown with their labels, in the order of the fields', () => {
  expect(labeledTexts({ door_code: '7', gift_note: 'For Ada', former: 'x' }, known)).toEqual([
    { label: 'Gift note', text: 'For Ada' },
    { label: 'Door code', text: '7' },
  ])
  expect(labeledTexts(null, known)).toBeUndefined()
})
