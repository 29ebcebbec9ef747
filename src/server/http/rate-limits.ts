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
  'POST /paypal/order/:id/capture': { max: 20, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  'POST /api/process-paypal-order': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/calculate-shipping': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/calculate-taxes': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'POST /api/process-completed-payment': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 120 },
  'GET /api/payment-success/:id': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  'GET /api/order': { max: 60, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Its files and forms count as well.
  'GET /order-confirmation': { max: 120, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 240 },
  // Each changes where a parcel or its mails go, and writes mails.
  'POST /api/order/address': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/order/email': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 10 },
  // Numbers and emails can be guessed at here alone.
  'POST /api/track': { max: 10, windowMs: 10 * MINUTE_MS, per: 'session', maxPerAddress: 40 },
  // Order numbers can be guessed at here.
  'GET /api/partnership/earnings/why': { max: 30, windowMs: MINUTE_MS, per: 'session', maxPerAddress: 60 },
  'GET /api/partnership/statement-file': { max: 30, windowMs: MINUTE_MS, per: 'session' },
  // Beyond it a click leads on, but is not written down.
  'GET /r/:code': { max: 60, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/cart': { max: 120, windowMs: MINUTE_MS, per: 'session' },
  'POST /api/partnership/application': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/partnership/calls': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/partnership/links': { max: 60, windowMs: MINUTE_MS, per: 'session' },
  'POST /api/newsletter': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/chat': { max: 20, windowMs: 10 * MINUTE_MS, per: 'session', maxPerAddress: 100 },
  'POST /api/contact': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  // Each may become a mail, and a link is all that it takes.
  'POST /api/my-data': { max: 5, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/my-data/look': { max: 30, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/my-data/export': { max: 30, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/my-data/erase': { max: 30, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/login': { max: 20, windowMs: MINUTE_MS, per: 'address' },
  'POST /api/password-reset': { max: 10, windowMs: 10 * MINUTE_MS, per: 'address' },
  'POST /api/password-reset/new': { max: 20, windowMs: 10 * MINUTE_MS, per: 'address' },
  // Each mails somebody who did not ask for it yet.
  'POST /api/account/email': { max: 10, windowMs: HOUR_MS, per: 'session', maxPerAddress: 20 },
  'POST /api/register': { max: 20, windowMs: 10 * MINUTE_MS, per: 'address' },
}

export const defaultRateLimit: RateLimit = { max: 600, windowMs: MINUTE_MS, per: 'session' }

/** Changes of any kind from one address: a stranger who throws its cookie away every time is still one address. */
export const changesPerAddress: RateLimit = { max: 600, windowMs: MINUTE_MS, per: 'address' }
