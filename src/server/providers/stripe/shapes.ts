import * as z from 'zod/mini'
import { bookedShape, centsShape, displayText } from '../responses.ts'

/**
 * The parts of Stripe's objects that we read, by their `object` field. The SDK passes on any JSON it gets, even an amount as text or a
 * negative tax.
 */

const id = z.string()
/** Unix seconds, until the year 3000. */
const created = z.int().check(z.gte(0), z.lte(32_503_680_000))
/** Without a maximum: other programs with the same account may use other amounts and currencies. */
const amount = z.int().check(z.gte(0))
const metadata = z.nullish(z.record(z.string(), z.string()))

const charge = z.looseObject({
  amount_refunded: amount,
  disputed: z.boolean(),
  balance_transaction: z.nullish(z.union([z.string(), z.looseObject({ fee: centsShape })])),
})

const taxLine = z.looseObject({
  id,
  amount: bookedShape,
  amount_tax: bookedShape,
  reversal: z.nullish(z.looseObject({ original_line_item: z.string() })),
})

export const shapes = {
  payment_intent: z.looseObject({
    id,
    status: z.string(),
    amount_received: amount,
    currency: z.string(),
    livemode: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    latest_charge: z.nullish(z.union([z.string(), charge])),
  }),
  refund: z.looseObject({ id, amount, created, status: z.nullish(z.string()), metadata }),
  dispute: z.looseObject({
    id,
    amount,
    created,
    status: z.string(),
    balance_transactions: z.array(z.looseObject({ fee: bookedShape })),
    metadata: z.record(z.string(), z.string()),
    evidence_details: z.looseObject({
      due_by: z.nullish(created),
      past_due: z.boolean(),
      submission_count: z.int().check(z.gte(0)),
    }),
  }),
  file: z.looseObject({ id }),
  payout: z.looseObject({ id, amount: bookedShape, created, status: z.string() }),
  balance_transaction: z.looseObject({
    id,
    amount: bookedShape,
    fee: bookedShape,
    currency: z.string(),
    created,
    reporting_category: z.string(),
  }),
  event: z.looseObject({ id, type: z.string(), data: z.looseObject({ object: z.looseObject({}) }) }),
  webhook_endpoint: z.looseObject({ url: z.string(), enabled_events: z.array(z.string()), status: z.string() }),
  'tax.transaction': z.looseObject({
    id,
    created,
    posted_at: created,
    reference: z.string(),
    line_items: z.nullish(z.looseObject({ has_more: z.boolean(), data: z.array(taxLine) })),
    shipping_cost: z.nullish(z.looseObject({ amount: bookedShape, amount_tax: bookedShape })),
  }),
  'tax.transaction_line_item': taxLine,
  'tax.settings': z.looseObject({ status: z.string() }),
  account: z.looseObject({ charges_enabled: z.boolean(), payouts_enabled: z.boolean() }),
} as const

/** Each element is checked by its own `object`. */
export const listShape = z.looseObject({ has_more: z.boolean(), data: z.array(z.looseObject({ object: z.string() })) })

const word = z.string().check(z.overwrite(displayText))

/** What the card's bank checked; `pass`, `fail`, `unavailable` or `unchecked`. */
export const cardChecksShape = z.looseObject({
  latest_charge: z.nullish(
    z.looseObject({
      payment_method_details: z.nullish(
        z.looseObject({
          card: z.nullish(
            z.looseObject({
              brand: z.nullish(word),
              last4: z.nullish(word),
              checks: z.nullish(
                z.looseObject({
                  address_line1_check: z.nullish(word),
                  address_postal_code_check: z.nullish(word),
                  cvc_check: z.nullish(word),
                }),
              ),
              three_d_secure: z.nullish(z.looseObject({ result: z.nullish(word) })),
            }),
          ),
        }),
      ),
      outcome: z.nullish(z.looseObject({ risk_level: z.nullish(word), network_status: z.nullish(word) })),
    }),
  ),
})

/** What the shop uses of a tax calculation; the rate is a percentage such as `8.25`. */
export const calculationShape = z.object({
  id: z.nullable(id),
  tax_amount_exclusive: centsShape,
  tax_breakdown: z.array(
    z.object({
      amount: centsShape,
      taxable_amount: centsShape,
      taxability_reason: word,
      tax_rate_details: z.object({
        country: z.nullish(word),
        state: z.nullish(word),
        tax_type: z.nullish(word),
        percentage_decimal: z.string().check(z.regex(/^\d{1,3}(?:\.\d{1,6})?$/)),
      }),
    }),
  ),
})
