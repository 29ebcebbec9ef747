import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import type { WireQuote } from '#contract/quote.ts'
import { freeMethodOf, STANDARD_SHIPPING, taxLabelOf } from '#domain/checkout/quote.ts'
import { minus, plus, ZERO } from '#shared/money.ts'
import type { Answer } from '#web/api/client.ts'
import { cartTotal } from '#web/cart/cart-total.ts'

/** Combines the two preview calls. */
export function summaryFrom(
  shipping: Answer<'POST /api/calculate-shipping'>,
  taxes: Answer<'POST /api/calculate-taxes'>,
): OrderSummary {
  const { quote } = taxes
  return {
    ...usualSummary(quote),
    total: minus(quote.total, quote.giftCard?.amount ?? ZERO),
    taxBreakdown: taxes.tax_breakdown,
    shippingSurcharges: shipping.shipping_surcharges,
    surchargeDisclosures: shipping.surcharge_disclosures,
    shippingMethod: shipping.method,
    minimumAge: shipping.minimum_age,
    notices: [...shipping.notices, ...taxes.notices],
  }
}

/** As usual for a country, before the address is complete. */
export const usualSummary = (quote: WireQuote): OrderSummary => ({
  ...quote,
  subtotal: minus(quote.goods, quote.discount),
  taxName: quote.taxName ?? undefined,
  taxBreakdown: [],
  shippingSurcharges: [],
  surchargeDisclosures: [],
  shippingMethod: freeMethodOf(quote),
  minimumAge: null,
  notices: quote.collectedAtDelivery && quote.left ? [quote.left] : [],
})

/** The estimate shown when the preview calls fail (specification, section 8); never charged. */
export function fallbackSummary(lines: readonly CartLine[], country: string): OrderSummary {
  const subtotal = cartTotal(lines)
  return {
    subtotal,
    shipping: STANDARD_SHIPPING.cost,
    tax: ZERO,
    taxLabel: taxLabelOf(country),
    vatProtection: ZERO,
    total: plus(subtotal, STANDARD_SHIPPING.cost),
    taxBreakdown: [],
    shippingSurcharges: [],
    surchargeDisclosures: [],
    shippingMethod: STANDARD_SHIPPING.method,
    minimumAge: null,
    notices: [],
  }
}

/** The server only compares these lines with its cart. */
export const wireItems = (lines: readonly CartLine[]) =>
  lines.map(({ productId, variantId, productName, variantName, quantity, price }) => ({
    productId,
    variantId,
    productName,
    variantName,
    quantity,
    price,
  }))

/** Checks the summary of a `summary_changed` refusal. */
export const isSummary = (value: unknown): value is OrderSummary =>
  typeof value === 'object' &&
  value !== null &&
  ['subtotal', 'shipping', 'tax', 'vatProtection', 'total'].every((name) =>
    Number.isSafeInteger((value as Record<string, unknown>)[name]),
  ) &&
  ['taxBreakdown', 'shippingSurcharges', 'surchargeDisclosures', 'notices'].every((name) =>
    Array.isArray((value as Record<string, unknown>)[name]),
  )
