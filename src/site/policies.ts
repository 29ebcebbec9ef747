/**
 * What we promise, in figures. Pages, mails and the portal put them into words; none of them repeats a figure.
 * Where the specification gives one thing two figures, each page keeps its own, and each constant says whose it is.
 */

/** When the words of the policy pages changed last. */
export const POLICIES_UPDATED = { day: '2026-11-22', words: 'November 22, 2026' } as const

/** Both ends are included. */
export type DayRange = { readonly from: number; readonly to: number }

/** Wall-clock hours in the words of the pages; `EST` is how New York's time is written there, in summer too. */
type OpeningHours = { readonly days: string; readonly hours: string }

/** When somebody is at the desk: the contact page (specification, section 2, Contact; section 9, Support and shipping). */
export const SUPPORT_HOURS: readonly OpeningHours[] = [
  { days: 'Monday-Friday', hours: '9AM-5PM EST' },
  { days: 'Saturday', hours: '10AM-2PM EST' },
]

/** How soon we answer: the policy pages (section 9, Policy text). Its hours are not the desk’s: they are those in which the 24 run. */
export const RESPONSE_PROMISE = { withinHours: 24, days: 'Monday-Friday', hours: '9-6 EST' } as const

/** Business days in which an order is made, before it is shipped: the shipping page (section 9, Policy text). */
export const PROCESSING_BUSINESS_DAYS: DayRange = { from: 2, to: 5 }

/**
 * Business days from parcel to door, as each page says them. They differ (section 9, Support and shipping; Policy text):
 * an estimate for the curious, one for the buyer, and the one that binds us.
 */
export const DELIVERY_BUSINESS_DAYS = {
  /** The contact page's shipping info. */
  contactPage: { domestic: { from: 3, to: 5 }, international: { from: 7, to: 14 } },
  /** The third step of 'What happens next?' (section 2, Success page). */
  successPage: { from: 3, to: 7 },
  /** Shipping & Returns. */
  policyPage: { standard: { from: 5, to: 10 }, international: { from: 7, to: 21 } },
} as const satisfies Record<string, DayRange | Record<string, DayRange>>

/** Calendar days from delivery (section 9, Policy text). */
export const RETURN_WINDOW_DAYS = 30

/** What may be returned: everything is made to order, so a change of mind is not among them (section 9, Policy text). */
export const RETURN_REASONS = ['defects', 'wrong item', 'damage'] as const

/** From our yes until the money is back on the card or in the wallet (section 9, Policy text). */
export const REFUND_BUSINESS_DAYS: DayRange = { from: 5, to: 10 }

/** The promotional raffle rules of the Terms of Service (section 9, Policy text). */
export const RAFFLE = {
  /** Days after the raffle's end. */
  winnerPickedAfterDays: { from: 7, to: 14 },
  /** Days from the winner being told. */
  claimWithinDays: 30,
  /** Years. */
  entrantAgeMin: 18,
} as const

/** How one can pay, as the policy pages list it (section 9, Policy text). */
export const PAYMENT_METHODS = { wallet: 'PayPal', cards: ['Visa', 'Mastercard', 'Amex'] } as const

/** How long we keep what has a name on it, in days. The privacy policy says so, and a job at night does it. */
export const RETENTION = {
  /** Names and addresses of checkouts that nobody paid. */
  unpaidCheckoutDays: 30,
  /** Our copies of mails. */
  mailCopyDays: 730,
  /** Clicks on partners' links, which say nothing of who clicked: long enough to compare a month with the one a year ago. */
  clickDays: 400,
  /** Letters, chats and calls, once they are settled. */
  settledLetterDays: 365,
  /** Names and addresses of orders: ten years, as the strictest tax law of our customers asks. */
  orderDays: 3653,
} as const

/**
 * A partner's part of the sales that come through the partner's channel (section 2, Partner portal; section 9, Proposal text).
 * `percent` is for the proposal's words, `basisPoints` for arithmetic: the same rate in both.
 */
export const REVENUE_SHARE = {
  usual: { percent: 12, basisPoints: 1_200 },
  /** As far as the owner may go in a negotiation. */
  most: { percent: 15, basisPoints: 1_500 },
} as const
