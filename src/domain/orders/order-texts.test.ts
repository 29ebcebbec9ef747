import { expect, test } from 'vitest'
import { giftNoteOf, isGift, recipientNameOf, withRecipientName } from './gift.ts'
import { labeledTexts, orderTextsIn } from './order-texts.ts'

test('texts left empty are not kept', () => {
  expect(orderTextsIn({ recipient: ' ', former: null, gift_message: ' For Ada ' })).toEqual({ gift_message: 'For Ada' })
  expect(orderTextsIn({ recipient: '' })).toBeUndefined()
})

test('texts are shown with their labels, in the order of the fields', () => {
  expect(labeledTexts({ gift_message: 'Happy birthday', recipient: 'Ada Fan', former: 'x' })).toEqual([
    { label: 'Recipient’s name', text: 'Ada Fan' },
    { label: 'Gift message', text: 'Happy birthday' },
  ])
  expect(labeledTexts(null)).toBeUndefined()
})

test.each([
  ['no gift', null, 'Grace Fan', undefined, false],
  ['for somebody else', { recipient: 'Ada Fan' }, 'Ada Fan', undefined, true],
  ['with a message', { gift_message: 'Hi' }, 'Grace Fan', { heading: 'For Grace Fan', message: 'Hi' }, true],
  ['both', { recipient: 'Ada Fan', gift_message: 'Hi' }, 'Ada Fan', { heading: 'For Ada Fan', message: 'Hi' }, true],
])('%s: the name on the parcel and the packing slip’s message', (_, texts, name, note, gift) => {
  const order = { customerName: 'Grace Fan', texts }
  expect(recipientNameOf(order)).toBe(name)
  expect(giftNoteOf(order)).toEqual(note)
  expect(isGift(texts)).toBe(gift)
})

test('correcting the name on a gift’s parcel leaves the customer’s own', () => {
  const texts = { recipient: 'Ada Fan', gift_message: 'Hi' }
  expect(withRecipientName({ customerName: 'Grace Fan', texts }, 'Ada Byron')).toEqual({
    texts: { recipient: 'Ada Byron', gift_message: 'Hi' },
  })
  expect(withRecipientName({ customerName: 'Grace Fan', texts: null }, 'Ada Byron')).toEqual({
    customerName: 'Ada Byron',
  })
})
