import { expect, test } from 'vitest'
import type { Cents } from '#shared/money.ts'
import {
  answerKinds,
  countdown,
  objectionToAnswer,
  stateBySight,
  type AnswerKind,
  type AnswerStanding,
} from './dispute-answer.ts'
import { addressMatch, gapsOf, paypalEvidence, stripeEvidence, type DisputePack } from './dispute-pack.ts'

test.each<[AnswerStanding, string, string]>([
  ['waiting', 'send', 'send'],
  ['ours', 'sent', 'sent'],
  ['answered', 'refused', 'refused'],
  ['late', 'refused', 'send'],
  ['idle', 'refused', 'send'],
  ['decided', 'refused', 'sent'],
])('where the provider is %s, evidence is %s and an acceptance %s', (standing, ...expected) => {
  expect(answerKinds.map((kind) => stateBySight(standing, kind) ?? 'send')).toEqual(expected)
})

const now = new Date('2026-11-26T12:00:00Z')
const answer = (kind: AnswerKind, state: 'queued' | 'sent' | 'refused') => ({ kind, state })
const open = { status: 'open' as const, respondBy: new Date('2026-11-26T12:00:01Z'), answer: undefined }

test.each([
  [open, undefined],
  [{ ...open, status: 'inquiry' as const, respondBy: null }, undefined],
  [{ ...open, answer: answer('evidence', 'refused') }, undefined],
  [{ ...open, respondBy: now }, 'The deadline for evidence has passed.'],
  [{ ...open, answer: answer('evidence', 'queued') }, 'An answer is already on its way.'],
  [{ ...open, answer: answer('evidence', 'sent') }, 'The evidence was sent. It can be sent once.'],
  [{ ...open, answer: answer('acceptance', 'sent') }, 'This dispute was accepted.'],
  [{ ...open, status: 'won' as const }, 'This dispute is already decided.'],
])('whether a dispute can be answered: %j', (dispute, objection) => {
  expect(objectionToAnswer(dispute, now)).toBe(objection)
})

test.each([
  [-1, 'passed'],
  [0, 'in less than an hour'],
  [1, 'in 1 hour'],
  [47, 'in 47 hours'],
  [48, 'in 2 days'],
  [216, 'in 9 days'],
])('%i hours are told as %s', (hours, words) => {
  expect(countdown(hours)).toBe(words)
})

const pack: DisputePack = {
  shopName: 'Pawtelier',
  dispute: { id: 'du_1', provider: 'Stripe', reason: null, amount: 2595 as Cents, openedAt: '2026-11-20T00:00:00Z' },
  subject: 'Order K7QM-4T2X',
  placedAt: '2026-11-03T14:05:00Z',
  customer: { name: 'Ada', email: 'ada@mail.example', phone: null },
  lines: [{ name: 'Mug', quantity: 2, unitPrice: 1200 as Cents }],
  amounts: [],
  shippingAddress: ['Ada', '1 Elm St', 'Austin, TX 78701'],
  billingAddress: ['A. Byron', '1 Elm St.', 'Austin TX 78701'],
  checks: [],
  terms: null,
  parcels: [],
  mails: [],
  visits: [],
  conversation: [],
  refunds: [],
  giftCard: null,
}
const parcel = {
  ...{ carrier: 'Royal Mail Tracked', trackingNumber: 'RM1', trackingUrl: null, shippedAt: '2026-11-05T10:00:00Z' },
  ...{ deliveredAt: '2026-11-09T10:00:00Z', events: [] },
}

test('addresses match by what they say, without names and punctuation', () => {
  expect(addressMatch(pack)).toContain('is the one')
  expect(addressMatch({ ...pack, billingAddress: ['Ada', '2 Elm St'] })).toContain('another one')
  expect(addressMatch({ ...pack, billingAddress: [] })).toContain('one address')
})

test('evidence has what is known, and nothing empty; a note never exceeds PayPal’s length', () => {
  expect(gapsOf(pack)).toHaveLength(4)
  expect(stripeEvidence(pack)).not.toHaveProperty('shipping_carrier')
  expect(paypalEvidence(pack, 'a.pdf').map((one) => one.evidence_type)).toEqual(['OTHER'])
  const known = {
    ...pack,
    parcels: [parcel],
    lines: Array.from({ length: 99 }, () => ({
      ...pack.lines[0],
      name: 'x'.repeat(99),
      quantity: 1,
      unitPrice: 1 as Cents,
    })),
  }
  expect(stripeEvidence(known)).toMatchObject({ shipping_tracking_number: 'RM1', shipping_date: '2026-11-05' })
  const [fulfilled, other] = paypalEvidence(known, 'a.pdf')
  expect(fulfilled?.evidence_info?.tracking_info).toEqual([{ carrier_name: 'ROYAL_MAIL', tracking_number: 'RM1' }])
  expect(other?.notes).toHaveLength(2000)
  const elsewhere = { ...parcel, carrier: 'Asendia' }
  expect(paypalEvidence({ ...pack, parcels: [elsewhere] }, 'a.pdf')[0]?.evidence_info?.tracking_info).toEqual([
    { carrier_name: 'OTHER', carrier_name_other: 'Asendia', tracking_number: 'RM1' },
  ])
})
