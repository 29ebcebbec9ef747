import type { PaymentKey } from '#shared/ids.ts'

/**
 * Every 'no' that the shop can say: its HTTP status and the sentence that a person reads (specification, section 8).
 * `{name}` in a sentence is filled from the refusal's facts. The body on the wire is `{code, message, fields}`.
 */
export const refusals = {
  // how a request is written
  malformed_json: [400, 'We couldn’t read this request: its JSON is malformed.'],
  malformed_request: [400, 'We couldn’t read this request.'],
  too_large: [413, 'The request is larger than 1 MB.'],
  wrong_type: [415, 'This endpoint accepts JSON only.'],
  invalid: [422, 'Please check the highlighted fields.'],
  foreign_origin: [403, 'This request came from a different site, so nothing was done.'],
  unknown_host: [421, 'This shop is not available at that host name.'],
  too_many: [429, 'Too many requests. Please wait a moment and try again.'],
  unknown_call: [404, 'There is no such endpoint.'],
  wrong_method: [405, 'This endpoint does not support that method.'],
  unavailable: [503, 'The shop is busy right now. Please try again in a moment.'],
  // people
  not_signed_in: [401, 'Please sign in.'],
  not_allowed: [403, 'Your account doesn’t have access to this. {who}'],
  second_factor_needed: [403, 'Your role needs two-factor authentication. Please set it up first.'],
  password_needed: [403, 'Please enter your password again to continue.'],
  wrong_credentials: [401, 'Wrong username or password.'],
  wrong_password: [422, 'This is not your current password.'],
  code_needed: [401, 'Please enter the code from your authenticator app.'],
  wrong_code: [401, 'Wrong code. Each code works once, for 30 seconds.'],
  demo_account: [403, 'Demo accounts can’t use two-factor authentication.'],
  second_factor_on: [409, 'Two-factor authentication is already on.'],
  second_factor_off: [409, 'Two-factor authentication is off.'],
  unknown_sign_in: [404, 'That device is already signed out.'],
  link_of_another: [403, 'This link is for a different account. Please sign in to that one.'],
  email_taken: [409, 'Another account already uses this email.'],
  username_taken: [409, 'This username is already taken.'],
  password_common: [422, 'This password is too easy to guess. Please choose a different one.'],
  // saved carts
  unknown_saved_cart: [404, 'This link doesn’t work anymore. A saved cart can be opened for 30 days.'],
  // raffles
  unknown_raffle: [404, 'We couldn’t find this raffle.'],
  raffle_not_open: [409, 'This raffle is not open.'],
  raffle_country: [422, 'This raffle isn’t open to your country.'],
  raffle_age: [422, 'You need to be {age} or older to take part.'],
  raffle_entered: [409, 'You’ve already entered with another address. One entry a person counts.'],
  unknown_raffle_entry: [404, 'This link doesn’t work. The entry may be withdrawn, or its data deleted.'],
  raffle_not_won: [409, 'This entry has no prize to claim.'],
  raffle_claim_over: [409, 'The time to claim this prize is over.'],
  raffle_prize_claimed: [409, 'You’ve claimed the prize. Your data is deleted when it has been delivered.'],
  raffle_slug_taken: [409, 'Another raffle has this address.'],
  raffle_state: [409, 'This is not possible anymore. Please reload the page.'],
  // messages
  chat_full: [409, 'This chat has reached its limit. Please use the contact form.'],
  unknown_message: [404, 'We couldn’t find this conversation.'],
  conversation_changed: [409, '{what} Nothing was sent; what you wrote is still here.'],
  placeholder_left: [422, 'Please replace {placeholder} before you send this.'],
  nobody_to_answer: [
    409,
    'An answer can’t reach this visitor: their browser no longer has the chat, and they left no email.',
  ],
  unknown_reply: [404, 'We couldn’t find this saved reply.'],
  reply_changed: [
    409,
    'Somebody else changed this reply in the meantime. Nothing was saved; please load the page again.',
  ],
  too_many_replies: [409, 'There are 100 saved replies. Please delete one first.'],
  unknown_issue: [404, 'We couldn’t find this newsletter issue.'],
  issue_sent: [409, 'This issue has already been sent. Please write a new one.'],
  unknown_subscriber: [404, 'We couldn’t find this subscription. It may have ended already.'],
  // partners
  application_waiting: [409, 'We already have your application and will reply soon.'],
  already_partner: [409, 'You’re already a partner.'],
  proposal_changed: [409, 'The proposal has changed since you read it. Please read the new version.'],
  call_waiting: [409, 'You’ve already requested a call. We’ll reply soon.'],
  page_not_ours: [422, 'Please choose a public page of this shop.'],
  too_many_links: [409, 'You’ve reached the maximum number of links. Please reuse an existing one.'],
  unknown_link: [404, 'We couldn’t find this link.'],
  unknown_application: [404, 'We couldn’t find this application.'],
  unknown_call_request: [404, 'We couldn’t find this call.'],
  already_decided: [409, 'This has already been decided.'],
  // catalog and cart
  collection_changed: [
    409,
    'Somebody saved this collection after you opened it and changed: {changes}. What you typed is still here; save again to replace theirs.',
  ],
  collections_changed: [409, 'The list of collections has changed. Please load the page again.'],
  collection_state_refused: [422, 'A collection that is {from} can’t become {to}.'],
  slug_refused: [422, '{reason}'],
  unknown_collection: [404, 'We couldn’t find this collection.'],
  unknown_product: [404, 'We couldn’t find this product.'],
  unknown_blank: [404, 'The printer has no such blank.'],
  blank_not_read: [
    503,
    'The printer isn’t responding, so this blank can’t be shown yet. Please try again in a minute.',
  ],
  unknown_product_type: [404, 'We couldn’t find this product type.'],
  product_type_used: [409, 'With hidden and retired ones, {count} of this type. Please give them another type first.'],
  product_changed: [
    409,
    'While you were editing, {changes}. Nothing you entered is lost: please check it and save again.',
  ],
  below_floor: [409, '{reason} Nothing was changed: please accept it, or change something.'],
  unknown_variant: [404, 'This product doesn’t come in that color and size.'],
  unknown_line: [404, 'This item is not in your cart.'],
  variant_required: [422, 'Please choose a color and size first.'],
  sold_out: [409, '{product} is sold out in this color and size.'],
  unknown_draft: [404, 'We couldn’t find this draft.'],
  draft_changed: [
    409,
    'After you opened this draft, {name} saved it. Changed there: {what}. Nothing you typed is lost.',
  ],
  draft_closed: [409, 'This draft can’t be changed: {reason}'],
  draft_unfinished: [422, '{reason}'],
  unknown_printer_product: [404, 'We couldn’t find this product in the printer’s store.'],
  printer_product_gone: [409, 'The printer no longer has this product. Nothing was taken over.'],
  printer_product_taken: [409, 'This product is in the catalog already. Nothing was taken over.'],
  printer_product_unfit: [422, '{reason}'],
  // pictures
  picture_too_large: [413, 'This file is larger than 50 MB. Nothing was stored; please export it smaller.'],
  picture_type: [415, 'This file is no {types}. Nothing was stored.'],
  picture_damaged: [422, 'This picture is damaged or cut off, so nothing was stored. Please export it again.'],
  picture_too_many_pixels: [
    422,
    'This picture has {width} × {height} pixels. Please use at most {max} million in total; nothing was stored.',
  ],
  picture_too_small: [422, 'This picture is {width} pixels wide. Please use at least {min}; nothing was stored.'],
  picture_too_complex: [422, 'This picture takes too long to draw, so nothing was stored. Please simplify it.'],
  svg_unsafe: [422, 'This SVG {why}, so nothing was stored. Please export it without, or as a PNG.'],
  upload_too_slow: [408, 'The upload stopped or was too slow. Nothing was stored; please try again.'],
  unknown_picture: [404, 'We couldn’t find this picture.'],
  // the catalog file
  catalog_file_refused: [422, '{reason} Nothing was imported.'],
  catalog_file_too_large: [413, 'This file is larger than 4 GB. Nothing was imported.'],
  catalog_import_stopped: [
    409,
    'Product {product} was changed while the file was imported. What comes before it is imported. Import the file again for the rest.',
  ],
  catalog_changed: [
    409,
    'The catalog or the file has changed since you checked it, so nothing was imported. Please check the file again.',
  ],
  // coming from a former shop
  import_file_refused: [422, '{reason} Nothing was imported.'],
  import_too_large: [413, 'This file is larger than 50 MB. Please export it in several files; nothing was imported.'],
  redirect_refused: [422, '{reason}'],
  // checkout
  cart_empty: [422, 'Your cart is empty.'],
  unknown_gift_card: [404, 'We couldn’t find this gift card.'],
  gift_card_empty: [409, 'This gift card has nothing left.'],
  gift_card_frozen: [409, 'The payment of this gift card is disputed. Please wait for the bank’s decision.'],
  gift_card_bought: [409, 'This gift card was bought. Refund what is left instead, so that its buyer gets the money.'],
  gift_card_held: [409, 'Somebody is paying with this gift card right now. Please try again later.'],
  unknown_gift_card_purchase: [
    404,
    'This link opens no gift card. If you didn’t pay within a day, nothing was charged; please start over.',
  ],
  gift_card_purchase_closed: [409, '{reason}'],
  code_unusable: [422, 'This code doesn’t exist, or can’t be used now. Please check its spelling.'],
  code_alone: [409, '{sentence}'],
  code_taken: [409, 'There is already a code of this name.'],
  no_own_codes: [409, 'Partners don’t make codes at the moment. Please ask us for one.'],
  too_many_codes: [409, 'You have {count} active codes, which is the most at once. Please end one first.'],
  unknown_code: [404, 'We couldn’t find this code.'],
  country_unsupported: [422, 'We don’t ship to this country.'],
  country_blocked: [422, 'We can’t ship {product} to {country}.'],
  age_unconfirmed: [422, '{product} is only for people {age} and over. Please confirm your age.'],
  address_refused: [422, 'We couldn’t find this address. Please check street, city, state and postal code.'],
  summary_changed: [409, 'Prices have changed since you last saw them. Please check the new total.'],
  wrong_currency: [422, 'This shop sells in US dollars only.'],
  already_paid: [409, 'This order has already been paid.'],
  payment_held: [
    409,
    'Payment is on hold pending PayPal review. Your order will be processed once payment is cleared. You do not need to pay again.',
  ],
  wrong_intent: [422, 'This shop captures payments immediately; it doesn’t authorize them for later.'],
  card_unavailable: [503, 'Card payment is not available at the moment. Nothing was charged. Please use PayPal.'],
  card_closed: [
    429,
    'Several cards were declined, so card payment is closed for this order. Nothing was charged, and your details are still here. You can pay with PayPal.',
  ],
  card_paused: [
    429,
    'Many card payments from your internet connection were declined or left unfinished, so card payment is paused for an hour. Nothing was charged, and your details are still here. You can pay with PayPal.',
  ],
  wallet_address: [422, 'Address validation error: {details}'],
  wallet_not_approved: [409, 'This payment has not been approved at PayPal yet. Nothing was charged.'],
  wallet_declined: [402, '{reason}'],
  unknown_phone_order: [
    404,
    'This link opens no order. Please open it from the latest email, or ask us for a new one.',
  ],
  phone_order_closed: [409, '{reason}'],
  provider_unavailable: [503, 'A service we rely on isn’t responding. Nothing was charged. Please try again.'],
  provider_refused: [402, '{reason}'],
  // settlement
  unknown_payment: [404, 'We couldn’t find this payment.'],
  outcome_unknown: [
    503,
    'The payment provider isn’t responding, so we can’t confirm this payment yet. If you paid, don’t pay again: we’ll confirm it by email.',
  ],
  payment_not_captured: [409, 'This payment has not been completed.'],
  // partners
  not_a_range: [422, 'Please choose a start date on or before the end date, and at most {days} days.'],
  unknown_partner: [404, 'We couldn’t find this partner.'],
  unknown_payout: [404, 'We couldn’t find this payout.'],
  unknown_payout_account: [404, 'This partner has not added a payout account yet.'],
  nothing_to_pay: [422, 'There is nothing to pay right now.'],
  no_paying_account: [
    409,
    'The bank file needs an account to pay from: set PAYOUT_IBAN and restart the shop. The CSV works without it.',
  ],
  payout_changed: [409, 'This payout has changed. Please review it again.'],
  unknown_statement: [404, 'There is no statement for this month.'],
  // invoices
  invoice_unavailable: [409, 'There are no invoices for this order. Its receipt is on the order’s page.'],
  invoice_nothing_left: [409, 'All of this order was refunded, so there is no invoice to correct.'],
  invoice_corrected_often: [409, 'This invoice was corrected several times. Please write to us.'],
  unknown_invoice: [404, 'There is no such document.'],

  // tax report
  oss_by_quarter: [409, 'One Stop Shop returns are made by quarter. Please choose one.'],
  oss_without_dispatch: [409, 'Please enter the country that goods are sent from in Settings, Tax.'],
  oss_without_rate: [
    409,
    'Please enter the European Central Bank’s rate of {day}, or of the next day with one, in Settings, Tax. The return of the {period} needs it.',
  ],
  // closing of months
  unknown_month: [404, 'This is not a month. Write it like 2026-11.'],
  unknown_month_file: [404, 'There is no such file of a closed month.'],
  month_closed: [409, '{month} is closed already, or lies before a closed month.'],
  month_not_over: [409, '{month} can be closed from {from} on.'],
  earlier_month_open: [409, 'Please close {month} first.'],
  nothing_to_close: [409, 'Nothing was booked until the end of {month}.'],
  month_has_open_items: [409, '{items} Nothing was closed: please accept that, or settle it first.'],
  books_moved: [409, 'The books changed meanwhile, so nothing was closed. Please try again.'],
  month_not_last: [409, 'Only the last closed month can be reopened.'],
  // journals for bookkeeping
  bookkeeping_changed: [409, 'These accounts were changed meanwhile. Please load the page again.'],
  nothing_booked: [409, 'Nothing was booked in {month}.'],
  account_number_missing: [422, 'Please enter the number of each account that has something in it: {accounts}.'],
  account_number_not_datev: [
    422,
    'DATEV’s account numbers are digits, at most one more than the length of its accounts. Please correct: {accounts}.',
  ],
  datev_incomplete: [422, 'Please enter the consultant number and the client number that DATEV gave.'],
  euro_rate_missing: [422, 'DATEV keeps its books in euros. Please enter how many US dollars a euro was worth.'],
  // after the order
  nothing_to_refund: [422, 'At most {rest} of this order can still be refunded.'],
  mail_not_resent: [409, 'This email can’t be resent: its recipient’s data was erased.'],
  nothing_to_decide: [409, '{reason}'],
  unknown_dispute: [404, 'We couldn’t find this dispute.'],
  dispute_not_answerable: [409, '{reason} Nothing was sent.'],
  dispute_without_order: [
    409,
    'This dispute is not about an order, so there is nothing to gather. Please answer it at the payment provider.',
  ],
  dispute_facts_missing: [
    503,
    'The payment provider isn’t responding, so the pack would be incomplete. Nothing was sent; please try again.',
  ],
  unknown_refund: [404, 'We couldn’t find this refund.'],
  refund_not_failed: [409, 'This refund did not fail, so it cannot be paid another way.'],
  refund_changed: [409, 'This refund has changed. Please review it again.'],
  cannot_hold: [409, 'Only orders not yet with the printer can be put on hold.'],
  cannot_release: [
    409,
    'This order is not on hold here. If Printful is holding it, release it in Printful’s dashboard.',
  ],
  too_late_to_cancel: [409, 'It’s too late to cancel: this order is already in production or closed.'],
  cannot_resubmit: [409, 'This order can’t be submitted again: the printer has it, or it was refunded or closed.'],
  cannot_replace: [409, 'Nothing was ordered. {reason}'],
  replacement_changed: [409, 'Nothing was ordered: some of it was replaced in the meantime. Please choose again.'],
  order_changed: [
    409,
    'The order was changed in the meantime: it goes to {recipient}, and its emails to {email} now. Nothing was saved, and what you entered is still here. To save it nevertheless, press again.',
  ],
  correction_too_late: [409, 'Nothing was changed: this order is already in production or closed. Please write to us.'],
  correction_under_way: [
    409,
    'Nothing was changed: this order is being sent to the printer right now. Please try again in a minute.',
  ],
  correction_elsewhere: [
    422,
    'Nothing was changed: tax and shipping for this order were calculated for a different {part}. {advice}',
  ],
  claim_refused: [409, '{reason}'],
  already_claimed: [
    409,
    'Some of these items are already in a request, or refunded. Please check the quantities; nothing you entered is lost.',
  ],
  photo_missing: [409, 'A photo is no longer there. Please add it again and send the form once more.'],
  photo_too_large: [413, 'This photo is larger than 20 MB. Please choose a smaller one; nothing else is lost.'],
  too_many_photos: [
    409,
    'There are many unused photos for this order. Please send your report, or try again tomorrow.',
  ],
  unknown_claim: [404, 'We couldn’t find this request.'],
  unknown_notice: [404, 'We couldn’t find this parcel.'],
  parcel_decided: [409, 'You have chosen already. Please load the page again to see what happens now.'],
  parcel_arrived: [409, 'Nothing was changed: this parcel has arrived in the meantime.'],
  parcel_choice_refused: [409, '{reason}'],
  claim_closed: [409, 'This request has already been decided.'],
  withdrawal_refused: [409, '{reason}'],
  change_refused: [409, '{reason}'],
  change_differs: [409, 'The difference is {difference} now. Please check it and confirm again.'],
  no_change_to_pay: [404, 'No change of this order is waiting for a payment.'],
  change_disputed: [
    409,
    'Nothing was changed: your bank is deciding about the payment of this order. Until then we don’t make it.',
  ],
  printer_refused: [409, 'The printer rejected this order. {reason}'],
  unknown_order: [404, 'We could not find an order with this number and email.'],
  order_not_shown: [404, 'We can’t show this order here.'],
  review_not_possible: [409, 'You can review a piece once it has arrived.'],
  review_changed: [409, 'This review was changed in the meantime. Please load the page again; nothing was saved.'],
  review_state_refused: [409, 'This review is {state} already.'],
  review_photos_full: [409, 'This review has had many photos already. Please save it with those it has.'],
  unknown_review: [404, 'We couldn’t find this review.'],
  link_expired: [410, 'This link has expired.'],
  data_link_expired: [410, 'This link has expired. Request a new one with your email.'],
  owner_not_erased: [409, 'This is the email of somebody who works here. Please remove them under People first.'],
  setting_changed: [
    409,
    'While you were editing, {changes}. Nothing you entered is lost: please check it and save again.',
  ],
  nothing_to_undo: [404, 'There is no change of a setting to undo here.'],
  no_repair: [409, 'There is no automatic repair for this: somebody has to decide.'],
  bad_signature: [400, 'Invalid event signature.'],
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
