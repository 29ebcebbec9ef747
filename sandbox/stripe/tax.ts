import type Stripe from 'stripe'
import type { z } from 'zod'
import { newId, seconds } from './books.ts'
import type { Needs } from './needs.ts'
import { addressOf } from './objects.ts'
import type { createCalculation, createTaxReversal, createTaxTransaction } from './parameters.ts'
import { mergedMetadata } from './payments.ts'
import { findTaxPlace } from './rates.ts'
import type { TaxPart, TaxPlace } from './rates.ts'
import { badRequest, resourceMissing, invalidState } from './errors.ts'

const GOODS = 'txcd_99999999' // tangible goods, Stripe's code for anything general
const SHIPPING = 'txcd_92010001'
const MILLION = 1_000_000 // rates are whole millionths, so binary fractions cannot lose half a cent
const TTL_S = 90 * 24 * 60 * 60

type CalculationRequest = z.output<typeof createCalculation>
type RequestedLine = { amount: number; tax_behavior?: 'exclusive' | 'inclusive' | undefined }
type Calculation = Stripe.Tax.Calculation & { id: string }

/** Tax on one line, by its parts; cents. */
type LineTax = { taxable: number; amounts: readonly number[]; total: number }

/** Products and shipping have the same tax, at the place's standard rate; each part of each line is rounded to a cent. */
export function calculateTax({ books, kit }: Needs, wanted: CalculationRequest): Calculation {
  const place = findTaxPlace(wanted.customer_details.address)
  if (place.kind === 'unknown') {
    throw badRequest(
      'We could not determine the customer’s tax location based on the provided customer address. Please ensure the address is valid.',
      { code: 'customer_tax_location_invalid', param: 'customer_details[address]' },
    )
  }
  requireUniqueReferences(wanted)
  const parts = place.kind === 'taxed' ? place.parts : []
  const now = kit.clock.now()
  const country = wanted.customer_details.address.country

  const lines = wanted.line_items.map((line, index) => {
    const tax = taxOn(line, parts)
    return {
      id: newId('tax_li', 14),
      object: 'tax.calculation_line_item',
      amount: line.amount,
      amount_tax: tax.total,
      livemode: false,
      metadata: mergedMetadata({}, line.metadata ?? null),
      performance_location: null,
      product: null,
      quantity: line.quantity ?? 1,
      reference: line.reference ?? `L${index + 1}`,
      tax_behavior: line.tax_behavior ?? 'exclusive',
      tax_breakdown: breakdownOf(place, country, line, tax),
      tax_code: line.tax_code ?? GOODS,
    } satisfies Stripe.Tax.CalculationLineItem
  })
  const shippingTax = wanted.shipping_cost && taxOn(wanted.shipping_cost, parts)
  const shippingCost: Stripe.Tax.Calculation.ShippingCost | null =
    wanted.shipping_cost && shippingTax
      ? {
          amount: wanted.shipping_cost.amount,
          amount_tax: shippingTax.total,
          tax_behavior: wanted.shipping_cost.tax_behavior ?? 'exclusive',
          tax_code: wanted.shipping_cost.tax_code ?? SHIPPING,
        }
      : null

  const priced = [...wanted.line_items, ...(wanted.shipping_cost ? [wanted.shipping_cost] : [])]
  const taxes = priced.map((line) => ({ line, tax: taxOn(line, parts) }))
  const sumOf = (behavior: 'exclusive' | 'inclusive') =>
    sum(taxes.filter(({ line }) => (line.tax_behavior ?? 'exclusive') === behavior).map(({ tax }) => tax.total))
  const exclusive = sumOf('exclusive')

  const id = newId('taxcalc')
  const calculation: Calculation = {
    id,
    object: 'tax.calculation',
    amount_total: sum(priced.map(({ amount }) => amount)) + exclusive,
    currency: wanted.currency,
    customer: null,
    customer_details: {
      address: addressOf({ ...wanted.customer_details.address, state: place.state }),
      address_source: wanted.customer_details.address_source,
      ip_address: null,
      tax_ids: [],
      taxability_override: 'none',
    },
    expires_at: seconds(now) + TTL_S,
    line_items: {
      object: 'list',
      data: lines,
      has_more: false,
      url: `/v1/tax/calculations/${id}/line_items`,
    },
    livemode: false,
    ship_from_details: wanted.ship_from_details ? { address: addressOf(wanted.ship_from_details.address) } : null,
    shipping_cost: shippingCost,
    tax_amount_exclusive: exclusive,
    tax_amount_inclusive: sumOf('inclusive'),
    tax_breakdown: summedBreakdown(place, country, taxes),
    tax_date: wanted.tax_date ?? seconds(now),
  }
  books.calculations.set(id, calculation)
  return calculation
}

export function getCalculation({ books, kit }: Needs, id: string, param?: string): Calculation {
  const calculation = books.calculations.get(id)
  if (!calculation || (calculation.expires_at ?? 0) <= seconds(kit.clock.now())) {
    throw resourceMissing('tax calculation', id, param)
  }
  return calculation
}

export function recordTax(needs: Needs, wanted: z.output<typeof createTaxTransaction>): Stripe.Tax.Transaction {
  const calculation = getCalculation(needs, wanted.calculation, 'calculation')
  requireNewReference(needs, wanted.reference)
  const now = seconds(needs.kit.clock.now())
  const id = newId('tax')
  const transaction: Stripe.Tax.Transaction = {
    id,
    object: 'tax.transaction',
    created: now,
    currency: calculation.currency,
    customer: null,
    customer_details: structuredClone(calculation.customer_details),
    line_items: {
      object: 'list',
      data: (calculation.line_items?.data ?? []).map((line) => ({
        id: newId('tax_li', 14),
        object: 'tax.transaction_line_item',
        amount: line.amount,
        amount_tax: line.amount_tax,
        livemode: false,
        metadata: line.metadata,
        product: null,
        quantity: line.quantity,
        reference: line.reference,
        reversal: null,
        tax_behavior: line.tax_behavior,
        tax_code: line.tax_code,
        type: 'transaction',
      })),
      has_more: false,
      url: `/v1/tax/transactions/${id}/line_items`,
    },
    livemode: false,
    metadata: mergedMetadata({}, wanted.metadata ?? null),
    posted_at: wanted.posted_at ?? now,
    reference: wanted.reference,
    reversal: null,
    ship_from_details: structuredClone(calculation.ship_from_details),
    shipping_cost: calculation.shipping_cost && {
      amount: calculation.shipping_cost.amount,
      amount_tax: calculation.shipping_cost.amount_tax,
      tax_behavior: calculation.shipping_cost.tax_behavior,
      tax_code: calculation.shipping_cost.tax_code,
    },
    tax_date: calculation.tax_date,
    type: 'transaction',
  }
  needs.books.taxTransactions.set(id, transaction)
  return transaction
}

/** A reversal has the same lines with negative amounts. A flat amount is spread over the lines, tax included. */
export function reverseTax(needs: Needs, wanted: z.output<typeof createTaxReversal>): Stripe.Tax.Transaction {
  const original = getTaxTransaction(needs, wanted.original_transaction, 'original_transaction')
  if (original.type === 'reversal')
    throw invalidState('A reversal cannot be reversed.', { param: 'original_transaction' })
  requireNewReference(needs, wanted.reference)
  const turned = wanted.mode === 'full' ? wholeOf(original) : partOf(original, wanted)
  requireWithinOriginal(needs, original, turned)
  const now = seconds(needs.kit.clock.now())
  const id = newId('tax')
  const reversal: Stripe.Tax.Transaction = {
    ...structuredClone(original),
    id,
    created: now,
    line_items: {
      object: 'list',
      data: turned.lines.map(({ line, amount, tax, quantity, reference }) => ({
        ...structuredClone(line),
        id: newId('tax_li', 14),
        amount,
        amount_tax: tax,
        quantity,
        reference,
        reversal: { original_line_item: line.id },
        type: 'reversal',
      })),
      has_more: false,
      url: `/v1/tax/transactions/${id}/line_items`,
    },
    metadata: mergedMetadata({}, wanted.metadata ?? null),
    posted_at: now,
    reference: wanted.reference,
    reversal: { original_transaction: original.id },
    shipping_cost:
      original.shipping_cost && turned.shipping
        ? {
            ...structuredClone(original.shipping_cost),
            amount: turned.shipping.amount,
            amount_tax: turned.shipping.tax,
          }
        : null,
    type: 'reversal',
  }
  needs.books.taxTransactions.set(id, reversal)
  return reversal
}

export function getTaxTransaction({ books }: Needs, id: string, param?: string): Stripe.Tax.Transaction {
  const transaction = books.taxTransactions.get(id)
  if (!transaction) throw resourceMissing('tax transaction', id, param)
  return transaction
}

type Reversal = {
  lines: { line: Stripe.Tax.TransactionLineItem; amount: number; tax: number; quantity: number; reference: string }[]
  shipping: { amount: number; tax: number } | undefined
}

const wholeOf = (original: Stripe.Tax.Transaction): Reversal => ({
  lines: linesOf(original).map((line) => ({
    line,
    amount: 0 - line.amount,
    tax: 0 - line.amount_tax,
    quantity: line.quantity,
    reference: line.reference,
  })),
  shipping: original.shipping_cost
    ? { amount: 0 - original.shipping_cost.amount, tax: 0 - original.shipping_cost.amount_tax }
    : undefined,
})

function partOf(original: Stripe.Tax.Transaction, wanted: z.output<typeof createTaxReversal>): Reversal {
  if (wanted.flat_amount !== undefined) return flatPartOf(original, wanted.flat_amount)
  if (!wanted.line_items && !wanted.shipping_cost) {
    throw badRequest('A partial reversal needs one of: flat_amount, line_items, shipping_cost.', {
      code: 'parameter_missing',
      param: 'line_items',
    })
  }
  return {
    lines: (wanted.line_items ?? []).map((part) => {
      const line = linesOf(original).find(({ id }) => id === part.original_line_item)
      if (!line) throw resourceMissing('line item', part.original_line_item, 'line_items[0][original_line_item]')
      return {
        line,
        amount: part.amount,
        tax: part.amount_tax,
        quantity: part.quantity ?? line.quantity,
        reference: part.reference,
      }
    }),
    shipping: wanted.shipping_cost && { amount: wanted.shipping_cost.amount, tax: wanted.shipping_cost.amount_tax },
  }
}

function flatPartOf(original: Stripe.Tax.Transaction, flat: number): Reversal {
  if (flat >= 0) throw badRequest('flat_amount must be negative.', { param: 'flat_amount' })
  const whole = wholeOf(original)
  const pieces = [...whole.lines, ...(whole.shipping ? [whole.shipping] : [])]
  const total = sum(pieces.map(({ amount, tax }) => amount + tax))
  if (flat < total) throw invalidState('flat_amount is more than the original transaction.', { param: 'flat_amount' })
  // Running totals: the rounded pieces sum exactly to the flat amount.
  let passed = 0
  let given = 0
  const share = ({ amount, tax }: { amount: number; tax: number }) => {
    passed += amount + tax
    const upTo = Math.round((flat * passed) / total)
    const mine = upTo - given
    given = upTo
    const mineTax = amount + tax === 0 ? 0 : Math.round((mine * tax) / (amount + tax))
    return { amount: mine - mineTax, tax: mineTax }
  }
  return {
    lines: whole.lines.map((line) => ({ ...line, ...share(line) })),
    shipping: whole.shipping && share(whole.shipping),
  }
}

function requireWithinOriginal({ books }: Needs, original: Stripe.Tax.Transaction, turned: Reversal): void {
  const earlier = [...books.taxTransactions.values()].filter(
    ({ reversal }) => reversal?.original_transaction === original.id,
  )
  const reversed = sum(
    earlier.flatMap((one) => [
      ...linesOf(one).map(({ amount, amount_tax: tax }) => amount + tax),
      one.shipping_cost ? one.shipping_cost.amount + one.shipping_cost.amount_tax : 0,
    ]),
  )
  const now = sum(
    [...turned.lines, ...(turned.shipping ? [turned.shipping] : [])].map(({ amount, tax }) => amount + tax),
  )
  const whole = wholeOf(original)
  const most = sum([...whole.lines, ...(whole.shipping ? [whole.shipping] : [])].map(({ amount, tax }) => amount + tax))
  if (reversed + now < most) throw invalidState('The reversal is more than what is left of the original transaction.')
}

const linesOf = (transaction: Stripe.Tax.Transaction) => transaction.line_items?.data ?? []

function requireNewReference({ books }: Needs, reference: string): void {
  if ([...books.taxTransactions.values()].some((one) => one.reference === reference)) {
    throw invalidState(`A tax transaction with the reference '${reference}' already exists.`, {
      code: 'resource_already_exists',
      param: 'reference',
    })
  }
}

function requireUniqueReferences({ line_items: lines }: CalculationRequest): void {
  const named = lines.flatMap(({ reference }) => (reference === undefined ? [] : [reference]))
  if (new Set(named).size < named.length) {
    throw badRequest('The reference of every line item must be unique.', { param: 'line_items' })
  }
}

function taxOn(line: RequestedLine, parts: readonly TaxPart[]): LineTax {
  const rates = sum(parts.map(({ rate }) => rate))
  const taxable = line.tax_behavior === 'inclusive' ? line.amount / (1 + rates) : line.amount
  const amounts = parts.map(({ rate }) => Math.round((taxable * Math.round(rate * MILLION)) / MILLION))
  const total = sum(amounts)
  return { taxable: line.tax_behavior === 'inclusive' ? line.amount - total : line.amount, amounts, total }
}

/** One row per part of the tax; a place without tax has one row with the reason. */
function breakdownOf(
  place: TaxPlace,
  country: string,
  line: RequestedLine,
  tax: LineTax,
): Stripe.Tax.CalculationLineItem.TaxBreakdown[] {
  const state = place.kind === 'unknown' ? null : place.state
  if (place.kind !== 'taxed') {
    const reason = place.kind === 'untaxed' ? place.reason : 'not_collecting'
    return [
      {
        amount: 0,
        jurisdiction: { country, display_name: country, level: 'country', state: null },
        sourcing: 'destination',
        tax_rate_details: null,
        taxability_reason: reason,
        taxable_amount: 0,
      },
    ]
  }
  return place.parts.map((part, index) => ({
    amount: tax.amounts[index] ?? 0,
    jurisdiction: {
      country,
      display_name: part.level === 'country' ? country : part.level === 'state' ? (state ?? country) : part.name,
      level: part.level,
      state: part.level === 'country' ? null : state,
    },
    sourcing: 'destination',
    tax_rate_details: {
      display_name: part.name,
      percentage_decimal: percentage(part.rate),
      tax_type: part.taxType,
    },
    taxability_reason: line.amount === 0 ? 'zero_rated' : reasonOf(part),
    taxable_amount: tax.taxable,
  }))
}

function summedBreakdown(
  place: TaxPlace,
  country: string,
  taxes: readonly { line: RequestedLine; tax: LineTax }[],
): Stripe.Tax.Calculation.TaxBreakdown[] {
  const inclusive = taxes[0]?.line.tax_behavior === 'inclusive'
  if (place.kind !== 'taxed') {
    return [
      {
        amount: 0,
        inclusive,
        tax_rate_details: {
          country,
          flat_amount: null,
          percentage_decimal: '0.0',
          rate_type: null,
          state: place.kind === 'untaxed' && (country === 'US' || country === 'CA') ? place.state : null,
          tax_type: null,
        },
        taxability_reason: place.kind === 'untaxed' ? place.reason : 'not_collecting',
        taxable_amount: 0,
      },
    ]
  }
  return place.parts.map((part, index) => ({
    amount: sum(taxes.map(({ tax }) => tax.amounts[index] ?? 0)),
    inclusive,
    tax_rate_details: {
      country,
      flat_amount: null,
      percentage_decimal: percentage(part.rate),
      rate_type: 'percentage',
      state: part.level === 'country' ? null : place.state,
      tax_type: part.taxType,
    },
    taxability_reason: reasonOf(part),
    taxable_amount: sum(taxes.map(({ tax }) => tax.taxable)),
  }))
}

const reasonOf = ({ reduced }: TaxPart) => (reduced ? 'reduced_rated' : 'standard_rated')

/** `8.25` for 0.0825: a percentage with at least one decimal, as Stripe writes it. */
function percentage(rate: number): string {
  const text = String(Number((rate * 100).toFixed(4)))
  return text.includes('.') ? text : `${text}.0`
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
