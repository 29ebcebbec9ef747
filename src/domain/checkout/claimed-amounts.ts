import type { Cents } from '#shared/money.ts'
import { toCartLines } from '#domain/codes/discount.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import type { PricedLine, Quote } from './quote.ts'

/** Amounts as the browser claims them. All optional; only compared, never charged. */
export type ClaimedAmounts = {
  subtotal?: number | undefined
  shippingCost?: number | undefined
  amount?: number | undefined
  orderSummary?:
    | {
        subtotal?: number | undefined
        shipping?: number | undefined
        tax?: number | undefined
        vatProtection?: number | undefined
        total?: number | undefined
      }
    | undefined
  cartItems?: readonly ClaimedItem[] | undefined
}

type ClaimedItem = {
  productId?: number | string | undefined
  variantId?: number | string | null | undefined
  productName?: string | undefined
  variantName?: string | null | undefined
  quantity: number
  unitPrice: number | undefined
}

/** Whether the browser saw amounts, quantities or prices that differ from what would be charged. */
export function differsFromQuote(believed: ClaimedAmounts, quote: Quote, lines: readonly PricedLine[]): boolean {
  const { orderSummary, cartItems } = believed
  const cart = toCartLines(lines)
  const amounts: [number | undefined, Cents][] = [
    [believed.subtotal, quote.subtotal],
    [believed.shippingCost, quote.shipping],
    [believed.amount, toPayOf(quote)],
    [orderSummary?.subtotal, quote.subtotal],
    [orderSummary?.shipping, quote.shipping],
    [orderSummary?.tax, quote.tax],
    [orderSummary?.vatProtection, quote.vatProtection],
    [orderSummary?.total, toPayOf(quote)],
  ]
  if (amounts.some(([seen, charged]) => seen !== undefined && seen !== charged)) return true
  if (!cartItems) return false
  if (cartItems.length !== cart.length) return true
  return cartItems.some((item) => {
    const line = cart.find((candidate) => isSame(item, candidate))
    return (
      !line || item.quantity !== line.quantity || (item.unitPrice !== undefined && item.unitPrice !== line.unitPrice)
    )
  })
}

/** The main checkout sends no variant id, so product and variant name identify a line. */
function isSame(item: ClaimedItem, line: PricedLine): boolean {
  if (item.variantId !== undefined && item.variantId !== null) return String(item.variantId) === String(line.variantId)
  const product =
    item.productId === undefined
      ? item.productName === line.productName
      : String(item.productId) === String(line.productId)
  return product && (item.variantName === undefined || (item.variantName ?? null) === line.variantName)
}
