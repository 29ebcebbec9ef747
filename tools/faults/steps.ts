import { shuffleArray } from '#sandbox/kit/random.ts'
import type { Crossing, Moment } from './wire.ts'

/** The far end of a connection. `shop` is incoming: requests from browsers and providers. */
export type LineName = 'shop' | 'stripe' | 'paypal' | 'printful' | 'mail' | 'database'

/** A point in a purchase at which an instance is killed: a call, and how far it has come. */
export type Step = { name: string; line: LineName; moment: Moment; fits(call: Crossing): boolean }

const callMatcher = (method: string, path: RegExp) => (call: Crossing) => call.method === method && path.test(call.path)

/** In the order of a purchase. */
const calls: readonly [name: string, line: LineName, fits: (call: Crossing) => boolean][] = [
  ['adding to the cart', 'shop', callMatcher('POST', /^\/api\/cart$/)],
  ['starting a card payment', 'shop', callMatcher('POST', /^\/api\/create-payment-intent$/)],
  ['calculating the tax', 'stripe', callMatcher('POST', /^\/v1\/tax\/calculations$/)],
  ['creating the payment intent', 'stripe', callMatcher('POST', /^\/v1\/payment_intents$/)],
  ['updating the payment intent', 'stripe', callMatcher('POST', /^\/v1\/payment_intents\/pi_\w+$/)],
  ['returning after a card payment', 'shop', callMatcher('POST', /^\/api\/process-completed-payment$/)],
  ['a Stripe webhook', 'shop', callMatcher('POST', /^\/webhooks\/stripe$/)],
  ['reading the payment intent', 'stripe', callMatcher('GET', /^\/v1\/payment_intents\/pi_/)],
  ['recording the tax', 'stripe', callMatcher('POST', /^\/v1\/tax\/transactions/)],
  ['refunding a card payment', 'stripe', callMatcher('POST', /^\/v1\/refunds$/)],
  ['canceling the payment intent', 'stripe', callMatcher('POST', /^\/v1\/payment_intents\/pi_\w+\/cancel$/)],
  ['starting a wallet payment', 'shop', callMatcher('POST', /^\/paypal\/order$/)],
  ['creating the PayPal order', 'paypal', callMatcher('POST', /^\/v2\/checkout\/orders$/)],
  ['the browser’s request to capture', 'shop', callMatcher('POST', /^\/paypal\/order\/\w+\/capture$/)],
  ['capturing the PayPal order', 'paypal', callMatcher('POST', /^\/v2\/checkout\/orders\/\w+\/capture$/)],
  ['reading the PayPal order', 'paypal', callMatcher('GET', /^\/v2\/checkout\/orders\/\w+$/)],
  ['refunding a PayPal payment', 'paypal', callMatcher('POST', /^\/v2\/payments\/captures\/\w+\/refund$/)],
  ['checking a PayPal payment', 'shop', callMatcher('POST', /^\/api\/process-paypal-order$/)],
  ['a PayPal webhook', 'shop', callMatcher('POST', /^\/webhooks\/paypal$/)],
  ['looking up an order at the printer', 'printful', callMatcher('GET', /^\/orders\/@/)],
  ['creating the printer’s order', 'printful', callMatcher('POST', /^\/orders\b(?!.*confirm)/)],
  ['confirming the printer’s order', 'printful', callMatcher('POST', /^\/orders\/\S+\/confirm$/)],
  ['a Printful webhook', 'shop', callMatcher('POST', /^\/webhooks\/printful\//)],
  ['sending an email', 'mail', () => true],
]

/** A transaction is named by the first of these tables it writes. Commits are visible on PostgreSQL only. */
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

const moments: readonly Moment[] = ['requested', 'done', 'answered']

const commits = namedTables.map(
  (table) =>
    [
      `the transaction that writes ${table}`,
      'database',
      (call: Crossing) => call.method === 'COMMIT' && call.path === table,
    ] as const,
)

/** Every named step, in an order drawn by `random`. @param onServer whether the database is PostgreSQL */
export function stepsFor(onServer: boolean, random: () => number): Step[] {
  const all = [...calls, ...(onServer ? commits : [])].flatMap(([name, line, fits]) =>
    moments.map((moment): Step => ({ name: `${name}: ${moment}`, line, moment, fits })),
  )
  return shuffleArray(all, random)
}
