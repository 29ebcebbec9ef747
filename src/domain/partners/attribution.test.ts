import { expect, test } from 'vitest'
import { isClick, objectionToAttribution } from './attribution.ts'

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

const partner = { userId: 7, email: 'Rudy@Mail.example', state: 'active' as const }

test.each([
  ['a stranger', partner, { userId: null, email: 'ada@mail.example' }, undefined],
  ['another account', partner, { userId: 8, email: 'ada@mail.example' }, undefined],
  ['the partner, signed in', partner, { userId: 7, email: 'ada@mail.example' }, 'own_account'],
  ['the partner as a guest', partner, { userId: null, email: 'rudy+shop@mail.example' }, 'own_email'],
  [
    'a guest, where no mail is known of the partner',
    { ...partner, email: null },
    { userId: null, email: '' },
    undefined,
  ],
  [
    'anybody, once it has ended',
    { ...partner, state: 'ended' as const },
    { userId: null, email: null },
    'partner_ended',
  ],
])('an order of %s: %#', (_, by, shopper, objection) => expect(objectionToAttribution(by, shopper)).toBe(objection))
