import { expect, test } from 'vitest'
import { isClick, objectionToAttribution, type KnownPartner, type Purchase } from './attribution.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1'
const asked = { method: 'GET', userAgent: PHONE, purpose: undefined, destination: 'document' }

test.each([
  ['a phone', {}],
  ['an old browser, which does not say what it wants it for', { destination: undefined }],
  ['an app that shows pages', { userAgent: `${PHONE} Telegram-Android/10.1 (Cubot CUBOT_X18; Android 9)` }],
])('%s clicks', (_, more) => expect(isClick({ ...asked, ...more })).toBe(true))

test.each([
  ['a search engine', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['a chat that draws a preview', { userAgent: 'facebookexternalhit/1.1' }],
  ['another chat', { userAgent: 'WhatsApp/2.23.20.0' }],
  ['a program', { userAgent: 'curl/8.5.0' }],
  ['somebody without a name', { userAgent: undefined }],
  ['who asks for the head alone', { method: 'HEAD' }],
  ['a browser that looks ahead', { purpose: 'prefetch;prerender' }],
  ['a picture on a page of somebody else', { destination: 'image' }],
  ['a frame on a page of somebody else', { destination: 'iframe' }],
])('%s does not click', (_, more) => expect(isClick({ ...asked, ...more })).toBe(false))

const home = {
  line1: '77 Quuxmoor St, Apt 4',
  line2: null,
  city: 'New York',
  state: 'NY',
  postalCode: '10118-0110',
  country: 'US',
}
const partner: KnownPartner = {
  userId: 7,
  state: 'active',
  emails: ['Rudy@Mail.example', 'sleeps.on.gold@gmail.com', null],
  addresses: [home],
  payers: ['card-of-the-partner', 'wallet-of-the-partner'],
}
const stranger: Purchase = {
  userId: null,
  formerUserId: null,
  isOwnClick: false,
  emails: ['ada@mail.example', null],
  addresses: [{ ...home, line1: '78 Quuxmoor St, Apt 4' }],
  payer: { kind: 'card', hash: 'card-of-ada' },
}

test.each<[string, Partial<Purchase>, string | undefined]>([
  ['a stranger', {}, undefined],
  ['another account', { userId: 8, formerUserId: 9 }, undefined],
  ['a neighbor', { addresses: [{ ...home, line1: '77 Quuxmoor St, Apt 5' }] }, undefined],
  ['the same street elsewhere', { addresses: [{ ...home, postalCode: '94107' }] }, undefined],
  ['somebody with a similar mail', { emails: ['rudy@mail.example.org', 'r.udy@mail.example'] }, undefined],
  [
    'somebody of whom nothing is known',
    { emails: ['', null], addresses: [{ ...home, line1: '' }], payer: null },
    undefined,
  ],
  ['the partner, signed in', { userId: 7 }, 'own_account'],
  ['the partner, signed out', { formerUserId: 7 }, 'own_browser'],
  ['a browser that clicked while it was the partner’s', { isOwnClick: true, userId: 8 }, 'own_browser'],
  ['the partner’s mail, sorted by a tag', { emails: [' rudy+shop@mail.EXAMPLE '] }, 'own_email'],
  ['the partner’s mail without its dots', { emails: ['SleepsOnGold+1@googlemail.com'] }, 'own_email'],
  ['the wallet’s mail', { emails: ['ada@mail.example', 'rudy@mail.example'] }, 'own_email'],
  ['the partner’s address', { addresses: [home] }, 'own_address'],
  [
    'the partner’s address as a billing address, written otherwise',
    {
      addresses: [
        { ...home, line1: '1 Elsewhere' },
        { ...home, line1: '77 QUUXMOOR Street', line2: '#4', postalCode: '10118' },
      ],
    },
    'own_address',
  ],
  ['the partner’s card', { payer: { kind: 'card', hash: 'card-of-the-partner' } }, 'own_card'],
  ['the partner’s wallet', { payer: { kind: 'wallet', hash: 'wallet-of-the-partner' } }, 'own_wallet'],
])('an order of %s', (_, by, objection) =>
  expect(objectionToAttribution(partner, { ...stranger, ...by })).toBe(objection),
)

test('no order earns commission once the partnership has ended', () => {
  expect(objectionToAttribution({ ...partner, state: 'ended' }, stranger)).toBe('partner_ended')
})

test('a partner without known data never matches somebody else’s order', () => {
  const unknown: KnownPartner = { ...partner, emails: [null, ''], addresses: [{ ...home, line1: ' ' }], payers: [] }
  expect(objectionToAttribution(unknown, { ...stranger, emails: [null, ''] })).toBeUndefined()
})
