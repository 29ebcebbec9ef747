import type Stripe from 'stripe'
import type { z } from 'zod'
import { idOf, seconds } from './books.ts'
import { findTestCard, findTestCardByToken, hasValidCheckDigit, redirectMethod } from './cards.ts'
import type { TestCard } from './cards.ts'
import { disputeLater } from './disputes.ts'
import type { Needs } from './needs.ts'
import { addressOf, feeOf, newBalanceTransaction, newCharge, newIntent, newMethod, NO_BILLING } from './objects.ts'
import type { cancelIntent, confirmIntent, createIntent, updateIntent } from './parameters.ts'
import { StripeError, badRequest, resourceMissing, invalidState } from './errors.ts'

const AMOUNT_MIN = 50 // cents: Stripe's least charge in US dollars
const AMOUNT_MAX = 99_999_999
const LATE_MS = 60_000

type Intent = Stripe.PaymentIntent
type Create = z.output<typeof createIntent>
type Update = z.output<typeof updateIntent>
type Confirm = Omit<z.output<typeof confirmIntent>, 'expand'>
type Cancel = z.output<typeof cancelIntent>

/** Statuses before the payment, in which amount and payment method may still change. */
const OPEN_STATUSES: readonly Intent['status'][] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
]

export function createPayment(needs: Needs, wanted: Create): Intent {
  requireAmount(wanted.amount)
  const intent = newIntent(needs.kit.clock.now(), {
    amount: wanted.amount,
    currency: wanted.currency,
    redirects: wanted.automatic_payment_methods?.allow_redirects,
  })
  if (wanted.capture_method) intent.capture_method = wanted.capture_method
  if (wanted.allowed_payment_method_types) {
    intent.automatic_payment_methods = null
    intent.payment_method_types = wanted.allowed_payment_method_types
  }
  applyDescriptiveFields(intent, wanted)
  needs.books.intents.set(intent.id, intent)
  needs.sendEvent('payment_intent.created', intent)
  return wanted.confirm ? confirmPayment(needs, intent.id, wanted) : intent
}

export function updatePayment(needs: Needs, id: string, wanted: Update): Intent {
  const intent = getIntent(needs, id)
  const changesMoney = wanted.amount !== undefined || wanted.currency !== undefined
  if (changesMoney && !OPEN_STATUSES.includes(intent.status)) {
    const what = wanted.amount === undefined ? 'currency' : 'amount'
    throw unexpectedState(
      intent,
      `This PaymentIntent's ${what} could not be updated because it has a status of ${intent.status}. You may only update the ${what} of a PaymentIntent with one of the following statuses: ${OPEN_STATUSES.join(', ')}.`,
    )
  }
  if (wanted.amount !== undefined) {
    requireAmount(wanted.amount)
    intent.amount = wanted.amount
  }
  if (wanted.currency !== undefined) intent.currency = wanted.currency
  // A changed amount voids the shopper's authentication: Stripe requires it again.
  if (changesMoney && intent.status === 'requires_action') {
    intent.status = 'requires_payment_method'
    intent.next_action = null
  }
  applyDescriptiveFields(intent, wanted)
  return intent
}

/** @throws StripeError 402 when the card is declined; the intent stays usable */
export function confirmPayment(needs: Needs, id: string, wanted: Confirm): Intent {
  const { books, sendEvent } = needs
  const intent = getIntent(needs, id)
  if (!OPEN_STATUSES.includes(intent.status)) {
    throw unexpectedState(
      intent,
      intent.status === 'succeeded'
        ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
        : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
    )
  }
  if (wanted.amount_to_confirm !== undefined && wanted.amount_to_confirm !== intent.amount) {
    throw invalidState(
      `The amount_to_confirm (${wanted.amount_to_confirm}) does not match the amount of this PaymentIntent (${intent.amount}).`,
      { param: 'amount_to_confirm' },
    )
  }
  const { method, card } = methodFor(needs, intent, wanted)
  if (wanted.shipping !== undefined) intent.shipping = shippingOf(wanted.shipping)
  if (wanted.receipt_email !== undefined) intent.receipt_email = wanted.receipt_email
  books.methods.set(method.id, method)
  books.cards.set(method.id, card)
  intent.payment_method = method.id
  intent.last_payment_error = null
  intent.next_action = null

  if (card.redirects) {
    if (!wanted.return_url)
      throw badRequest('A `return_url` must be specified when confirming with this payment method.', {
        code: 'parameter_missing',
        param: 'return_url',
      })
    intent.status = 'requires_action'
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: {
        url: `${needs.base()}/sandbox/redirect/${intent.id}?client_secret=${intent.client_secret}`,
        return_url: wanted.return_url,
      },
    }
    sendEvent('payment_intent.requires_action', intent)
    return intent
  }
  if (card.challenge) {
    intent.status = 'requires_action'
    intent.next_action = {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_challenge', stripe_js: `/sandbox/3ds/${intent.id}`, source: method.id },
    }
    sendEvent('payment_intent.requires_action', intent)
    return intent
  }
  if (books.slowIntents.delete(intent.id)) {
    intent.status = 'processing'
    intent.processing = { type: 'card', card: {} }
    sendEvent('payment_intent.processing', intent)
    return intent
  }
  return charge(needs, intent, method, card, { challenged: false })
}

/** The shopper completed the authentication. @throws StripeError 402 when the bank declines afterwards */
export function finishChallenge(needs: Needs, id: string, outcome: 'authenticated' | 'failed'): Intent {
  const intent = getIntent(needs, id)
  const method = needs.books.methods.get(idOf(intent.payment_method) ?? '')
  const card = method && needs.books.cards.get(method.id)
  if (intent.status !== 'requires_action' || !method || !card) {
    throw unexpectedState(
      intent,
      `This PaymentIntent has a status of ${intent.status}: there is nothing to authenticate.`,
    )
  }
  intent.next_action = null
  if (outcome === 'authenticated') return charge(needs, intent, method, card, { challenged: true })

  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
    payment_method: structuredClone(method),
  }
  needs.sendEvent('payment_intent.payment_failed', intent)
  return intent
}

export function cancelPayment(needs: Needs, id: string, wanted: Cancel): Intent {
  const intent = getIntent(needs, id)
  if (!OPEN_STATUSES.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${OPEN_STATUSES.join(', ')}.`,
    )
  }
  intent.status = 'canceled'
  intent.canceled_at = seconds(needs.kit.clock.now())
  intent.cancellation_reason = wanted.cancellation_reason ?? null
  intent.next_action = null
  needs.sendEvent('payment_intent.canceled', intent)
  return intent
}

/** The next confirmation of this intent stays in `processing`. */
export function slowDown(needs: Needs, id: string): Intent {
  const intent = getIntent(needs, id)
  needs.books.slowIntents.add(intent.id)
  return intent
}

/** Ends a payment as the bank would: one that is processing, or one that is unpaid. */
export function succeedNow(needs: Needs, id: string): Intent {
  const intent = getIntent(needs, id)
  if (intent.status !== 'processing' && !OPEN_STATUSES.includes(intent.status)) {
    throw unexpectedState(intent, `This payment is ${intent.status} already.`)
  }
  const { method, card } = readyMethod(needs, intent, 'pm_card_visa')
  return charge(needs, intent, method, card, { challenged: false, certain: true })
}

/** The bank declines a payment that is processing. */
export function failNow(needs: Needs, id: string): Intent {
  const intent = getIntent(needs, id)
  if (intent.status !== 'processing') throw unexpectedState(intent, `This payment is ${intent.status}, not processing.`)
  const declining = findTestCardByToken('pm_card_visa_chargeDeclined')
  const { method } = readyMethod(needs, intent, 'pm_card_visa')
  if (declining) decline(needs, intent, method, declining, false)
  return intent
}

export function getIntent({ books }: Needs, id: string): Intent {
  const intent = books.intents.get(id)
  if (!intent) throw resourceMissing('payment_intent', id)
  return intent
}

/** @throws StripeError 400 when the browser's secret is not this payment's */
export function requireSecret(intent: Intent, secret: string): void {
  if (intent.client_secret !== secret) {
    throw invalidState(
      'The client_secret provided does not match any associated payment_intent on this account. Ensure the publishable key used belongs to the same account that created the payment_intent.',
      { code: 'resource_missing', param: 'client_secret' },
    )
  }
}

/** The fields for a publishable key: never the metadata. */
export const inBrowser = (intent: Intent) => ({
  id: intent.id,
  object: intent.object,
  amount: intent.amount,
  amount_details: intent.amount_details,
  automatic_payment_methods: intent.automatic_payment_methods,
  canceled_at: intent.canceled_at,
  cancellation_reason: intent.cancellation_reason,
  capture_method: intent.capture_method,
  client_secret: intent.client_secret,
  confirmation_method: intent.confirmation_method,
  created: intent.created,
  currency: intent.currency,
  description: intent.description,
  last_payment_error: intent.last_payment_error,
  livemode: intent.livemode,
  next_action: intent.next_action,
  payment_method: intent.payment_method,
  payment_method_configuration_details: intent.payment_method_configuration_details,
  payment_method_types: intent.payment_method_types,
  processing: intent.processing,
  receipt_email: intent.receipt_email,
  setup_future_usage: intent.setup_future_usage,
  shipping: intent.shipping,
  source: intent.source,
  status: intent.status,
})

function charge(
  needs: Needs,
  intent: Intent,
  method: Stripe.PaymentMethod,
  card: TestCard,
  { challenged, certain = false }: { challenged: boolean; certain?: boolean },
): Intent {
  const { books, kit, sendEvent } = needs
  if (card.decline && !certain) throw declinedBy(intent, decline(needs, intent, method, card, challenged), method, card)

  const paid = newCharge(kit.clock.now(), intent, method, card, { declined: false, challenged })
  const booked = newBalanceTransaction(kit.clock.now(), {
    amount: paid.amount,
    currency: paid.currency,
    fee: feeOf(paid.amount),
    type: 'charge',
    category: 'charge',
    source: paid.id,
    description: paid.description,
    availableAtOnce: card.availableAtOnce === true,
  })
  books.charges.set(paid.id, paid)
  const book = () => {
    paid.balance_transaction = booked.id
    books.balanceTransactions.set(booked.id, booked)
  }
  if (books.lateFees > 0) bookLater(needs, paid, book)
  else book()
  intent.status = 'succeeded'
  intent.amount_received = intent.amount
  intent.latest_charge = paid.id
  intent.payment_method = method.id
  intent.last_payment_error = null
  intent.next_action = null
  intent.processing = null
  kit.witness('stripe', 'paid', { payment_intent: intent.id, charge: paid.id, amount: paid.amount })
  sendEvent('charge.succeeded', paid)
  sendEvent('payment_intent.succeeded', intent)
  if (card.later) disputeLater(needs, paid, card.later)
  return intent
}

/** With `automatic_async`, Stripe's default, the fee of a payment may be unknown for a while after it succeeded. */
function bookLater({ books, later, sendEvent }: Needs, paid: Stripe.Charge, book: () => void): void {
  books.lateFees -= 1
  later(LATE_MS, `stripe books ${paid.id}`, () => {
    book()
    sendEvent('charge.updated', paid, { balance_transaction: null })
  })
}

function decline(
  { books, kit, sendEvent }: Needs,
  intent: Intent,
  method: Stripe.PaymentMethod,
  card: TestCard,
  challenged: boolean,
): Stripe.Charge {
  const failed = newCharge(kit.clock.now(), intent, method, card, { declined: true, challenged })
  books.charges.set(failed.id, failed)
  intent.status = 'requires_payment_method'
  intent.latest_charge = failed.id
  intent.payment_method = null
  intent.next_action = null
  intent.processing = null
  intent.last_payment_error = {
    type: 'card_error',
    charge: failed.id,
    code: card.decline?.code ?? 'card_declined',
    ...(card.decline?.declineCode && { decline_code: card.decline.declineCode }),
    doc_url: `https://stripe.com/docs/error-codes/${(card.decline?.code ?? 'card_declined').replaceAll('_', '-')}`,
    message: card.decline?.message ?? 'Your card was declined.',
    ...(card.decline && !card.blocked && { network_decline_code: card.decline.networkCode }),
    payment_method: structuredClone(method),
  }
  sendEvent('charge.failed', failed)
  sendEvent('payment_intent.payment_failed', intent)
  return failed
}

const declinedBy = (intent: Intent, failed: Stripe.Charge, method: Stripe.PaymentMethod, card: TestCard) =>
  new StripeError(402, {
    type: 'card_error',
    code: card.decline?.code ?? 'card_declined',
    ...(card.decline?.declineCode && { decline_code: card.decline.declineCode }),
    ...(card.decline && !card.blocked && { network_decline_code: card.decline.networkCode }),
    ...(card.decline?.code === 'incorrect_cvc' && { param: 'cvc' }),
    ...(card.decline?.code === 'expired_card' && { param: 'exp_month' }),
    message: card.decline?.message ?? 'Your card was declined.',
    charge: failed.id,
    payment_intent: structuredClone(intent),
    payment_method: structuredClone(method),
  })

/**
 * The page of a redirect was answered.
 * @returns the URL that the shopper returns to, with Stripe's parameters
 */
export function finishRedirect(needs: Needs, id: string, outcome: 'authenticated' | 'failed'): string {
  const intent = getIntent(needs, id)
  const back = new URL(intent.next_action?.redirect_to_url?.return_url ?? needs.base())
  finishChallenge(needs, id, outcome)
  back.searchParams.set('payment_intent', id)
  back.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '')
  back.searchParams.set('redirect_status', outcome === 'authenticated' ? 'succeeded' : 'failed')
  return back.href
}

/** The payment method of a confirmation: card data, a ready-made test method, or the intent's own. */
function methodFor(needs: Needs, intent: Intent, wanted: Confirm): { method: Stripe.PaymentMethod; card: TestCard } {
  if (wanted.payment_method_data) return typedCard(needs, wanted.payment_method_data)
  const chosen = wanted.payment_method ?? idOf(intent.payment_method)
  if (chosen === undefined) {
    throw invalidState(
      'You cannot confirm this PaymentIntent because it’s missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.',
      { code: 'payment_intent_unexpected_state', payment_intent: structuredClone(intent) },
    )
  }
  return readyMethod(needs, intent, chosen)
}

function readyMethod({ books, kit }: Needs, intent: Intent, chosen: string) {
  const known = books.methods.get(idOf(intent.payment_method) ?? chosen) ?? books.methods.get(chosen)
  const knownCard = known && books.cards.get(known.id)
  if (known && knownCard) return { method: known, card: knownCard }
  const card = findTestCardByToken(chosen)
  if (!card) throw resourceMissing('PaymentMethod', chosen, 'payment_method')
  const method = newMethod(kit.clock.now(), card, {
    expMonth: 12,
    expYear: kit.clock.now().getUTCFullYear() + 3,
    billing: NO_BILLING(),
  })
  books.methods.set(method.id, method)
  books.cards.set(method.id, card)
  return { method, card }
}

/** A typed card. @throws StripeError 402 before the bank is involved: wrong digits, past date, or no test card */
function typedCard({ kit }: Needs, data: NonNullable<Confirm['payment_method_data']>) {
  const now = kit.clock.now()
  const given = data.billing_details
  const billing = {
    ...NO_BILLING(),
    name: given?.name || null,
    email: given?.email || null,
    phone: given?.phone || null,
    address: addressOf(given?.address ?? {}),
  }
  if (data.type === 'amazon_pay')
    return { method: newMethod(now, redirectMethod, { expMonth: 0, expYear: 0, billing }), card: redirectMethod }

  const number = data.card.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !hasValidCheckDigit(number)) {
    throw mistypedError('incorrect_number', 'number', 'Your card number is incorrect.')
  }
  const card = findTestCard(number)
  if (!card) {
    // Real cards must not be typed here; this is Stripe's test-mode message for one.
    throw mistypedError(
      'card_declined',
      'number',
      'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
      'test_mode_live_card',
    )
  }
  const { exp_month: month, exp_year: year, cvc } = data.card
  const fullYear = year < 100 ? 2000 + year : year
  if (month < 1 || month > 12)
    throw mistypedError('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.")
  if (Date.UTC(fullYear, month, 1) <= now.getTime() || fullYear > now.getUTCFullYear() + 50) {
    throw mistypedError('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.")
  }
  const cvcLength = card.brand === 'amex' ? [3, 4] : [3]
  if (cvc !== undefined && !(/^\d+$/.test(cvc) && cvcLength.includes(cvc.length))) {
    throw mistypedError('invalid_cvc', 'cvc', "Your card's security code is invalid.")
  }
  return { method: newMethod(now, card, { expMonth: month, expYear: fullYear, billing }), card }
}

const mistypedError = (code: string, param: string, message: string, declineCode?: string) =>
  new StripeError(402, {
    type: 'card_error',
    code,
    param,
    message,
    ...(declineCode !== undefined && { decline_code: declineCode }),
  })

function applyDescriptiveFields(intent: Intent, wanted: Update): void {
  if (wanted.description !== undefined) intent.description = wanted.description
  if (wanted.receipt_email !== undefined) intent.receipt_email = wanted.receipt_email
  if (wanted.statement_descriptor !== undefined) intent.statement_descriptor = wanted.statement_descriptor
  if (wanted.statement_descriptor_suffix !== undefined) {
    intent.statement_descriptor_suffix = wanted.statement_descriptor_suffix
  }
  if (wanted.shipping !== undefined) intent.shipping = shippingOf(wanted.shipping)
  const calculation = wanted.hooks?.inputs?.tax?.calculation
  if (calculation !== undefined) intent.hooks = { inputs: { tax: { calculation } } }
  if (wanted.metadata !== undefined) intent.metadata = mergedMetadata(intent.metadata, wanted.metadata)
}

/** An empty value removes a key; an empty object removes all. */
export function mergedMetadata(had: Stripe.Metadata, wanted: Record<string, string> | null): Stripe.Metadata {
  if (wanted === null) return {}
  return Object.fromEntries(Object.entries({ ...had, ...wanted }).filter(([, value]) => value !== ''))
}

const shippingOf = (wanted: Update['shipping']): Stripe.PaymentIntent.Shipping | null =>
  wanted
    ? {
        address: addressOf(wanted.address),
        carrier: wanted.carrier || null,
        name: wanted.name,
        phone: wanted.phone || null,
        tracking_number: wanted.tracking_number || null,
      }
    : null

function requireAmount(amount: number): void {
  if (amount < 1) {
    throw badRequest('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  if (amount < AMOUNT_MIN) {
    throw badRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' })
  }
  if (amount > AMOUNT_MAX) {
    throw badRequest('Amount must be no more than $999,999.99', { code: 'amount_too_large', param: 'amount' })
  }
}

const unexpectedState = (intent: Intent, message: string) =>
  invalidState(message, { code: 'payment_intent_unexpected_state', payment_intent: structuredClone(intent) })
