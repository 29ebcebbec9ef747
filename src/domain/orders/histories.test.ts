import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isBalanced,
  entriesOfDecision,
  entriesOfDispute,
  entriesOfFee,
  entriesOfPrinterCost,
  entriesOfPrinterCredit,
  entriesOfRefund,
  entriesOfSale,
  reverseEntries,
  type Entry,
} from '#domain/ledger/ledger.ts'
import {
  partsOfAmount,
  paymentStatusFor,
  remainingParts,
  totalOf,
  type DisputeStatus,
  type RefundParts,
} from '#domain/payments/returns.ts'
import { cents, minus, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import { chargeOf } from './printer-cost.ts'
import { fulfillmentStatusFrom, type ParcelOutcome, type PrinterStatus } from './printer-status.ts'
import { fulfillmentCanBecome, paymentCanBecome, type FulfillmentStatus, type PaymentStatus } from './status.ts'

const EVENTS = 100
const HISTORIES = 100

type Snapshot = { word: PrinterStatus; costTotal: Cents | null; parcels: Map<number, ParcelOutcome> }

/** What may happen at the partner, whatever is heard of it here. */
const atPartner = fc.constantFrom(
  'confirm',
  'make',
  'hold',
  'release',
  'fail',
  'cancel',
  'ship',
  'ship_last',
  'resend',
  'deliver',
  'return',
  'credit',
)
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('partner' as const), does: atPartner }) },
  // News of any age, so late, doubled and out of order.
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('news' as const), age: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      share: fc.double({ min: 0.01, max: 1.2, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund_fails' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('dispute' as const),
      becomes: fc.constantFrom<DisputeStatus>('open', 'won', 'lost'),
    }),
  },
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

const whole: RefundParts = {
  merchandise: cents(7495),
  shipping: ZERO,
  surcharge: cents(3499),
  tax: cents(665),
  vatProtection: cents(1),
}
const total = totalOf(whole)

/** The partner's side: a word that goes its own way, and parcels. */
function happens({ word, costTotal, parcels }: Snapshot, does: string): Snapshot {
  const next = { word, costTotal, parcels: new Map(parcels) }
  const last = Math.max(0, ...parcels.keys())
  const open = word === 'pending' || word === 'inprocess' || word === 'partial'
  if (does === 'confirm' && (word === 'draft' || word === 'failed'))
    return { ...next, word: 'pending', costTotal: cents(2995) }
  if (does === 'make' && word === 'pending') return { ...next, word: 'inprocess' }
  if (does === 'hold' && (word === 'pending' || word === 'inprocess')) return { ...next, word: 'onhold' }
  if (does === 'release' && word === 'onhold') return { ...next, word: 'pending' }
  if (does === 'fail' && (word === 'pending' || word === 'onhold')) return { ...next, word: 'failed' }
  if (does === 'cancel' && parcels.size === 0 && word !== 'canceled') return { ...next, word: 'canceled' }
  if (does === 'credit' && costTotal !== null && costTotal > 100)
    return { ...next, costTotal: minus(costTotal, cents(100)) }
  if ((does === 'ship' || does === 'ship_last') && open && parcels.size < 3) {
    next.parcels.set(last + 1, { deliveredAt: null, returnedAt: null, reshipment: false })
    return { ...next, word: does === 'ship' ? 'partial' : 'fulfilled' }
  }
  if (does === 'resend' && word === 'fulfilled' && parcels.size < 5)
    next.parcels.set(last + 1, { deliveredAt: null, returnedAt: null, reshipment: true })
  const parcel = parcels.get(last)
  if (does === 'deliver' && parcel) next.parcels.set(last, { ...parcel, deliveredAt: new Date(0) })
  if (does === 'return' && parcel) next.parcels.set(last, { ...parcel, deliveredAt: null, returnedAt: new Date(0) })
  return next
}

/** One order under one history, by the rules alone. */
function live(history: readonly Event[]) {
  const postings: Entry[][] = [
    entriesOfSale('stripe', { ...whole, subtotal: whole.merchandise, shipping: whole.surcharge, total }),
    entriesOfFee('stripe', cents(368)),
  ]
  const drafted: Snapshot = { word: 'draft', costTotal: null, parcels: new Map() }
  const truth = [drafted]
  const parcels = new Map<number, ParcelOutcome>()
  const mails: string[] = []
  const path: FulfillmentStatus[] = ['waiting']
  const payments: PaymentStatus[] = ['paid']
  const refunds: { parts: RefundParts; failed: boolean }[] = []
  let dispute: { amount: Cents; status: DisputeStatus } | undefined
  let cost: Cents = ZERO

  const kept = () => refunds.filter(({ failed }) => !failed).map(({ parts }) => parts)
  const restate = () => {
    const status = paymentStatusFor(total, sum(kept().map(totalOf)), dispute ? [dispute] : [])
    if (status !== payments.at(-1)) payments.push(status)
  }
  const hear = ({ word, costTotal, parcels: theirs }: Snapshot) => {
    const charge = chargeOf({ status: word, costTotal, shipments: [...theirs] })
    if (charge !== null && charge !== cost) {
      postings.push(
        charge > cost
          ? entriesOfPrinterCost(minus(charge, cost), true)
          : entriesOfPrinterCredit(minus(cost, charge), true),
      )
      cost = charge
    }
    for (const [id, fate] of theirs) {
      const known = parcels.get(id)
      if (!known) mails.push(`shipped ${id}`)
      if (fate.deliveredAt && !known?.deliveredAt) mails.push(`delivered ${id}`)
      parcels.set(id, {
        reshipment: fate.reshipment,
        deliveredAt: known?.deliveredAt ?? fate.deliveredAt,
        returnedAt: known?.returnedAt ?? fate.returnedAt,
      })
    }
    const to = fulfillmentStatusFrom(word, [...parcels.values()])
    if (fulfillmentCanBecome(path.at(-1) ?? 'waiting', to)) path.push(to)
  }
  for (const one of history) {
    if (one.kind === 'partner') truth.push(happens(truth.at(-1) ?? drafted, one.does))
    if (one.kind === 'news') hear(truth[Math.max(0, truth.length - 1 - one.age)] ?? drafted)
    if (one.kind === 'refund') {
      const rest = remainingParts(whole, kept())
      const asked = dispute && dispute.status !== 'won' ? dispute.amount : ZERO
      const amount = cents(Math.floor(total * one.share))
      if (amount > 0 && amount <= minus(totalOf(rest), asked)) {
        const parts = partsOfAmount(rest, amount)
        refunds.push({ parts, failed: false })
        postings.push(entriesOfRefund('stripe', parts))
      }
    }
    if (one.kind === 'refund_fails') {
      const failing = refunds[one.which]
      if (failing && !failing.failed) {
        failing.failed = true
        postings.push(reverseEntries(entriesOfRefund('stripe', failing.parts)))
      }
    }
    if (one.kind === 'dispute') {
      if (!dispute && one.becomes === 'open') {
        dispute = { amount: minus(total, sum(kept().map(totalOf))), status: 'open' }
        if (dispute.amount === ZERO) dispute = undefined
        else postings.push(entriesOfDispute('stripe', dispute.amount, cents(1500)))
      } else if (dispute?.status === 'open' && one.becomes !== 'open') {
        dispute = { ...dispute, status: one.becomes }
        postings.push(entriesOfDecision('stripe', dispute.amount, one.becomes === 'won'))
      }
    }
    restate()
  }
  return { postings, path, payments, mails, refunded: sum(kept().map(totalOf)), dispute, cost }
}

const on = (postings: readonly Entry[][], account: Entry['account']): Cents =>
  sum(postings.flat().flatMap((entry) => (entry.account === account ? [entry.amount] : [])))

test(`${HISTORIES} histories of ${EVENTS} events each, late, doubled and out of order, keep book, refunds, states and mails`, () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: EVENTS, maxLength: EVENTS }), (history) => {
      const { postings, path, payments, mails, refunded, dispute, cost } = live(history)
      for (const posting of postings) expect(isBalanced(posting)).toBe(true)
      expect(refunded).toBeLessThanOrEqual(total)
      for (const [at, status] of path.entries())
        if (at > 0) expect(fulfillmentCanBecome(path[at - 1] ?? 'waiting', status), path.join(' > ')).toBe(true)
      for (const [at, status] of payments.entries())
        if (at > 0) expect(paymentCanBecome(payments[at - 1] ?? 'paid', status), payments.join(' > ')).toBe(true)
      expect(new Set(mails).size).toBe(mails.length)

      // What the provider holds is what came, less what went, is taken or was kept.
      const taken = dispute && dispute.status !== 'won' ? dispute.amount : ZERO
      const disputeFee = dispute ? cents(1500) : ZERO
      expect(on(postings, 'provider:stripe')).toBe(total - 368 - refunded - taken - disputeFee)
      expect(on(postings, 'print_partner')).toBe(negate(cost))
      const sold = [
        'revenue:merchandise',
        'revenue:shipping',
        'revenue:surcharge',
        'liability:tax',
        'liability:vat_protection',
      ] as const
      expect(negate(sum(sold.map((account) => on(postings, account))))).toBe(total - refunded)
    }),
    { numRuns: HISTORIES },
  )
})
