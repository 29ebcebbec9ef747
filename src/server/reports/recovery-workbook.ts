import type { Db } from '#server/db/db.ts'
import type { Column, Row, Sheet } from '#server/files/workbook.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { type Cents, ZERO, cents, minus, plus } from '#shared/money.ts'
import type { ReportRange } from './reports.ts'
import { type Book, moment, money, rowsOf, text } from './workbook-parts.ts'
import { type RecoveryCase, amountsThatDiffer, orderWithoutPayment, paidWithoutOrder } from './workbook-store.ts'

const recoveryColumns: readonly Column[] = [
  moment('Date'),
  text('Provider', 10),
  text('Payment', 36),
  text('Order', 13),
  text('Customer', 24),
  { title: 'In the shop', kind: 'money' },
  { title: 'At the provider', kind: 'money' },
  money('At stake'),
  text('In another currency', 20),
  text('Why', 30),
  text('Status', 8),
  text('What to do', 70),
]

/** The reason, and what to do. */
const advice: Readonly<Record<string, readonly [why: string, step: string]>> = {
  unknown_here: [
    'paid for one of this shop’s checkouts, but unknown to the shop',
    'Open Reconciliation in the admin and click “Compare now”. Its repair settles the payment and creates the order, or tells you why it cannot.',
  ],
  of_another_program: [
    'not for a checkout of this shop',
    'Another program charged it with the same account. If nobody recognizes it, look it up at the provider and refund it there.',
  ],
  second_payment: [
    'second payment of a checkout',
    'Nothing. The shop refunds it automatically. Check again if it stays open.',
  ],
  change_impossible: [
    'the order could no longer be changed',
    'Nothing. The shop refunds it automatically. Check again if it stays open.',
  ],
  unknown_checkout: ['its checkout is unknown', 'Look it up at the provider. Refund it, or place the order by hand.'],
  unknown_version: [
    'what it paid for is unknown',
    'Look it up at the provider. Refund it, or place the order by hand.',
  ],
  amount_differs: [
    'different amount than its checkout',
    'Refund it at the provider, and ask the customer to order again.',
  ],
  currency_differs: ['not in US dollars', 'Refund it at the provider, and ask the customer to order again.'],
  mode_differs: [
    'test payment in a live shop, or the reverse',
    'A test payment needs no refund. Check the shop’s keys.',
  ],
  money_returned: [
    'refunded or disputed before the order was created',
    'Do not fulfill it. It is done when the provider shows a full refund.',
  ],
  not_listed: [
    'the provider does not list its payment',
    'Hold the order in the admin, and look up the payment at the provider before anything is printed.',
  ],
  charge: ['the provider lists a different amount', 'Look it up at the provider and settle the difference.'],
  refund: [
    'the provider lists different refunds',
    'Open Reconciliation in the admin and click “Compare now”. Its repair reads the refunds from the provider and books what is missing.',
  ],
}

function recoveryRow(recoveryCase: RecoveryCase): Row {
  const { at, provider, paymentKey, orderNumber, customer, here, there, currency, kind, isClosed } = recoveryCase
  const [why, step] = advice[kind] ?? [kind.replaceAll('_', ' '), 'Look it up at the provider.']
  const isUsd = currency === 'usd'
  const inUsd = (amount: Cents | null) => (isUsd ? amount : null)
  const stake = here !== null && there !== null ? cents(Math.abs(minus(here, there))) : (here ?? there ?? ZERO)
  const foreign = isUsd ? null : `${stake} hundredths of ${currency.toUpperCase()}`
  return [
    ...[
      at,
      provider === 'paypal' ? 'PayPal' : 'Stripe',
      paymentKey,
      orderNumber && formatOrderNumber(orderNumber),
      customer,
    ],
    ...[inUsd(here), inUsd(there), inUsd(stake), foreign],
    ...[why, isClosed ? 'closed' : 'open', isClosed ? 'Nothing, it is closed.' : step],
  ]
}

export function recoveryBook(db: Db, { range }: ReportRange): Book {
  const sheetOf = (name: string, pages: AsyncGenerator<RecoveryCase[]>): Sheet => ({
    name,
    columns: recoveryColumns,
    rows: rowsOf(pages, (page) => page.map(recoveryRow)),
  })
  let missing = ZERO
  async function* counting(pages: AsyncGenerator<RecoveryCase[]>): AsyncGenerator<RecoveryCase[]> {
    for await (const page of pages) {
      for (const { kind, there, currency } of page)
        if (kind === 'unknown_here' && currency === 'usd') missing = plus(missing, there ?? ZERO)
      yield page
    }
  }
  return {
    title: 'Payment Recovery',
    about: 'Payments without an order, orders without a payment, amounts that differ, and what to do about each.',
    sheets: [
      sheetOf('Paid without order', counting(paidWithoutOrder(db, range))),
      sheetOf('Order without payment', orderWithoutPayment(db, range)),
      sheetOf('Amounts that differ', amountsThatDiffer(db, range)),
    ],
    checks: (_, { stripeReconciliation, paypalReconciliation }) => [
      {
        what: 'Missing from the database',
        here: missing,
        reported: plus(stripeReconciliation.missingFromDatabase, paypalReconciliation.missingFromDatabase),
      },
    ],
    notes: [
      'An empty sheet means that there is no known problem of its kind.',
      'Payments later than a provider’s last reading are not checked against its list.',
    ],
  }
}
