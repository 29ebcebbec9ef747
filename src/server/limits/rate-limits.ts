import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'

export type RateLimit = {
  max: number
  windowMs: number
  per: 'session' | 'address'
  /** Only with `per: 'session'`: how often an address may send it in the same time, with however many sessions, or none. */
  maxPerAddress?: number
}

/**
 * How often a call may be sent, by `METHOD path`; `RATE_LIMIT_SCALE` multiplies every `max`. Generous enough for a
 * family, an office or a fan meeting behind one address; what is not listed has the last entry.
 */
export const rateLimits: Readonly<Record<string, RateLimit>> = {
  'POST /api/create-payment-intent': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/payment-declined': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'GET /paypal/setup': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /paypal/order': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /paypal/express': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'GET /paypal/express/:id': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  'POST /paypal/order/:id/capture': { max: 20, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  'POST /api/process-paypal-order': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/calculate-shipping': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/calculate-taxes': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/express-quote': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/process-completed-payment': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  'GET /api/payment-success/:id': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'GET /api/order': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Includes its files and forms.
  'GET /order-confirmation': { max: 120, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Each changes where a parcel or its emails go, and sends emails.
  'POST /api/order/address': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/order/email': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 10 },
  'GET /api/order/invoices': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/order/invoices': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'GET /api/order/invoices/:id/file': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  'GET /api/order/change': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Asks the providers for prices and taxes.
  'POST /api/order/change/preview': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  // Each starts a payment or refund, or sends emails.
  'POST /api/order/change': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/change/pay': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/change/drop': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/cancel': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/make-now': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'GET /api/order/parcel-notices': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/order/parcel-notices/:id/choice': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'GET /api/order/reviews': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'PUT /api/order/reviews/:line': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'DELETE /api/order/reviews/:line': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  // Each takes seconds of a core.
  'POST /api/order/reviews/:line/photos': { max: 30, windowMs: HOUR_MS, per: 'session', maxPerAddress: 90 },
  // Photos are decoded, and claims send emails.
  'POST /api/order/claim-photos': { max: 30, windowMs: HOUR_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/claims': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/order/claims/:id/answer': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 40 },
  'POST /api/order/withdrawals': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'GET /api/order/gift': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'GET /api/order/claims': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'GET /api/order/claim-photos/:photo': { max: 120, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Each asks providers for shipping and tax, or starts a payment.
  'GET /api/order/to-pay': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/to-pay/card': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/to-pay/wallet': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/order/to-pay/wallet/:id/capture': { max: 40, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  // Each lets five cards be tried, which may be stolen.
  'POST /api/gift-card': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 6 },
  'POST /api/gift-card/pay': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  // Each emails the buyer.
  'POST /api/gift-card/recipient': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 30 },
  'POST /api/gift-card/wallet': { max: 10, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/gift-card/wallet/:id/capture': { max: 40, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  // Asks the provider while it is unpaid.
  'GET /api/gift-card': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'GET /api/order/conversation': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Each emails the owner.
  'POST /api/order/conversation': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 40 },
  'GET /api/order/conversation-photos/:photo': { max: 120, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Also links with `?code=` and prices to the door with one; the only places to guess codes. An office behind one address has room, and a code that is in a cart stays there.
  'POST /api/cart/code': { max: 10, windowMs: 10 * MINUTE_MS, per: 'session', maxPerAddress: 60 },
  // The only places to guess order numbers and emails.
  'POST /api/track': { max: 10, windowMs: 10 * MINUTE_MS, per: 'session', maxPerAddress: 40 },
  'POST /api/track/past': { max: 10, windowMs: 10 * MINUTE_MS, per: 'session', maxPerAddress: 40 },
  // Order numbers can be guessed at here.
  'GET /api/partnership/earnings/why': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'GET /api/partnership/statement-file': { max: 30, windowMs: MINUTE_MS, per: 'session' },
  // Beyond it the link still works, but the click is not recorded.
  'GET /r/:code': { max: 60, windowMs: MINUTE_MS, per: 'address' },
  // A place costs a row. The page of a waiting room posts to the same limit.
  'POST /api/drops/:id/room': { max: 20, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'POST /api/cart': { max: 120, windowMs: MINUTE_MS, per: 'session' },
  'POST /api/partnership/application': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/partnership/calls': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  // Whether a code exists can be guessed at here.
  'POST /api/partnership/codes': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 40 },
  'POST /api/partnership/links': { max: 60, windowMs: MINUTE_MS, per: 'session' },
  'POST /api/newsletter': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/chat': { max: 20, windowMs: 10 * MINUTE_MS, per: 'session', maxPerAddress: 100 },
  'POST /api/contact': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  // Each may send an email.
  'POST /api/my-data': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/my-data/look': { max: 30, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/my-data/export': { max: 30, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/my-data/erase': { max: 30, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/login': { max: 20, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/password-reset': { max: 10, windowMs: 10 * MINUTE_MS, per: 'address' },
  'POST /api/password-reset/new': { max: 20, windowMs: 10 * MINUTE_MS, per: 'address' },
  // Each emails an address that has not confirmed anything yet.
  'POST /api/account/email': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/admin/mails/:mail/test': { max: 20, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/register': { max: 20, windowMs: 10 * MINUTE_MS, per: 'address' },
}

export const defaultRateLimit: RateLimit = { max: 600, windowMs: MINUTE_MS, per: 'session' }

/** All changes from an address together, even if every request comes without a cookie. */
export const changesPerAddress: RateLimit = { max: 600, windowMs: MINUTE_MS, per: 'address' }
