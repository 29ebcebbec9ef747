import type { PaymentKey } from '#shared/ids.ts'

/**
 * Every 'no' that the shop can say: its HTTP status and the sentence that a person reads (specification, section 8).
 * `{name}` in a sentence is filled from the refusal's facts. The body on the wire is `{code, message, fields}`.
 */
export const refusals = {
  // how a request is written
  malformed_json: [400, 'The request could not be read: its JSON is malformed.'],
  malformed_request: [400, 'The request could not be read.'],
  too_large: [413, 'The request is larger than 1 MB.'],
  wrong_type: [415, 'This address takes JSON only.'],
  invalid: [422, 'Please check the highlighted fields.'],
  foreign_origin: [403, 'This request came from another site and was not carried out.'],
  unknown_host: [421, 'This shop does not answer under that name.'],
  too_many: [429, 'Too many requests. Please wait a moment and try again.'],
  unknown_call: [404, 'There is nothing at this address.'],
  wrong_method: [405, 'This address does not take that method.'],
  unavailable: [503, 'The shop is busy for a moment. Please try again.'],
  // people
  not_signed_in: [401, 'Please sign in.'],
  not_allowed: [403, 'This is not open to your account.'],
  password_needed: [403, 'Please enter your password again to go on.'],
  wrong_credentials: [401, 'The username or the password is not right.'],
  wrong_password: [422, 'This is not your current password.'],
  code_needed: [401, 'Please enter the code of your authenticator app.'],
  wrong_code: [401, 'This code is not right. A code is good for half a minute, and once.'],
  demo_account: [403, 'This is a demonstration account; it has no second factor.'],
  second_factor_on: [409, 'The second factor is switched on already.'],
  second_factor_off: [409, 'The second factor is switched off.'],
  unknown_sign_in: [404, 'Nobody is signed in there any more.'],
  link_of_another: [403, 'This link is for another account. Please sign in to the one that asked for it.'],
  email_taken: [409, 'This email belongs to another account already.'],
  username_taken: [409, 'This username is already taken.'],
  password_common: [422, 'This password is too easy to guess. Please choose another one.'],
  // partners
  chat_full: [409, 'This conversation has become long. Please write to us by the contact form.'],
  unknown_message: [404, 'We do not have this message.'],
  unknown_issue: [404, 'There is no such issue of the newsletter.'],
  issue_sent: [409, 'This issue is on its way already. Write a new one.'],
  unknown_subscriber: [404, 'We do not know this subscription. It may have ended already.'],
  application_waiting: [409, 'We have your application already and answer it soon.'],
  already_partner: [409, 'You are a partner already.'],
  proposal_changed: [409, 'The proposal has changed since you read it. Please read the new version.'],
  call_waiting: [409, 'You have asked for a call already. We answer it soon.'],
  page_not_ours: [422, 'Please choose a page of this shop that everybody can open.'],
  too_many_links: [409, 'You have as many links as we keep. Please use one of them again.'],
  unknown_link: [404, 'We do not know this link.'],
  unknown_application: [404, 'We do not know this application.'],
  unknown_call_request: [404, 'We do not know this call.'],
  already_decided: [409, 'This has been decided already.'],
  // catalog and cart
  unknown_product: [404, 'We do not know this product.'],
  unknown_variant: [404, 'This product is not made in that color and size.'],
  unknown_line: [404, 'This item is not in your cart.'],
  variant_required: [422, 'Please choose a color and size first.'],
  sold_out: [409, '{product} is sold out in this color and size.'],
  // checkout
  cart_empty: [422, 'Your cart is empty.'],
  country_unsupported: [422, 'We do not deliver to this country.'],
  country_blocked: [422, '{product} cannot be delivered to {country}.'],
  age_unconfirmed: [422, '{product} is sold to people of {age} and over. Please confirm your age.'],
  address_refused: [422, 'This address could not be found. Please check street, city, state and postal code.'],
  summary_changed: [409, 'Prices have changed since you last saw them. Please look at the new total.'],
  wrong_currency: [422, 'This shop sells in US dollars only.'],
  already_paid: [409, 'This order has already been paid.'],
  payment_held: [
    409,
    'Payment is on hold pending PayPal review. Your order will be processed once payment is cleared. You do not need to pay again.',
  ],
  wrong_intent: [422, 'This shop takes a payment at once; it does not reserve one.'],
  card_unavailable: [503, 'Card payment is not available at the moment. Nothing was charged. Please use PayPal.'],
  card_closed: [
    429,
    'Several cards were declined, so we have closed card payment for this order. Nothing was charged, and everything you typed is still here. You can pay with PayPal.',
  ],
  card_paused: [
    429,
    'Many card payments from your internet connection were declined or left unfinished, so we have paused card payment there for an hour. Nothing was charged, and everything you typed is still here. You can pay with PayPal.',
  ],
  wallet_address: [422, 'Address validation error: {details}'],
  wallet_not_approved: [409, 'This payment has not been approved at PayPal yet. Nothing was charged.'],
  wallet_declined: [402, '{reason}'],
  provider_unavailable: [
    503,
    'A service that we need for this does not answer as it should. Nothing was charged. Please try again.',
  ],
  provider_refused: [402, '{reason}'],
  // settlement
  unknown_payment: [404, 'We do not know this payment.'],
  outcome_unknown: [
    503,
    'The payment provider does not answer at the moment, so we cannot see yet what became of this payment. If you have paid, you do not need to pay again: we confirm it by email.',
  ],
  payment_not_captured: [409, 'This payment has not been completed.'],
  // partners
  not_a_range: [422, 'Please choose a first day that is not after the last, and at most {days} days.'],
  unknown_partner: [404, 'We do not know this partner.'],
  unknown_payout: [404, 'We do not know this payout.'],
  unknown_payout_account: [404, 'This partner has not said yet where their money goes.'],
  nothing_to_pay: [422, 'There is nothing to pay at the moment.'],
  no_paying_account: [
    409,
    'A file for the bank needs the account that pays: set PAYOUT_IBAN and start the shop again. The CSV needs no setting.',
  ],
  payout_changed: [409, 'This payout is not as you saw it any more. Please look at it again.'],
  unknown_statement: [404, 'There is no statement of this month.'],
  // after the order
  nothing_to_refund: [422, 'At most {rest} of this order can still be refunded.'],
  mail_not_resent: [409, 'This mail cannot be sent again: nobody is left to send it to.'],
  nothing_to_decide: [409, '{reason}'],
  unknown_refund: [404, 'We do not know this refund.'],
  refund_not_failed: [409, 'This refund did not fail, so it cannot be paid another way.'],
  refund_changed: [409, 'This refund is not as you saw it any more. Please look at it again.'],
  cannot_hold: [409, 'Only an order that the printer does not have yet can be put on hold.'],
  cannot_release: [409, 'Nobody here holds this order. What the printer holds is released on its own pages.'],
  too_late_to_cancel: [
    409,
    'It is too late to cancel: the printer makes this order already, or it has come to an end.',
  ],
  cannot_resubmit: [
    409,
    'This order cannot be sent again: the printer has it, its money went back, or it has come to an end.',
  ],
  correction_too_late: [
    409,
    'Nothing was changed: the printer makes this order already, or it has come to an end. Please write to us.',
  ],
  correction_under_way: [
    409,
    'Nothing was changed: this order goes to the printer at this very moment. Please try again in a minute.',
  ],
  correction_elsewhere: [
    422,
    'Nothing was changed: tax and shipping of this order were worked out for another {part}. {advice}',
  ],
  printer_refused: [409, 'The printer does not take this order. {reason}'],
  unknown_order: [404, 'We could not find an order with this number and email.'],
  order_not_shown: [404, 'This order cannot be shown here.'],
  link_expired: [410, 'This link has expired.'],
  data_link_expired: [410, 'This link has expired. Ask for a new one with your email.'],
  owner_not_erased: [409, 'This email belongs to the owner of the shop, who cannot be erased.'],
  no_repair: [409, 'Nothing can be repaired here at a press: somebody has to decide.'],
  bad_signature: [400, 'The signature of this event is not right.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type RefusalCode = keyof typeof refusals

/** What a refusal looks like on the wire. `fields` maps a field's path (`shippingAddress.city`) to its sentence. */
export type RefusalBody = {
  code: RefusalCode | 'bug'
  message: string
  fields?: Record<string, string>
  /** With `summary_changed` the amounts that hold now; with `card_unavailable`, `card_closed` and `card_paused` those that the wallet would charge. */
  summary?: unknown
  /** With `already_paid` and `payment_held` the session's own payment that it was, where one is known. */
  payment?: PaymentKey
}
