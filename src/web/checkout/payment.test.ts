import type { PaymentIntentResult } from '@stripe/stripe-js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PaymentStart } from '#contract/checkout.ts'
import { ApiError } from '#web/api/client.ts'
import {
  cardAnswered,
  cardBroken,
  cardConfirmed,
  cardIncomplete,
  cardNotReady,
  cardPressed,
  cardRetried,
  cardsClosed,
} from './card-payment.ts'
import { isBusy, isClosed, nextPayment, noPayment, type Payment, type PaymentEvent } from './payment.ts'
import type { PaymentAnswer } from './start-payment.ts'
import {
  walletApproved,
  walletBroke,
  walletCanceled,
  walletLate,
  walletNotCaptured,
  walletOrderRefused,
  walletPaid,
  walletPressed,
  walletProcessed,
  walletScriptFailed,
  walletUndecided,
} from './wallet-payment.ts'

const FAILURE = { title: 'Error', sentence: 'A sentence.' }
const start = { client_secret: 'secret', payment_intent: 'pi_1' } as PaymentStart
const answered = (answer: PaymentAnswer) => cardAnswered(answer, (secret) => secret === 'secret')
const offered = answered({ kind: 'started', start })
const renewed = answered({ kind: 'started', start: { ...start, client_secret: 'another' } })
const paidBefore = answered({ kind: 'already_paid', sentence: 'Paid.', payment: undefined })
const confirmed = (result: object) => cardConfirmed(result as PaymentIntentResult)
const stripeError = (error: object) => ({ error: { message: 'Your card was declined.', ...error } })

const cardPaid = confirmed({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })
const processing = confirmed({ paymentIntent: { id: 'pi_1', status: 'processing' } })
const declined = confirmed(stripeError({ type: 'card_error' }))
const broke = walletBroke(new Error('The window closed'))
const approved = walletApproved('5O1')
const captured = walletProcessed('5O1', { success: true, status: 'COMPLETED', orderNumber: 'AAAA' })
const held = walletProcessed('5O1', { success: false, status: 'PENDING_REVIEW' })
const lost = walletNotCaptured(new TypeError('Failed to fetch'))

const after = (...events: PaymentEvent[]): Payment => events.reduce(nextPayment, noPayment)

describe('a card payment', () => {
  test.each<[string, PaymentEvent[], Payment['step']]>([
    ['is checked, confirmed and paid', [cardPressed, offered, cardPaid], 'paid'],
    ['before the form has loaded does not start', [cardNotReady], 'ready'],
    ['is checked once after a double click', [cardPressed, cardPressed], 'checking'],
    ['is not started again by a click while it is at the bank', [cardPressed, offered, cardPressed], 'contacting_bank'],
    ['whose form was loaded again waits for the card', [cardPressed, renewed], 'ready'],
    ['with an empty field can be completed', [cardPressed, cardIncomplete({ message: 'Number?' })], 'ready'],
    ['that was declined can be tried with another card', [cardPressed, offered, declined], 'ready'],
    ['that the bank still processes is not made again', [cardPressed, offered, processing, cardPressed], 'undecided'],
    ['already made in another tab is not made again', [cardPressed, paidBefore, cardPressed], 'paid_before'],
    ['after a lost connection can be pressed again', [cardPressed, offered, cardBroken(), cardPressed], 'checking'],
    ['that succeeds after a script broke is paid', [cardPressed, offered, cardBroken(), cardPaid], 'paid'],
    ['that is processing after a script broke stays so', [cardPressed, offered, cardBroken(), processing], 'undecided'],
    ['that is paid stays paid when a script breaks', [cardPressed, offered, cardPaid, cardBroken()], 'paid'],
    ['tried again during an outage is not confirmed by itself', [cardRetried, offered], 'ready'],
  ])('%s', (_, events, step) => expect(after(...events).step).toBe(step))

  test.each<[string, PaymentEvent, object]>([
    ['a decline says that nothing was charged', declined, { outcome: { isCharged: 'no' } }],
    [
      'an error of the connection does not say so',
      confirmed(stripeError({ type: 'api_connection_error' })),
      { outcome: { isCharged: 'unknown' } },
    ],
    [
      'an error about a payment that has succeeded is a payment',
      confirmed(stripeError({ type: 'invalid_request_error', payment_intent: { id: 'pi_1', status: 'succeeded' } })),
      { kind: 'paid', confirmation: { payment_intent: 'pi_1' } },
    ],
    [
      'an open bank check can be repeated',
      confirmed({ paymentIntent: { id: 'pi_1', status: 'requires_action' } }),
      { kind: 'refused', outcome: { isCharged: 'no', failure: { title: 'Additional Authentication Required' } } },
    ],
    [
      'an incomplete form shows Stripe’s sentence beside it and ours in the toast',
      cardIncomplete({ message: 'Your card number is incomplete.' }),
      {
        outcome: { failure: { sentence: 'Your card number is incomplete.' } },
        toast: { description: 'Please complete all payment fields.' },
      },
    ],
    [
      'a decline that closes card payment shows the bank’s reason in a toast',
      cardsClosed({ type: 'card_error', message: 'Your card was declined.' }),
      { kind: 'unavailable', toast: { description: 'Your card was declined.' } },
    ],
    [
      'a changed total is shown, and the button can be pressed again',
      answered({ kind: 'changed', sentence: 'Now $40.', summary: {} as PaymentStart['summary'] }),
      { kind: 'changed', outcome: { sentence: 'Now $40.' } },
    ],
    [
      'a sold-out item leads to the cart',
      answered({ kind: 'refused', code: 'sold_out', failure: FAILURE, fields: new Map(), recovery: 'cart' }),
      { outcome: { recovery: 'cart', isCharged: 'no' } },
    ],
  ])('%s', (_, event, expected) => expect(event).toMatchObject(expected))
})

describe('a wallet payment', () => {
  test.each<[string, PaymentEvent[], Payment['step']]>([
    ['is approved, captured and paid', [walletPressed, approved, captured], 'paid'],
    ['opens one window for two clicks', [walletPressed, walletPressed], 'in_wallet'],
    ['that was canceled can be started again', [walletPressed, walletCanceled, walletPressed], 'in_wallet'],
    ['whose window broke asks the shop first whether it was paid', [walletPressed, broke], 'looking_up'],
    ['that was paid behind a broken window is paid', [walletPressed, broke, walletPaid('5O1')], 'paid'],
    ['that failed can be started again', [walletPressed, broke, walletScriptFailed('No'), walletPressed], 'in_wallet'],
    ['approved after its window was given up is captured', [walletPressed, walletCanceled, approved], 'capturing'],
    ['is not canceled by a window closed during the capture', [walletPressed, approved, walletCanceled], 'capturing'],
    ['is not failed by a script during the capture', [walletPressed, approved, broke], 'capturing'],
    ['that takes long is still captured', [walletPressed, approved, walletLate('5O1'), captured], 'paid'],
    [
      'undecided after half a minute cannot be started again',
      [walletPressed, approved, walletUndecided, walletPressed],
      'polling',
    ],
    ['undecided after half a minute can still be paid', [walletPressed, approved, walletUndecided, captured], 'paid'],
    ['undecided after half a minute can still be refused', [walletPressed, approved, walletUndecided, lost], 'ready'],
    ['under review closes the checkout', [walletPressed, approved, held, walletPressed], 'held'],
  ])('%s', (_, events, step) => expect(after(...events).step).toBe(step))

  test('keeps its order until PayPal has decided', () => {
    expect(after(walletPressed, approved, walletLate('5O1'), walletUndecided)).toMatchObject({ order: '5O1' })
  })

  const refusal = (code: string, more = {}) =>
    new ApiError({ status: 409, statusText: '', text: '', body: { code, message: 'A sentence.', ...more } })
  test.each<[string, PaymentEvent, object]>([
    ['a lost answer does not rule out a charge', lost, { outcome: { isCharged: 'unknown' } }],
    ['a decline does', walletNotCaptured(refusal('wallet_declined')), { outcome: { isCharged: 'no' } }],
    [
      'a payment made in another tab is not shown as failed',
      walletNotCaptured(refusal('already_paid', { payment: 'stripe:pi_1' })),
      { kind: 'paid_before', outcome: { kind: 'already_paid', payment: 'stripe:pi_1' } },
    ],
    [
      'an address that PayPal refuses can be edited',
      walletOrderRefused({
        ...{ kind: 'refused', code: 'wallet_address', failure: FAILURE, fields: new Map(), recovery: 'form' },
      }),
      { outcome: { alert: 'Please verify your shipping address and try again.' } },
    ],
    ['a review names the payment', held, { outcome: { kind: 'held', payment: 'paypal:5O1' } }],
  ])('%s', (_, event, expected) => expect(event).toMatchObject(expected))
})

describe('card and wallet on one page', () => {
  test.each<[string, PaymentEvent[], Partial<Payment>]>([
    ['a wallet is not opened while a card is at the bank', [cardPressed, offered, walletPressed], { by: 'card' }],
    [
      'a card is not charged while the wallet is open',
      [walletPressed, cardPressed],
      { by: 'wallet', step: 'in_wallet' },
    ],
    ['a card may pay after the wallet failed', [walletPressed, walletCanceled, cardPressed], { by: 'card' }],
    ['nothing more is paid after a card payment', [cardPressed, offered, cardPaid, walletPressed], { step: 'paid' }],
    [
      'a card payment that succeeds late closes an open wallet',
      [cardPressed, offered, cardBroken(), walletPressed, cardPaid],
      { by: 'card', step: 'paid' },
    ],
  ])('%s', (_, events, expected) => expect(after(...events)).toMatchObject(expected))

  const events = [
    ...[cardPressed, cardNotReady, cardRetried, offered, renewed, paidBefore, declined, processing, cardPaid],
    ...[walletPressed, walletCanceled, broke, approved, walletLate('5O1'), walletUndecided, held, lost, captured],
  ]
  test('whatever happens in whatever order: what is closed stays closed, and one is busy at a time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (order) => {
        order.reduce((before, event) => {
          const next = nextPayment(before, event)
          if (before.step === 'paid' || before.step === 'held' || before.step === 'paid_before')
            expect(next).toBe(before)
          if (isBusy(before) && next.by !== before.by) expect(next.step).toBe('paid')
          if (isClosed(before)) expect(isBusy(next)).toBe(false)
          return next
        }, noPayment)
      }),
    )
  })
})
