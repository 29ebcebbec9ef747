import { mistypedCard, testCards } from './stripe/cards.ts'

/**
 * The magic inputs: what to type in the running shop to make something fail.
 * The simulators act on them, the sandbox's test cards page lists them, tests use them.
 */

/** Recipient names that trigger Printful's failures. */
export const recipientNames = {
  refused: 'FAIL ADDRESS',
  held: 'HOLD',
  outOfStock: 'OUT OF STOCK',
  slow: 'SLOW',
} as const

/** A street that makes Printful refuse the order; tax and payment accept it. */
export const refusedStreet = 'FAIL PRINTER'

/** A postal code that no provider can find. */
export const unknownZip = '00000'

/** Prefixes of an email address that the mail server refuses permanently, or temporarily. */
export const mailPrefixes = { bounces: 'bounce@', graylisted: 'gray@' } as const

export type Sentinel = { input: string; where: string; happens: string }

const groupDigits = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

/** Test cards in the order of their page, most useful first. */
export const cardSentinels: readonly Sentinel[] = [...testCards, mistypedCard].map(({ number, label, happens }) => ({
  input: groupDigits(number),
  where: label,
  happens,
}))

export const otherSentinels: readonly Sentinel[] = [
  {
    input: recipientNames.refused,
    where: 'Full name of the recipient',
    happens: 'The payment succeeds; the printer refuses the order because of its address.',
  },
  {
    input: refusedStreet,
    where: 'Street address',
    happens: 'The payment succeeds; the printer refuses the order until its address is corrected.',
  },
  {
    input: recipientNames.held,
    where: 'Full name of the recipient',
    happens: 'The printer puts the order on hold until you release it on this sandbox’s start page.',
  },
  {
    input: recipientNames.outOfStock,
    where: 'Full name of the recipient',
    happens: 'The printer accepts the order, then fails it because a blank is out of stock.',
  },
  {
    input: recipientNames.slow,
    where: 'Full name of the recipient',
    happens: 'The printer accepts the order but responds 12 seconds later.',
  },
  {
    input: unknownZip,
    where: 'Postal code',
    happens: 'Neither tax nor shipping can be calculated: the address is refused before any payment.',
  },
  {
    input: 'FAIL TAX',
    where: 'Street address',
    happens: 'Tax cannot be calculated: the address is refused before any payment.',
  },
  {
    input: 'Brazil, Mexico, South Korea',
    where: 'Country',
    happens: 'Stripe Tax collects nothing there; the printer’s own tax is charged instead.',
  },
  {
    input: `${mailPrefixes.bounces}…`,
    where: 'Email',
    happens: 'The mail server refuses this recipient permanently (550).',
  },
  {
    input: `${mailPrefixes.graylisted}…`,
    where: 'Email',
    happens: 'The mail server refuses this recipient temporarily (451), every time.',
  },
]

/** The choices in the wallet's window. */
export const walletSentinels: readonly Sentinel[] = [
  { input: 'Pay now', where: 'PayPal', happens: 'The payment succeeds immediately.' },
  { input: 'Cancel', where: 'PayPal', happens: 'The window closes; nothing is charged.' },
  {
    input: 'Approve, then hold',
    where: 'PayPal, more',
    happens: 'PayPal holds the payment for review until you release or deny it on this sandbox’s start page.',
  },
  {
    input: 'Approve, then decline',
    where: 'PayPal, more',
    happens: 'The payer approves, then PayPal declines the payment method.',
  },
  { input: 'Fail', where: 'PayPal, more', happens: 'PayPal’s script reports an error to the page.' },
]
