/**
 * The figures in our promises. Pages, emails and the portal read them from here; none repeats a figure.
 * Where the specification gives two figures for the same thing, each page keeps its own.
 */

/** Both ends are included. */
export type DayRange = { readonly from: number; readonly to: number }

/** Wall-clock hours as printed; the specification writes `EST` for New York time in summer too. */
type OpeningHours = { readonly days: string; readonly hours: string }

/** The contact page (specification, section 2, Contact; section 9, Support and shipping). */
export const SUPPORT_HOURS: readonly OpeningHours[] = [
  { days: 'Monday-Friday', hours: '9AM-5PM EST' },
  { days: 'Saturday', hours: '10AM-2PM EST' },
]

/** The policy pages (section 9, Policy text). Not the support hours: the hours in which the 24 count. */
export const RESPONSE_PROMISE = { withinHours: 24, days: 'Monday-Friday', hours: '9-6 EST' } as const

/** Before an order ships: the shipping page (section 9, Policy text). */
export const PROCESSING_BUSINESS_DAYS: DayRange = { from: 2, to: 5 }

/**
 * From parcel to door. The specification gives each page its own figures (section 9, Support and shipping; Policy text);
 * those of the policy page bind us.
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

/** From approval until the money is back on the card or in the wallet (section 9, Policy text). */
export const REFUND_BUSINESS_DAYS: DayRange = { from: 5, to: 10 }

/** The promotional raffle rules of the Terms of Service (section 9, Policy text). */
export const RAFFLE = {
  /** Days after the raffle's end. */
  winnerPickedAfterDays: { from: 7, to: 14 },
  /** Days from the email to the winner. */
  claimWithinDays: 30,
  /** Years. */
  entrantAgeMin: 18,
} as const

/**
 * A partner's share of sales through the partner's channel (section 2, Partner portal; section 9, Proposal text).
 * `percent` is for texts, `basisPoints` for arithmetic: the same rate.
 */
export const REVENUE_SHARE = {
  usual: { percent: 12, basisPoints: 1_200 },
  /** The most the owner can agree to. */
  most: { percent: 15, basisPoints: 1_500 },
} as const
