import type { Stripe } from 'stripe'
import type { TaxAnswer } from '#domain/checkout/quote.ts'
import type { RecordedLine } from '#domain/tax/bookings.ts'
import { UnusableResponse } from '#server/providers/provider-errors.ts'
import { cents, sum, type Cents } from '#shared/money.ts'
import { dateOf, SECOND_MS } from '#shared/time.ts'
import { calculationShape } from './shapes.ts'
import { readAs } from './wire.ts'

/** Shipping is no line item at Stripe Tax; among `RecordedLine`s it has this id. */
export const SHIPPING_LINE = 'shipping'

/** What Stripe Tax recorded: a sale, or a reversal with negative amounts and the lines that they are taken from. */
export type TaxTransaction = {
  id: string
  reference: string
  /** The sale that it reverses. */
  reverses: string | null
  net: Cents
  tax: Cents
  lines: RecordedLine[]
  postedAt: Date
}

/** @param taxed lines and shipping @throws UnusableResponse for an answer that cannot be right */
export function taxAnswerOf(answer: unknown, taxed: Cents): TaxAnswer {
  const calculation = readAs(calculationShape, answer)
  const { tax_amount_exclusive: tax } = calculation
  // No sales or consumption tax anywhere reaches 100%.
  if (tax > taxed) throw new UnusableResponse('stripe', `a tax of ${tax}`)
  return {
    amount: tax,
    breakdown: calculation.tax_breakdown.flatMap(({ amount, taxable_amount: taxable, tax_rate_details: rate }) =>
      amount > 0
        ? [
            {
              jurisdiction: [rate.country, rate.state].filter(Boolean).join('-'),
              type: rate.tax_type ?? 'tax',
              percentage: rate.percentage_decimal,
              taxable,
              amount,
            },
          ]
        : [],
    ),
    calculationId: calculation.id,
    estimated: false,
    reasons: [...new Set(calculation.tax_breakdown.map(({ taxability_reason: reason }) => reason))],
  }
}

/** @param items all line items, whose amounts are without tax: we calculate with `tax_behavior: exclusive` */
export function taxTransactionOf(
  { id, reference, reversal, shipping_cost: shipping, posted_at: posted }: Stripe.Tax.Transaction,
  items: readonly Stripe.Tax.TransactionLineItem[],
): TaxTransaction {
  const lines = [
    ...items.map((item) => ({
      id: item.reversal?.original_line_item ?? item.id,
      amount: cents(item.amount),
      tax: cents(item.amount_tax),
    })),
    ...(shipping ? [{ id: SHIPPING_LINE, amount: cents(shipping.amount), tax: cents(shipping.amount_tax) }] : []),
  ]
  return {
    ...{ id, reference, lines },
    reverses: reversal?.original_transaction ?? null,
    net: sum(lines.map(({ amount }) => amount)),
    tax: sum(lines.map(({ tax }) => tax)),
    postedAt: dateOf(posted * SECOND_MS),
  }
}
