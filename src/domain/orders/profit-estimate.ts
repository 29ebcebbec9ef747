import { marginOfSale, paymentFees } from '#domain/catalog/margin.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { minus, plus, share, sum, times, ZERO, type Cents } from '#shared/money.ts'

/** @property cost of one piece, at the printer; null if unknown @property shipping of one piece sent alone */
export type EstimatedLine = { quantity: number; cost: Cents | null; shipping: Cents }

type Sold = { subtotal: Cents; shipping: Cents; surcharge: Cents; tax: Cents; vatProtection: Cents }

/** A further piece in the same parcel costs about a third of the first (printful.com/shipping, 2026). */
const FURTHER_PIECE = 3500

/** What a parcel costs the shop: the dearest piece whole, the others in part. */
export function shippingOf(lines: readonly EstimatedLine[]): Cents {
  const [first = ZERO, ...others] = lines
    .flatMap(({ quantity, shipping }) => Array.from({ length: quantity }, () => shipping))
    .toSorted((a, b) => b - a)
  return plus(first, share(sum(others), FURTHER_PIECE))
}

/** @property total of the others */
type Bill = { printCost: Cents; shippingPaid: Cents; printerTax: Cents; total: Cents }

/**
 * What the printer is expected to charge for an order. It taxes its bill at the rate that the shopper paid.
 * @returns null while a cost is unknown
 */
export function estimateBill(
  lines: readonly EstimatedLine[],
  { subtotal, shipping, surcharge, tax, vatProtection }: Sold,
): Bill | null {
  const costs = lines.flatMap(({ cost, quantity }) => (cost === null ? [] : times(cost, quantity)))
  if (costs.length < lines.length) return null
  const shippingCharged = minus(shipping, surcharge)
  const printCost = sum(costs)
  const shippingPaid = shippingCharged > ZERO ? shippingCharged : shippingOf(lines)
  const untaxed = plus(printCost, shippingPaid)
  const printerTax = vatProtection > ZERO ? vatProtection : taxAlike(tax, plus(subtotal, shipping), untaxed)
  return { printCost, shippingPaid, printerTax, total: plus(untaxed, printerTax) }
}

/**
 * What an order is expected to leave, by what is known when it is paid.
 * @param commission as booked
 * @returns null while a cost is unknown
 */
export function estimateProfit(
  lines: readonly EstimatedLine[],
  sold: Sold,
  provider: PaymentProvider,
  commission: Cents,
): Cents | null {
  const { subtotal, shipping, surcharge, tax, vatProtection } = sold
  const bill = estimateBill(lines, sold)
  return (
    bill &&
    marginOfSale({
      ...{ price: subtotal, surcharge, shippingCharged: minus(shipping, surcharge), vatProtection, tax, commission },
      ...{ ...bill, fee: paymentFees[provider] },
    })
  )
}

/** The tax of a bill at the rate of a sale. */
function taxAlike(tax: Cents, sold: Cents, bill: Cents): Cents {
  if (sold <= ZERO) return ZERO
  return share(bill, Math.round((tax / sold) * WHOLE))
}
const WHOLE = 10_000
