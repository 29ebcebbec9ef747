import { mistypedCard, testCards } from './stripe/cards.ts'

/**
 * The magic inputs: what a person types in the running shop to see something go wrong.
 * The simulators act on them, the sheet of the sandbox lists them, tests use them.
 */

/** Names of a recipient that make the print partner behave. */
export const recipientNames = {
  refused: 'FAIL ADDRESS',
  held: 'HOLD',
  outOfStock: 'OUT OF STOCK',
  slow: 'SLOW',
} as const

/** A street that makes the print partner refuse the order; tax and payment take it. */
export const refusedStreet = 'FAIL PRINTER'

/** A postal code that no provider can place. */
export const unknownZip = '00000'

/** Beginnings of a mail address that the catcher refuses for good, or for now. */
export const mailPrefixes = { bounces: 'bounce@', graylisted: 'gray@' } as const

export type Sentinel = { input: string; where: string; happens: string }

const groupDigits = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

/** The sheet of test cards, in the order in which a person needs them. */
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
    happens: 'The printer makes the order and answers 12 seconds later.',
  },
  {
    input: unknownZip,
    where: 'Postal code',
    happens: 'Neither tax nor shipping can be worked out: the address is refused before any payment.',
  },
  {
    input: 'FAIL TAX',
    where: 'Street address',
    happens: 'Tax cannot be worked out: the address is refused before any payment.',
  },
  {
    input: 'Brazil, Mexico, South Korea',
    where: 'Country',
    happens: 'The tax source collects nothing there; the printer’s own tax is charged instead.',
  },
  {
    input: `${mailPrefixes.bounces}…`,
    where: 'E-mail',
    happens: 'The mail server refuses this recipient for good (550).',
  },
  {
    input: `${mailPrefixes.graylisted}…`,
    where: 'E-mail',
    happens: 'The mail server asks to try again later (451), every time.',
  },
]

/** What a payer can do at the wallet's window. */
export const walletSentinels: readonly Sentinel[] = [
  { input: 'Pay now', where: 'Wallet', happens: 'The payment is taken at once.' },
  { input: 'Cancel', where: 'Wallet', happens: 'The window closes; nothing is charged.' },
  {
    input: 'Approve, then hold',
    where: 'Wallet, more',
    happens: 'The provider takes the payment under review until you release or deny it on this sandbox’s start page.',
  },
  {
    input: 'Approve, then decline',
    where: 'Wallet, more',
    happens: 'The payer agrees, and the provider then declines the payer’s way to pay.',
  },
  { input: 'Fail', where: 'Wallet, more', happens: 'The wallet’s script reports an error to the page.' },
]
