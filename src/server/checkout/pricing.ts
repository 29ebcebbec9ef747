import type { Address } from '#domain/checkout/address.ts'
import { quoteFor, restrictionAt, shippingTo, type PricedLine, type Quote } from '#domain/checkout/quote.ts'
import type { SessionId } from '#kernel/ids.ts'
import { wishesOf } from '#server/cart/cart.ts'
import { linesAtTodaysPrices } from '#server/catalogue/catalogue.ts'
import { Refused } from '#server/http/refused.ts'
import type { Needs } from '#server/shop.ts'
import { taxOn } from './tax.ts'

type Pricing = Needs<'db' | 'stripe' | 'log'>

/** The cart's lines at today's catalogue. @throws Refused `cart_empty`, or what the catalogue no longer sells */
export async function linesOfCart({ db }: Needs<'db'>, sessionId: SessionId | undefined): Promise<PricedLine[]> {
  const wishes = sessionId ? await wishesOf(db, sessionId) : []
  if (!wishes.length) throw new Refused('cart_empty')
  return linesAtTodaysPrices(db, wishes)
}

/** @throws Refused when a product may not be sent there */
export function refuseRestricted(country: string, lines: readonly PricedLine[]): void {
  const objection = restrictionAt(country, lines)
  if (objection) throw new Refused('country_blocked', objection)
}

/** Shipping, surcharges, tax and total for lines and an address, now. Asks the tax source; holds no database connection meanwhile. */
export async function quote(
  shop: Pricing,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
): Promise<{ quote: Quote; taxCalculationId: string | null }> {
  refuseRestricted(address.country, lines)
  const tax = await taxOn(shop, lines, shippingTo(address.country, lines).cost, address, field)
  return { quote: quoteFor(address.country, lines, tax), taxCalculationId: tax.calculationId }
}
