import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import type { DisputePack } from '#domain/payments/dispute-pack.ts'
import type { Cents } from '#shared/money.ts'
import { LATEST, WORDS_MAX } from './dispute-pack.ts'
import { disputePaper } from './dispute-paper.ts'

/** Mastercard's, the fewest of all networks (docs.stripe.com/disputes/best-practices). */
const PAGES_MAX = 19
const at = '2026-11-03T14:05:00Z'
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

test('the longest evidence fits what every card network reads, in any script', async () => {
  const pack: DisputePack = {
    shopName: 'Pawtelier',
    dispute: { id: 'du_1', provider: 'Stripe', reason: 'fraudulent', amount: 2595 as Cents, openedAt: at },
    subject: 'Order K7QM-4T2X',
    placedAt: at,
    customer: { name: '山田 花子', email: 'hanako@mail.example', phone: '+81 3 1234 5678' },
    lines: many(LATEST.lines, { name: 'Sherlock '.repeat(12), quantity: 2, unitPrice: 1200 as Cents }),
    amounts: many(5, { name: 'Total', amount: 100 as Cents }),
    shippingAddress: many(6, 'Unter den Linden 77, second backyard'),
    billingAddress: many(6, 'Unter den Linden 77, second backyard'),
    checks: many(8, { name: 'Security code', result: 'pass' }),
    terms: { version: '3', acceptedAt: at, urls: many(3, `https://shop.example/${'x'.repeat(60)}`) },
    parcels: many(LATEST.parcels, {
      ...{ carrier: 'USPS', trackingNumber: '9400', trackingUrl: `https://t.example/${'9'.repeat(60)}` },
      ...{ shippedAt: at, deliveredAt: at },
      events: many(LATEST.events, { text: 'Handed over to the carrier', place: 'Charlotte, NC', at }),
    }),
    mails: many(LATEST.mails, { subject: 'Your order K7QM-4T2X is on its way', recipient: '', sentAt: at }),
    visits: many(LATEST.visits, at),
    conversation: many(LATEST.messages, {
      by: 'customer',
      at,
      words: 'It never came. '.repeat(99).slice(0, WORDS_MAX),
    }),
    refunds: many(LATEST.refunds, { amount: 100 as Cents, status: 'succeeded', at, providerId: 're_1' }),
    giftCard: null,
  }
  const file = await disputePaper(pack, new Date(at), 'care@shop.example')
  const { totalPages, text } = await extractText(new Uint8Array(file), { mergePages: true })
  expect(totalPages).toBeLessThanOrEqual(PAGES_MAX)
  expect(file.length).toBeLessThan(1_000_000)
  expect(text.replaceAll(/\s/g, '')).toContain('山田花子')
})
