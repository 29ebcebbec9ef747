import { z } from 'zod'
import { centsFromDecimal, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { unknownZip } from '#sandbox/sentinels.ts'
import { PaypalError, detail, invalidRequest, unprocessable, type Detail } from './errors.ts'

/**
 * The body of the create-order call, with the lengths of PayPal's description (Orders v2, file 2.13). An unlisted field
 * is refused: PayPal would drop a misspelled one silently.
 */

const money = z.strictObject({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^(?:-?\d+|-?\d*\.\d+)$/),
})

const breakdown = z.strictObject({
  item_total: money.optional(),
  shipping: money.optional(),
  handling: money.optional(),
  tax_total: money.optional(),
  insurance: money.optional(),
  shipping_discount: money.optional(),
  discount: money.optional(),
})

const amount = money.extend({ breakdown: breakdown.optional() })

const item = z.strictObject({
  name: z.string().min(1).max(127),
  quantity: z.string().regex(/^[1-9]\d{0,9}$/),
  unit_amount: money,
  tax: money.optional(),
  sku: z.string().max(127).optional(),
  description: z.string().max(127).optional(),
  category: z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION']).optional(),
})

const address = z.strictObject({
  address_line_1: z.string().max(300).optional(),
  address_line_2: z.string().max(300).optional(),
  admin_area_2: z.string().max(120).optional(),
  admin_area_1: z.string().max(300).optional(),
  postal_code: z.string().max(60).optional(),
  country_code: z.string().regex(/^(?:[A-Z]{2}|C2)$/),
})

const shipping = z.strictObject({
  name: z.strictObject({ full_name: z.string().max(300).optional() }).optional(),
  type: z.enum(['SHIPPING']).optional(),
  address: address.optional(),
})

const purchaseUnit = z.strictObject({
  reference_id: z.string().min(1).max(256).default('default'),
  description: z.string().max(127).optional(),
  custom_id: z.string().max(127).optional(),
  invoice_id: z.string().max(127).optional(),
  soft_descriptor: z.string().max(22).optional(),
  amount,
  items: z.array(item).optional(),
  shipping: shipping.optional(),
})

const experience = z.strictObject({
  brand_name: z.string().min(1).max(127).optional(),
  locale: z.string().min(2).max(10).optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
  landing_page: z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE']).optional(),
  payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
  return_url: z.url().optional(),
  cancel_url: z.url().optional(),
})

const orderBody = z.strictObject({
  intent: z.enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: z.array(purchaseUnit).min(1).max(10),
  payment_source: z
    .strictObject({ paypal: z.strictObject({ experience_context: experience.optional() }).optional() })
    .optional(),
})

const refundBody = z.strictObject({
  amount: money.optional(),
  invoice_id: z.string().min(1).max(127).optional(),
  custom_id: z
    .string()
    .max(127)
    .regex(/^[A-Za-z0-9\-_.,]*$/)
    .optional(),
  note_to_payer: z.string().min(1).max(255).optional(),
})

const patchBody = z
  .array(z.strictObject({ op: z.enum(['add', 'remove', 'replace']), path: z.string(), value: z.unknown().optional() }))
  .min(1)

type Money = z.output<typeof money>
export type PurchaseUnit = z.output<typeof purchaseUnit>
export type ExperienceContext = z.output<typeof experience>

/** Marks cases that the simulator does not support. */
export class NotPlayed extends Error {
  constructor() {
    super('PayPal may know this, the simulator does not.')
    this.name = 'NotPlayed'
  }
}

/** @throws PaypalError INVALID_REQUEST or UNPROCESSABLE_ENTITY @throws NotPlayed */
export function readOrder(raw: Buffer) {
  const body = read(orderBody, jsonFrom(raw))
  const [unit, ...others] = body.purchase_units
  if (!unit || others.length > 0 || body.intent === 'AUTHORIZE') throw new NotPlayed()
  const preference = body.payment_source?.paypal?.experience_context?.shipping_preference
  if (preference === 'SET_PROVIDED_ADDRESS' && !unit.shipping?.address)
    throw invalidRequest('MISSING_REQUIRED_PARAMETER', '/purchase_units/0/shipping/address')
  requireRightSums(unit)
  requireLocality(unit)
  return {
    unit,
    hasSource: body.payment_source !== undefined,
    experience: body.payment_source?.paypal?.experience_context ?? {},
  }
}

/** An empty body requests a full refund. */
export const readRefund = (raw: Buffer) => read(refundBody, raw.length === 0 ? {} : jsonFrom(raw))

const patchable = /^\/purchase_units\/@reference_id=='([^']+)'(?:\/(.+))?$/
const fields = ['amount', 'invoice_id', 'custom_id', 'description', 'soft_descriptor', 'items', 'shipping'] as const
type Field = (typeof fields)[number]
const isField = (name: string | undefined): name is Field => fields.some((field) => field === name)

/** @returns the purchase unit after the JSON Patch (RFC 6902); the given one is unchanged */
export function applyPatch(unit: PurchaseUnit, raw: Buffer): PurchaseUnit {
  let next: Record<string, unknown> = structuredClone(unit)
  for (const { op, path, value } of read(patchBody, jsonFrom(raw))) {
    const [, reference, inner] = patchable.exec(path) ?? []
    if (reference === undefined)
      throw path.startsWith('/')
        ? unprocessable('NOT_PATCHABLE', path)
        : unprocessable('INVALID_JSON_POINTER_FORMAT', path)
    if (reference !== unit.reference_id) throw unprocessable('REFERENCE_ID_NOT_FOUND', path)
    if (inner === undefined) {
      if (op !== 'replace') throw unprocessable('INVALID_PATCH_OPERATION', path)
      next = value as Record<string, unknown>
      continue
    }
    const [field, deeper, ...rest] = inner.split('/')
    const isNested = deeper !== undefined
    if (
      !isField(field) ||
      rest.length > 0 ||
      (isNested && (field !== 'shipping' || !/^(?:name|address)$/.test(deeper)))
    )
      throw unprocessable('NOT_PATCHABLE', path)
    const owner = isNested ? (next[field] as Record<string, unknown> | undefined) : next
    const name = isNested ? deeper : field
    if (!owner || (owner[name] === undefined) !== (op === 'add')) throw unprocessable('INVALID_PATCH_OPERATION', path)
    if (op === 'remove') delete owner[name]
    else owner[name] = value
  }
  const result = read(purchaseUnit, next)
  requireRightSums(result)
  requireLocality(result)
  return result
}

/** The purchase unit with where the payer wants it sent. */
export const withShipping = (unit: PurchaseUnit, to: object): PurchaseUnit => ({
  ...unit,
  shipping: read(shipping, to),
})

export function jsonFrom(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    throw invalidRequest('MALFORMED_REQUEST_JSON')
  }
}

/** @throws PaypalError with PayPal's code for each mistake */
export function read<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new PaypalError(
    400,
    parsed.error.issues.flatMap((issue) => detailsOf(issue, body)),
  )
}

function detailsOf(issue: z.core.$ZodIssue, body: unknown): Detail[] {
  const field = `/${issue.path.map(String).join('/')}`
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => detail('NOT_SUPPORTED', `${field === '/' ? '' : field}/${key}`))
  const value = issue.path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    body,
  )
  return [detail(issueName(issue, value), field, value)]
}

function issueName(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'MISSING_REQUIRED_PARAMETER'
  const isLong = issue.code === 'too_big'
  if (isLong || issue.code === 'too_small') {
    if (issue.origin === 'array') return isLong ? 'INVALID_ARRAY_MAX_ITEMS' : 'INVALID_ARRAY_MIN_ITEMS'
    return 'INVALID_STRING_LENGTH'
  }
  if (issue.code === 'invalid_value') return 'INVALID_PARAMETER_VALUE'
  return issue.code === 'invalid_type' ? 'MALFORMED_REQUEST_JSON' : 'INVALID_PARAMETER_SYNTAX'
}

/** @throws PaypalError DECIMAL_PRECISION, INVALID_CURRENCY_CODE or CANNOT_BE_NEGATIVE */
export function centsOf({ value, currency_code: currency }: Money, field: string, wanted = 'USD'): Cents {
  if (currency !== wanted) throw unprocessable('INVALID_CURRENCY_CODE', `${field}/currency_code`, currency)
  if ((value.split('.')[1] ?? '').length > 2) throw unprocessable('DECIMAL_PRECISION', `${field}/value`, value)
  const amount = centsFromDecimal(value.startsWith('.') ? `0${value}` : value)
  if (amount === undefined) throw invalidRequest('INVALID_PARAMETER_SYNTAX', `${field}/value`, value)
  if (amount < 0) throw unprocessable('CANNOT_BE_NEGATIVE', `${field}/value`, value)
  return amount
}

/** The sums that PayPal checks to the cent. */
function requireRightSums({ amount, items }: PurchaseUnit): void {
  const at = "/purchase_units/@reference_id=='default'"
  const total = centsOf(amount, `${at}/amount`)
  if (total === 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', `${at}/amount/value`, amount.value)
  const part = (name: keyof NonNullable<typeof amount.breakdown>): Cents => {
    const given = amount.breakdown?.[name]
    return given ? centsOf(given, `${at}/amount/breakdown/${name}`) : ZERO
  }
  if (items && items.length > 0) {
    if (!amount.breakdown?.item_total) throw unprocessable('ITEM_TOTAL_REQUIRED', `${at}/amount/breakdown/item_total`)
    const each = (field: 'unit_amount' | 'tax') =>
      sum(
        items.map((one, index) => {
          const given = one[field]
          return given ? times(centsOf(given, `${at}/items/${index}/${field}`), Number(one.quantity)) : ZERO
        }),
      )
    if (each('unit_amount') !== part('item_total'))
      throw unprocessable(
        'ITEM_TOTAL_MISMATCH',
        `${at}/amount/breakdown/item_total/value`,
        amount.breakdown.item_total.value,
      )
    if (items.some(({ tax }) => tax)) {
      if (!amount.breakdown.tax_total) throw unprocessable('TAX_TOTAL_REQUIRED', `${at}/amount/breakdown/tax_total`)
      if (each('tax') !== part('tax_total'))
        throw unprocessable(
          'TAX_TOTAL_MISMATCH',
          `${at}/amount/breakdown/tax_total/value`,
          amount.breakdown.tax_total.value,
        )
    }
  }
  if (!amount.breakdown) return
  const added = sum([part('item_total'), part('tax_total'), part('shipping'), part('handling'), part('insurance')])
  const taken = plus(part('shipping_discount'), part('discount'))
  if (added - taken !== total) throw unprocessable('AMOUNT_MISMATCH', `${at}/amount/value`, amount.value)
}

/** Countries whose addresses need no postal code, among those that the shop delivers to. */
const withoutPostalCode = ['HK', 'IE', 'AE']

function requireLocality({ shipping }: PurchaseUnit): void {
  const place = shipping?.address
  const at = "/purchase_units/@reference_id=='default'/shipping/address"
  if (!place) return
  if (!place.admin_area_2) throw unprocessable('CITY_REQUIRED', `${at}/admin_area_2`)
  if (!place.postal_code && !withoutPostalCode.includes(place.country_code))
    throw unprocessable('POSTAL_CODE_REQUIRED', `${at}/postal_code`)
  if (place.postal_code === unknownZip) throw unprocessable('SHIPPING_ADDRESS_INVALID', at)
}
