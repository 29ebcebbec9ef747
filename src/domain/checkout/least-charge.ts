import { cents } from '#shared/money.ts'

/** The least that a card can be charged: 50 cents in US dollars (docs.stripe.com/currencies, minimum charge amounts). */
export const LEAST_CHARGE = cents(50)
