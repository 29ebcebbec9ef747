import { shuffleArray } from '#sandbox/kit/random.ts'
import type { Crossing, Moment } from './wire.ts'

/** Whose line it is on which something is named. `shop` is the way in: what browsers and providers ask the shop. */
export type LineName = 'shop' | 'stripe' | 'paypal' | 'printful' | 'mail' | 'database'

/** A step of a purchase at which an instance is killed: a call on a line, and the moment of it. */
export type Step = { name: string; line: LineName; moment: Moment; fits(call: Crossing): boolean }

const callMatcher = (method: string, path: RegExp) => (call: Crossing) => call.method === method && path.test(call.path)

/** Calls in the order of a purchase. */
const calls: readonly [name: string, line: LineName, fits: (call: Crossing) => boolean][] = [
  ['adding to the cart', 'shop', callMatcher('POST', /^\/api\/cart$/)],
  ['starting a card payment', 'shop', callMatcher('POST', /^\/api\/create-payment-intent$/)],
  ['working out the tax', 'stripe', callMatcher('POST', /^\/v1\/tax\/calculations$/)],
  ['making the intent', 'stripe', callMatcher('POST', /^\/v1\/payment_intents$/)],
  ['changing the intent', 'stripe', callMatcher('POST', /^\/v1\/payment_intents\/pi_\w+$/)],
  ['coming back from the card', 'shop', callMatcher('POST', /^\/api\/process-completed-payment$/)],
  ['an event of the card', 'shop', callMatcher('POST', /^\/webhooks\/stripe$/)],
  ['reading the intent', 'stripe', callMatcher('GET', /^\/v1\/payment_intents\/pi_/)],
  ['recording the tax', 'stripe', callMatcher('POST', /^\/v1\/tax\/transactions/)],
  ['giving a card payment back', 'stripe', callMatcher('POST', /^\/v1\/refunds$/)],
  ['closing the card’s intent', 'stripe', callMatcher('POST', /^\/v1\/payment_intents\/pi_\w+\/cancel$/)],
  ['starting a wallet payment', 'shop', callMatcher('POST', /^\/paypal\/order$/)],
  ['making the wallet order', 'paypal', callMatcher('POST', /^\/v2\/checkout\/orders$/)],
  ['taking the wallet’s money, asked by the browser', 'shop', callMatcher('POST', /^\/paypal\/order\/\w+\/capture$/)],
  ['taking the wallet’s money', 'paypal', callMatcher('POST', /^\/v2\/checkout\/orders\/\w+\/capture$/)],
  ['reading the wallet order', 'paypal', callMatcher('GET', /^\/v2\/checkout\/orders\/\w+$/)],
  ['giving a wallet payment back', 'paypal', callMatcher('POST', /^\/v2\/payments\/captures\/\w+\/refund$/)],
  ['asking about a wallet payment', 'shop', callMatcher('POST', /^\/api\/process-paypal-order$/)],
  ['an event of the wallet', 'shop', callMatcher('POST', /^\/webhooks\/paypal$/)],
  ['looking an order up at the printer', 'printful', callMatcher('GET', /^\/orders\/@/)],
  ['making the printer’s order', 'printful', callMatcher('POST', /^\/orders\b(?!.*confirm)/)],
  ['confirming the printer’s order', 'printful', callMatcher('POST', /^\/orders\/\S+\/confirm$/)],
  ['an event of the printer', 'shop', callMatcher('POST', /^\/webhooks\/printful\//)],
  ['sending a mail', 'mail', () => true],
]

/** Tables whose writing names a transaction; the ends of transactions are seen on PostgreSQL alone. */
export const namedTables: readonly string[] = [
  'payment_processing_log',
  'refund',
  'provider_event',
  'wallet_order',
  'checkout',
  'shop_order',
  'cart_line',
  'mail',
]

const moments: readonly Moment[] = ['asked', 'done', 'told']

const commits = namedTables.map(
  (table) =>
    [
      `the transaction that writes ${table}`,
      'database',
      (call: Crossing) => call.method === 'COMMIT' && call.path === table,
    ] as const,
)

/** Every named step, in an order that the seed decides. @param onServer whether there is a line to the database */
export function stepsFor(onServer: boolean, random: () => number): Step[] {
  const all = [...calls, ...(onServer ? commits : [])].flatMap(([name, line, fits]) =>
    moments.map((moment): Step => ({ name: `${name}: ${moment}`, line, moment, fits })),
  )
  return shuffleArray(all, random)
}
