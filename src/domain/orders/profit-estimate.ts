import { marginOfSale, paymentFees } from '#domain/catalog/margin.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { minus, plus, share, sum, times, ZERO, type Cents } from '#shared/money.ts'

/** @property cost of one piece, at the printer; null if unknown @property shipping of one piece sent alone */
export type EstimatedLine = { quantity: number; cost: Cents | null; shipping: Cents }

type Sold = { subtotal: Cents; shipping: Cents; surcharge: Cents; tax: Cents; vatProtection: Cents }

/** A further piece in the same parcel costs about a third of the first (printful.com/shipping, 2026). */
const FURTHER_PIECE = 3500

/** What a parcel costs the shop: the dearest piece whole, the others in part. */
function shippingOf(lines: readonly EstimatedLine[]): Cents {
  const [first = ZERO, ...others] = lines
    .flatMap(({ quantity, shipping }) => Array.from({ length: quantity }, () => shipping))
    .toSorted((a, b) => b - a)
  return plus(first, share(sum(others), FURTHER_PIECE))
}

/**
 * What an order is expected to leave, by what is known when it is paid. The printer taxes its bill at the rate that the shopper paid.
 * @param commission as booked
 * @returns null while a cost is unknown
 */
export function estimateProfit(
  lines: readonly EstimatedLine[],
  { subtotal, shipping, surcharge, tax, vatProtection }: Sold,
  provider: PaymentProvider,
  commission: Cents,
): Cents | null {
  const costs = lines.flatMap(({ cost, quantity }) => (cost === null ? [] : times(cost, quantity)))
  if (costs.length < lines.length) return null
  const shippingCharged = minus(shipping, surcharge)
  const printCost = sum(costs)
  const shippingPaid = shippingCharged > ZERO ? shippingCharged : shippingOf(lines)
  return marginOfSale({
    ...{ price: subtotal, surcharge, shippingCharged, vatProtection, tax, commission },
    ...{ printCost, shippingPaid, fee: paymentFees[provider] },
    printerTax:
      vatProtection > ZERO ? vatProtection : taxAlike(tax, plus(subtotal, shipping), plus(printCost, shippingPaid)),
  })
}

/** The tax of a bill at the rate of a sale. */
function taxAlike(tax: Cents, sold: Cents, bill: Cents): Cents {
  if (sold <= ZERO) return ZERO
  return share(bill, Math.round((tax / sold) * WHOLE))
}
const WHOLE = 10_000
