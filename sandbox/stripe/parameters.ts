import { z } from 'zod'
import { badRequest } from './errors.ts'
import type { StripeError } from './errors.ts'
import { parameterName } from './form.ts'
import type { Form } from './form.ts'

/**
 * The parameters of each call, on the decoded form, where everything is text. Only what the shop may need is accepted;
 * anything else is refused as Stripe refuses a misspelled name.
 */

const text = z.string().min(1).max(5000)
/** Stripe reads an empty value as "remove it". */
const unset = z.literal('').transform(() => null)
const orUnset = <T extends z.ZodType>(schema: T) => z.union([unset, schema])
const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'integer')
  .transform(Number)
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const expand = z.array(z.string().min(1)).max(20).optional()
const currency = z
  .string()
  .regex(/^[a-z]{3}$/i, 'currency')
  .transform((code) => code.toLowerCase())

// Limits of metadata: 50 keys, names of 40 characters, values of 500 (docs.stripe.com/api/metadata).
const metadata = orUnset(
  z
    .record(
      z
        .string()
        .max(40)
        .regex(/^[^[\]]*$/),
      z.string().max(500, 'metadata_value'),
    )
    .refine((entries) => Object.keys(entries).length <= 50, 'metadata_size'),
).optional()

const address = z.strictObject({
  line1: z.string().optional(),
  line2: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  postal_code: z.string().optional(),
  country: z.string().optional(),
})

const shipping = z.strictObject({
  name: text,
  phone: z.string().optional(),
  carrier: z.string().optional(),
  tracking_number: z.string().optional(),
  address,
})

const billingDetails = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  address: orUnset(address).optional(),
})

const anyMethod = {
  billing_details: billingDetails.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
}

const paymentMethodData = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('card'),
    card: z.strictObject({ number: z.string(), exp_month: integer, exp_year: integer, cvc: z.string().optional() }),
    ...anyMethod,
  }),
  z.strictObject({ type: z.literal('amazon_pay'), ...anyMethod }),
])

const taxHook = z.strictObject({
  inputs: z.strictObject({ tax: z.strictObject({ calculation: z.string() }).optional() }).optional(),
})

const descriptiveFields = {
  description: text.optional(),
  receipt_email: orUnset(z.email('email')).optional(),
  shipping: orUnset(shipping).optional(),
  statement_descriptor: text.max(22).optional(),
  statement_descriptor_suffix: text.max(22).optional(),
  hooks: taxHook.optional(),
  metadata,
  expand,
}

const paymentFields = {
  payment_method: text.optional(),
  payment_method_data: paymentMethodData.optional(),
  return_url: z.url('url').optional(),
  use_stripe_sdk: flag.optional(),
}

export const createIntent = z.strictObject({
  amount: integer,
  currency,
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  allowed_payment_method_types: z.array(z.string()).optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirm: flag.optional(),
  ...descriptiveFields,
  ...paymentFields,
})

export const updateIntent = z.strictObject({
  amount: integer.optional(),
  currency: currency.optional(),
  allowed_payment_method_types: z.array(z.string()).optional(),
  ...descriptiveFields,
})

export const confirmIntent = z.strictObject({
  amount_to_confirm: integer.optional(),
  receipt_email: orUnset(z.email('email')).optional(),
  shipping: orUnset(shipping).optional(),
  ...paymentFields,
  expand,
})

/** `quiet`: a refusal gets status 200, since browsers log every other one to the console; only our own script sets it. */
const fromBrowser = { key: text, client_secret: text, quiet: flag.optional() }

/** What the script in the browser may send, with the publishable key. */
export const confirmInBrowser = z.strictObject({
  ...fromBrowser,
  shipping: orUnset(shipping).optional(),
  ...paymentFields,
})

export const readInBrowser = z.strictObject(fromBrowser)

export const challengeOutcome = z.strictObject({ ...fromBrowser, outcome: z.enum(['authenticated', 'failed']) })

export const cancelIntent = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand,
})

export const readOnly = z.strictObject({ expand })
export const readIntent = z.strictObject({ client_secret: text.optional(), expand })

const range = z.union([
  integer,
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
])

const page = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, 'limit').optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  expand,
}

export const listPage = z.strictObject(page)
export const listIntents = z.strictObject({ ...page, created: range.optional(), customer: text.optional() })
export const listByPayment = z.strictObject({
  ...page,
  created: range.optional(),
  payment_intent: text.optional(),
})
export const listRefunds = z.strictObject({
  ...page,
  created: range.optional(),
  payment_intent: text.optional(),
  charge: text.optional(),
})
export const listBalanceTransactions = z.strictObject({
  ...page,
  created: range.optional(),
  currency: currency.optional(),
  source: text.optional(),
  type: text.optional(),
  payout: text.optional(),
})
export const listPayouts = z.strictObject({ ...page, created: range.optional() })
export const listEvents = z.strictObject({
  ...page,
  created: range.optional(),
  type: text.optional(),
  types: z.array(text).max(20).optional(),
})
export type Page = z.infer<z.ZodObject<typeof page>> & { created?: z.infer<typeof range> | undefined }

export const createFile = z.strictObject({
  purpose: z.enum(['dispute_evidence']),
  file: z.strictObject({ name: text, type: text, size: integer, sha256: text, pages: integer }),
  expand,
})
export const listFiles = z.strictObject({ ...page, created: range.optional(), purpose: text.optional() })

const evidenceText = z.string().max(20_000).optional()
/** Evidence that the shop may send; the texts of files are ids. */
export const updateDispute = z.strictObject({
  evidence: z
    .strictObject({
      access_activity_log: evidenceText,
      billing_address: evidenceText,
      customer_email_address: evidenceText,
      customer_name: evidenceText,
      product_description: evidenceText,
      refund_policy_disclosure: evidenceText,
      shipping_address: evidenceText,
      shipping_carrier: evidenceText,
      shipping_date: evidenceText,
      shipping_tracking_number: evidenceText,
      uncategorized_file: evidenceText,
      uncategorized_text: evidenceText,
    })
    .optional(),
  submit: flag.optional(),
  metadata,
  expand,
})

export const createRefund = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
  expand,
})

const taxBehavior = z.enum(['exclusive', 'inclusive'])

export const createCalculation = z.strictObject({
  currency,
  customer_details: z.strictObject({
    address: address.extend({ country: text.regex(/^[A-Z]{2}$/, 'country') }),
    address_source: z.enum(['shipping', 'billing']),
  }),
  line_items: z
    .array(
      z.strictObject({
        amount: integer,
        quantity: integer.optional(),
        reference: text.max(500).optional(),
        tax_behavior: taxBehavior.optional(),
        tax_code: text.optional(),
        metadata,
      }),
    )
    .min(1),
  shipping_cost: z
    .strictObject({ amount: integer, tax_behavior: taxBehavior.optional(), tax_code: text.optional() })
    .optional(),
  ship_from_details: z.strictObject({ address: address.extend({ country: text }) }).optional(),
  tax_date: integer.optional(),
  expand,
})

export const createTaxTransaction = z.strictObject({
  calculation: text,
  reference: text.max(500),
  posted_at: integer.optional(),
  metadata,
  expand,
})

export const createTaxReversal = z.strictObject({
  mode: z.enum(['full', 'partial']),
  original_transaction: text,
  reference: text.max(500),
  flat_amount: integer.optional(),
  line_items: z
    .array(
      z.strictObject({
        original_line_item: text,
        reference: text.max(500),
        amount: integer,
        amount_tax: integer,
        quantity: integer.optional(),
        metadata,
      }),
    )
    .optional(),
  shipping_cost: z.strictObject({ amount: integer, amount_tax: integer }).optional(),
  metadata,
  expand,
})

export const createEndpoint = z.strictObject({
  url: z.url('url'),
  enabled_events: z.array(text).min(1),
  api_version: text.optional(),
  description: orUnset(text).optional(),
  metadata,
  expand,
})

export const createDomain = z.strictObject({
  // As in docs.stripe.com/api/payment_method_domains: a name, without scheme, port or path.
  domain_name: z.string('domain_name').regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, 'domain_name'),
  enabled: flag.optional(),
  expand,
})
export const updateDomain = z.strictObject({ enabled: flag.optional(), expand })
export const listDomains = z.strictObject({ ...page, domain_name: text.optional(), enabled: flag.optional() })

/** @throws StripeError 400 for the first mistake, unknown names before all others */
export function read<T extends z.ZodType>(schema: T, form: Form): z.output<T> {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  const mistakes = parsed.error.issues.map(innermostIssue)
  throw objectionTo(mistakes.find(({ code }) => code === 'unrecognized_keys') ?? mistakes[0], form)
}

type Issue = z.core.$ZodIssue

/** A union reports the errors of every branch; the last branch is the intended one. */
function innermostIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.at(-1)?.[0]
  return inner ? innermostIssue({ ...inner, path: [...issue.path, ...inner.path] }) : issue
}

function objectionTo(issue: Issue | undefined, form: Form): StripeError {
  if (issue === undefined) return badRequest('The request could not be read.')
  if (issue.code === 'unrecognized_keys') {
    const param = parameterName([...issue.path, issue.keys[0] ?? ''])
    return badRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  if (issue.code === 'invalid_key') return badRequest(METADATA_KEY, { param: parameterName(issue.path.slice(0, -1)) })
  const param = parameterName(issue.path)
  const given = valueAt(form, issue.path)
  if (given === undefined) return badRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  if (given === '') {
    return badRequest(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset.`,
      {
        code: 'parameter_invalid_empty',
        param,
      },
    )
  }
  const known = issueMessages[issue.message]
  if (known)
    return badRequest(known.say(param, given), known.code === undefined ? { param } : { code: known.code, param })
  if (issue.code === 'invalid_value') {
    return badRequest(`Invalid ${param}: must be one of ${issue.values.map(String).join(', ')}`, { param })
  }
  return badRequest(`Invalid ${param}`, { param })
}

const METADATA_KEY = 'Metadata keys can have up to 40 characters, and no square brackets.'

const issueMessages: Record<string, { code?: string; say: (param: string, given: unknown) => string }> = {
  integer: { code: 'parameter_invalid_integer', say: (_, given) => `Invalid integer: ${String(given)}` },
  currency: { say: (_, given) => `Invalid currency: ${String(given)}.` },
  email: { code: 'email_invalid', say: (_, given) => `Invalid email address: ${String(given)}` },
  url: { code: 'url_invalid', say: () => 'Not a valid URL' },
  limit: { code: 'parameter_invalid_integer', say: () => 'This value must be between 1 and 100.' },
  country: { code: 'country_unsupported', say: (_, given) => `Country '${String(given)}' is unknown.` },
  metadata_value: { say: () => 'Metadata values can have up to 500 characters.' },
  metadata_size: { say: () => 'Metadata can have up to 50 keys.' },
}

function valueAt(form: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, segment) =>
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, segment)?.value : undefined,
    form,
  )
}
