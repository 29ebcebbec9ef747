import type { Db } from '#server/db/db.ts'
import type { Row, Sheet } from '#server/files/workbook.ts'
import { type PaymentProvider, formatOrderNumber } from '#shared/ids.ts'
import { type Cents, ZERO, minus, plus } from '#shared/money.ts'
import type { ReportRange } from './reports.ts'
import { type Book, moment, money, rowsOf, text } from './workbook-parts.ts'
import { type ReportedMovement, movementPages } from './workbook-store.ts'

export function providerBook(db: Db, { range }: ReportRange): Book {
  const charged: Record<PaymentProvider, Cents> = { stripe: ZERO, paypal: ZERO }
  const sheetOf = (name: string, provider: PaymentProvider): Sheet => ({
    name,
    columns: [
      text(`${name} ID`, 34),
      moment('Counted on'),
      moment(`At ${name}`),
      text('Kind', 12),
      money('Amount'),
      money('Fee'),
      money('Net'),
      text('In another currency', 20),
      text('Charge, refund or payout', 34),
      text('Payment', 36),
      text('Order', 13),
      { title: 'Order total', kind: 'money' },
      money('Difference'),
      text('Note', 74),
    ],
    rows: rowsOf(movementPages(db, provider, range), (page) =>
      page.map((movement) => {
        if (isOurCharge(movement)) charged[provider] = plus(charged[provider], movement.amount)
        return movementRow(movement)
      }),
    ),
  })
  return {
    title: 'Complete Stripe',
    about:
      'Every charge, refund, dispute, fee and payout that Stripe lists, with our order next to it. PayPal has its own sheet.',
    sheets: [sheetOf('Stripe', 'stripe'), sheetOf('PayPal', 'paypal')],
    checks: (_, { stripeReconciliation, paypalReconciliation }) => [
      { what: 'Stripe total (charges)', here: charged.stripe, reported: stripeReconciliation.stripeTotal },
      { what: 'PayPal total (charges)', here: charged.paypal, reported: paypalReconciliation.paypalTotal },
    ],
    notes: [
      'A charge counts on the day the shop booked it. Charges unknown to the shop, and everything else, count on the provider’s date.',
      'The lists are as of their last reading; later lines are not included yet.',
      'Difference is the charge minus the payment that the shop booked.',
    ],
  }
}

/** What the summary counts: this shop's charges in US dollars. */
const isOurCharge = ({ kind, currency, known, checkoutId }: ReportedMovement) =>
  kind === 'charge' && currency === 'usd' && (known !== null || checkoutId !== null)

function movementRow(movement: ReportedMovement): Row {
  const { id, countedAt, occurredAt, kind, amount, fee, currency, sourceId, paymentKey, orderNumber } = movement
  const isUsd = currency === 'usd'
  const isKnown = kind === 'charge' && movement.known !== null && isUsd
  return [
    id,
    countedAt,
    occurredAt,
    kind,
    isUsd ? amount : null,
    isUsd ? fee : null,
    isUsd ? minus(amount, fee) : null,
    isUsd ? null : `${amount} hundredths of ${currency.toUpperCase()}`,
    sourceId,
    paymentKey,
    orderNumber && formatOrderNumber(orderNumber),
    kind === 'charge' ? movement.orderTotal : null,
    isKnown ? minus(amount, movement.known ?? ZERO) : null,
    remarkOn(movement),
  ]
}

function remarkOn({ kind, known, checkoutId, exception, amount, currency }: ReportedMovement): string | null {
  if (kind !== 'charge') return null
  if (currency !== 'usd') return 'In another currency: not in any sum.'
  if (known === null)
    return checkoutId === null
      ? 'From another program with this account: not in any sum of the report.'
      : 'Missing from the database: a payment for one of this shop’s checkouts that the shop does not have.'
  if (exception !== null) return `No order: ${exception.replaceAll('_', ' ')}.`
  return amount === known ? null : 'The shop booked a different amount.'
}
