import { say, sayKnown } from '#words/say.ts'

/** The card of a payment, as Stripe names it. Wallets of phones pay with one too. */
export type PaidCard = {
  /** Such as `visa`; may be one that we don't know. */
  brand: string
  /** Digits. */
  lastFour: string
}

/** The brands of Stripe's `payment_method_details.card.brand`. */
const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** `Visa ending in 4242`. */
export const cardText = ({ brand, lastFour }: PaidCard): string =>
  say('{card} ending in {digits}', { card: brands[brand] ?? say('Card'), digits: lastFour })

/** `Visa ending in 4242`, or what is known without a card: `Card` or `PayPal`. */
export const paymentMethodText = (paidWith: 'card' | 'paypal', card: PaidCard | null | undefined): string =>
  card ? cardText(card) : sayKnown(paidWith === 'card' ? 'Card' : 'PayPal')
