import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { cartTotal } from '#domain/cart/cart.ts'
import { taxLabelOf } from '#domain/checkout/quote.ts'
import { cents, plus, sum, ZERO, type Cents } from '#kernel/money.ts'
import type { Answer } from '#web/api/client.ts'

/** Charged nowhere: what the page shows while the shop's own figure cannot be had (specification, section 8). */
const FALLBACK_SHIPPING: Cents = cents(599)
const FALLBACK_METHOD = 'Standard shipping'

/** The order summary out of the two preview calls. */
export function summaryFrom(
  lines: readonly CartLine[],
  shipping: Answer<'POST /api/calculate-shipping'>,
  taxes: Answer<'POST /api/calculate-taxes'>,
): OrderSummary {
  const subtotal = cartTotal(lines)
  return {
    subtotal,
    shipping: shipping.cost,
    tax: taxes.tax_amount,
    taxLabel: taxes.tax_label,
    vatProtection: taxes.vat_protection,
    total: sum([subtotal, shipping.cost, taxes.tax_amount, taxes.vat_protection]),
    taxBreakdown: taxes.tax_breakdown,
    shippingSurcharges: shipping.shipping_surcharges,
    surchargeDisclosures: shipping.surcharge_disclosures,
    shippingMethod: shipping.method,
    notices: shipping.notices,
  }
}

/** The estimate that stands in when the preview calls fail. */
export function fallbackSummary(lines: readonly CartLine[], country: string): OrderSummary {
  const subtotal = cartTotal(lines)
  return {
    subtotal,
    shipping: FALLBACK_SHIPPING,
    tax: ZERO,
    taxLabel: taxLabelOf(country),
    vatProtection: ZERO,
    total: plus(subtotal, FALLBACK_SHIPPING),
    taxBreakdown: [],
    shippingSurcharges: [],
    surchargeDisclosures: [],
    shippingMethod: FALLBACK_METHOD,
    notices: [],
  }
}

/** A cent of rounding is not worth a line (specification, section 9). */
export const showsVatProtection = ({ vatProtection }: OrderSummary): boolean => vatProtection > 1

/** The cart as requests carry it: compared by the shop, never used. */
export const wireItems = (lines: readonly CartLine[]) =>
  lines.map(({ productId, variantId, productName, variantName, quantity, price }) => ({
    productId,
    variantId,
    productName,
    variantName,
    quantity,
    price,
  }))

/** The fresh summary that comes with `summary_changed`; undefined when the answer holds none. */
export const isSummary = (value: unknown): value is OrderSummary =>
  typeof value === 'object' &&
  value !== null &&
  ['subtotal', 'shipping', 'tax', 'vatProtection', 'total'].every((name) =>
    Number.isSafeInteger((value as Record<string, unknown>)[name]),
  ) &&
  ['taxBreakdown', 'shippingSurcharges', 'surchargeDisclosures', 'notices'].every((name) =>
    Array.isArray((value as Record<string, unknown>)[name]),
  )
