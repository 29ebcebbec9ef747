import * as z from 'zod/mini'
import { centsFromDecimal, type Cents } from '#shared/money.ts'
import { AMOUNT_MAX } from '../responses.ts'

/** The parts of PayPal's responses that we read: ids and statuses are required, everything else is optional. */

const text = z.nullish(z.string())

/** Converts `{currency_code, value: '24.95'}` to cents. */
const money = z.pipe(
  z.object({ currency_code: z.string(), value: z.string() }),
  z.transform(({ currency_code, value }, context): { amount: Cents; currency: string } => {
    const amount = centsFromDecimal(value)
    if (amount === undefined) {
      context.issues.push({ code: 'custom', message: `'${value.slice(0, 40)}' is not an amount`, input: value })
      return z.NEVER
    }
    return { amount, currency: currency_code.toLowerCase() }
  }),
)

/** A payment, refund or fee. */
const nonNegativeMoney = money.check(
  z.refine(({ amount }) => amount >= 0 && amount <= AMOUNT_MAX, 'An amount must be between $0 and $999,999.99'),
)

/** `scope`: what the app may do, as URLs. */
export const tokenShape = z.object({ access_token: z.string(), expires_in: z.number(), scope: text })

export const webhookShape = z.object({
  url: z.string(),
  event_types: z.array(z.object({ name: z.string(), status: z.optional(z.string()) })),
})

const captureShape = z.object({
  id: z.string(),
  status: z.string(),
  seller_protection: z.nullish(z.object({ status: text, dispute_categories: z.nullish(z.array(z.string())) })),
  status_details: z.nullish(z.object({ reason: text })),
  amount: nonNegativeMoney,
  seller_receivable_breakdown: z.nullish(z.object({ paypal_fee: z.nullish(nonNegativeMoney) })),
})

export const refundShape = z.object({
  id: z.string(),
  status: z.string(),
  amount: nonNegativeMoney,
  custom_id: text,
  create_time: text,
  seller_payable_breakdown: z.nullish(z.object({ paypal_fee: z.nullish(nonNegativeMoney) })),
})

export type Refund = z.output<typeof refundShape>

export const disputesShape = z.object({ items: z.nullish(z.array(z.object({ dispute_id: z.string() }))) })

export const disputeShape = z.object({
  dispute_id: z.string(),
  status: z.string(),
  create_time: text,
  dispute_amount: nonNegativeMoney,
  disputed_transactions: z.nullish(z.array(z.object({ seller_transaction_id: text }))),
  dispute_life_cycle_stage: text,
  seller_response_due_date: text,
  dispute_outcome: z.nullish(z.object({ outcome_code: text })),
  reason: text,
  evidences: z.nullish(z.array(z.object({ source: text, documents: z.nullish(z.array(z.object({ name: text }))) }))),
  links: z.nullish(z.array(z.object({ rel: z.string() }))),
})

export type Dispute = z.output<typeof disputeShape>

/** An answer to a dispute has links alone. */
export const answeredShape = z.object({ links: z.nullish(z.array(z.object({ rel: z.string() }))) })

const payerShape = z.object({ payer_id: text, email_address: text })
const unitShape = z.object({
  custom_id: text,
  payments: z.nullish(
    z.object({ captures: z.nullish(z.array(captureShape)), refunds: z.nullish(z.array(refundShape)) }),
  ),
})

export const orderShape = z.object({
  id: z.string(),
  status: z.string(),
  payer: z.nullish(payerShape),
  purchase_units: z.nullish(z.array(unitShape)),
})

/** The same with who approved it, and where they want it sent. */
export const approvedShape = z.extend(orderShape, {
  payer: z.nullish(
    z.extend(payerShape, {
      name: z.nullish(z.object({ given_name: text, surname: text })),
      phone: z.nullish(z.object({ phone_number: z.nullish(z.object({ national_number: text })) })),
    }),
  ),
  purchase_units: z.nullish(
    z.array(
      z.extend(unitShape, {
        shipping: z.nullish(
          z.object({
            name: z.nullish(z.object({ full_name: text })),
            address: z.nullish(
              z.object({
                address_line_1: text,
                address_line_2: text,
                admin_area_1: text,
                admin_area_2: text,
                postal_code: text,
                country_code: text,
              }),
            ),
          }),
        ),
      }),
    ),
  ),
})

export type Order = z.output<typeof orderShape>
export type ApprovedOrder = z.output<typeof approvedShape>
export type Capture = z.output<typeof captureShape>

const related = z.nullish(z.object({ related_ids: z.nullish(z.object({ order_id: text })) }))

export const createdShape = z.object({ id: z.string() })
export const expressShape = z.object({
  id: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })),
})
export const captureOriginShape = z.object({ id: z.string(), supplementary_data: related })
export const verificationShape = z.object({ verification_status: z.string() })

export const eventShape = z.object({
  id: z.string(),
  event_type: z.string(),
  resource_type: text,
  resource: z.nullish(
    z.object({
      id: text,
      supplementary_data: related,
      links: z.nullish(z.array(z.object({ href: z.string(), rel: z.string() }))),
      disputed_transactions: z.nullish(z.array(z.object({ seller_transaction_id: text }))),
    }),
  ),
})

export const eventsShape = z.object({
  events: z.nullish(z.array(z.object({ id: z.string(), event_type: z.string(), create_time: text }))),
})

export const transactionsShape = z.object({
  transaction_details: z.nullish(
    z.array(
      z.object({
        transaction_info: z.object({
          transaction_id: z.string(),
          transaction_event_code: text,
          transaction_initiation_date: text,
          transaction_amount: z.nullish(money),
          fee_amount: z.nullish(money),
          transaction_status: text,
          paypal_reference_id: text,
          paypal_reference_id_type: text,
          invoice_id: text,
          custom_field: text,
        }),
      }),
    ),
  ),
  total_pages: z.nullish(z.int()),
})

/** The API's error body; the token call has a different one. */
export const refusalShape = z.object({
  name: z.string(),
  message: text,
  details: z.nullish(z.array(z.object({ issue: text, description: text }))),
})
