import type { CorrectedAddress } from '#contract/orders.ts'
import { normalizeAddress, validateAddress, type Address } from '#domain/checkout/address.ts'
import { ESTIMATED_SHIPPING_NOTICE, type PricedLine } from '#domain/checkout/quote.ts'
import type { Discount } from '#domain/codes/discount.ts'
import { taxEvidenceOf } from '#domain/checkout/tax-evidence.ts'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import {
  changedLines,
  cheaperLines,
  isWaived,
  moneyOfChange,
  partsOfAmounts,
  type ChangePlan,
  type LinesWish,
  type MoneyOfChange,
  type OrderedLine,
} from '#domain/orders/change.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { changedTaxRegion } from '#domain/orders/correction.ts'
import type { VariantId } from '#shared/ids.ts'
import { cents, ZERO, type Cents } from '#shared/money.ts'
import { piecesToday } from '#server/catalog/catalog.ts'
import { quoteCheckout, refuseRestricted, type PricingNeeds } from '#server/checkout/pricing.ts'
import { isInDrop, listEditions } from '#server/drops/drops.ts'
import { Refusal } from '#server/http/refusal.ts'
import { amountsOf, isSale, listLinesEver, partsOfOrder, type Order, type OrderLine } from '#server/orders/orders.ts'
import { listOrderRefunds } from '#server/orders/refunds.ts'
import type { Needs } from '#server/shop.ts'

/** What somebody wants changed; what is missing stays. Emails are changed by `correctEmail`. */
export type OrderWish = {
  recipient?: CorrectedAddress | undefined
  phone?: string | null | undefined
  lines?: LinesWish | undefined
}

/** `waived`: a difference too small to be charged, which the shop bears by a lower price. */
export type PlannedChange = MoneyOfChange & { plan: ChangePlan; before: OrderedLine[]; waived: Cents }

const LIMITED =
  'Limited pieces can’t be exchanged, because each has its number. Cancel the order instead, or keep them as they are.'

const PARTLY_REFUNDED =
  'Part of this order was refunded, so its items and price can’t change. Refund the rest and place a new order instead.'

/**
 * Computes an order as it would be, with the one quote of the shop. Pieces that stay keep their price; shipping, surcharges and tax
 * are computed again, as of today, only if the goods or the region of the tax differ. Calls providers; changes nothing.
 * @throws Refusal `invalid` with a sentence for each field; `change_refused` with the reason; as the checkout for an address or country
 */
export async function planChange(
  shop: PricingNeeds & Needs<'clock'>,
  order: Order,
  wish: OrderWish,
): Promise<PlannedChange> {
  const ever = await listLinesEver(shop.db, order.id)
  const before = ever.filter(({ quantity }) => quantity > 0).map(toOrderedLine)
  const wanted = wish.lines
  const today = await piecesToday(shop.db, [
    ...before.map(({ variantId }) => variantId),
    ...[...(wanted?.changed ?? []), ...(wanted?.added ?? [])].map(({ variantId }) => variantId),
  ])
  const free = Math.max(...ever.map(({ position }) => position)) + 1
  const changed = wanted ? changedLines(before, wanted, today, free) : { lines: before }
  if (changed.objection !== undefined) throw new Refusal('change_refused', { reason: changed.objection })
  if (wanted && (await touchesDrop(shop, order, before, changed.lines)))
    throw new Refusal('change_refused', { reason: LIMITED })
  // Without a payment, everything is free.
  const lines = isSale(order) ? changed.lines : changed.lines.map((line) => ({ ...line, unitPrice: ZERO }))
  const recipient = recipientIn(order, wish)
  const isSamePrice = isSameGoods(before, lines) && !changedTaxRegion(order.shippingAddress, recipient.address)
  const isPriced = isSale(order) && !isSamePrice
  const moneyOf = (amounts: ChangePlan['amounts']) => moneyOfChange(partsOfOrder(order), partsOfAmounts(amounts))
  const price = async (priced: readonly OrderedLine[]) => ({
    lines: [...priced],
    ...(await quoteAgain(shop, pricedLines(priced, today), recipient.address, order.discounts)),
  })
  let priced = isPriced ? await price(lines) : undefined
  const waived = priced ? moneyOf(priced.amounts).difference : ZERO
  for (let round = 0; priced && isWaived(waived) && round < WAIVER_ROUNDS; round += 1) {
    const { difference } = moneyOf(priced.amounts)
    const cheaper = difference > ZERO && cheaperLines(priced.lines, before, withoutTax(difference, priced.amounts))
    if (!cheaper) break
    priced = await price(cheaper)
  }
  if (!isSale(order) && recipient.address.country !== order.shippingAddress.country)
    refuseRestricted(recipient.address.country, pricedLines(lines, today))
  const plan = { lines, recipient, amounts: amountsOf(order), taxEvidence: null, ...priced }
  const money = moneyOf(plan.amounts)
  if (isWaived(money.difference)) throw new Refusal('change_refused', { reason: TOO_LITTLE })
  if (isPriced && (await listOrderRefunds(shop.db, order.id)).some(({ status }) => status !== 'failed'))
    throw new Refusal('change_refused', { reason: PARTLY_REFUNDED })
  return { ...money, plan, before, waived: isWaived(waived) ? waived : ZERO }
}

/** Whether numbered pieces, or goods that are sold in a drop, would be added, removed or exchanged. */
async function touchesDrop(
  { db, clock }: Needs<'db' | 'clock'>,
  order: Order,
  before: readonly OrderedLine[],
  after: readonly OrderedLine[],
): Promise<boolean> {
  const isSame = (a: OrderedLine, b: OrderedLine) =>
    a.position === b.position && a.variantId === b.variantId && a.quantity === b.quantity
  const differs = (lines: readonly OrderedLine[], others: readonly OrderedLine[]) =>
    lines.filter((line) => !others.some((other) => isSame(line, other)))
  const numbered = new Set((await listEditions(db, order.id)).map(({ position }) => position))
  if (differs(before, after).some(({ position }) => numbered.has(position))) return true
  return isSale(order) && isInDrop(db, differs(after, before), clock.now())
}

/** Tax on the lower price is lower too, and may be rounded: a second round covers a cent that is left. */
const WAIVER_ROUNDS = 3
const TOO_LITTLE = 'The difference is too small for a card, and nothing in the order costs enough to bear it.'

/** The part of an amount that is no tax, rounded up. */
const withoutTax = (amount: Cents, { total, tax, vatProtection }: ChangePlan['amounts']): Cents =>
  total === ZERO ? amount : cents(Math.ceil((amount * (total - tax - vatProtection)) / total))

export const toOrderedLine = ({ orderId: _order, partnerCostCents: _cost, ...line }: OrderLine): OrderedLine => line

/** Another size or color at the same price is taxed and shipped the same. */
function isSameGoods(before: readonly OrderedLine[], after: readonly OrderedLine[]): boolean {
  const text = (lines: readonly OrderedLine[]) =>
    JSON.stringify(
      lines.map(({ position, productId, quantity, unitPrice }) => [position, productId, quantity, unitPrice]),
    )
  return text(before) === text(after)
}

function pricedLines(lines: readonly OrderedLine[], today: Awaited<ReturnType<typeof piecesToday>>): PricedLine[] {
  const metadataOf = (variantId: VariantId, productName: string) => {
    const piece = today.get(variantId)
    if (piece) return piece.metadata
    throw new Refusal('change_refused', {
      reason: `${productName} is no longer in the catalog, so its shipping and tax can’t be computed again.`,
    })
  }
  return lines.map(({ position: _position, ...line }) => ({
    ...line,
    metadata: metadataOf(line.variantId, line.productName),
  }))
}

async function quoteAgain(
  shop: PricingNeeds & Needs<'clock'>,
  lines: PricedLine[],
  address: Address,
  discounts: Discount[],
) {
  const priced = await quoteCheckout(shop, lines, address, 'shippingAddress', discounts)
  const { quote, taxCalculationId, taxBasis } = priced
  const isUnknown =
    taxBasis.source === 'unavailable' ||
    taxBasis.vatProtection === 'unavailable' ||
    quote.notices.includes(ESTIMATED_SHIPPING_NOTICE)
  // An estimate is good enough for a sale, but not for asking for more or giving some back.
  if (isUnknown) throw new Refusal('provider_unavailable')
  const { subtotal, shipping, tax, vatProtection, total, shippingMethod, shippingSurcharges } = quote
  return {
    amounts: { subtotal, shipping, tax, vatProtection, total, shippingMethod, shippingSurcharges },
    taxEvidence: taxEvidenceOf({ quote, shippingAddress: address, taxCalculationId, taxBasis }, shop.clock.now()),
  }
}

function recipientIn(order: Order, { recipient, phone }: OrderWish): ChangePlan['recipient'] {
  const { customerPhone, taxNumber, shippingAddress } = order
  return {
    name: recipient?.name ?? recipientNameOf(order),
    phone: phone === undefined ? customerPhone : phone,
    taxNumber: recipient ? taxNumberIn(recipient, order) : taxNumber,
    address: recipient ? addressIn(recipient) : shippingAddress,
  }
}

/** Applies the checkout's rules. @throws Refusal `invalid` */
export function addressIn({ shippingAddress }: Pick<CorrectedAddress, 'shippingAddress'>): Address {
  const objections = validateAddress(shippingAddress)
  if (objections.length === 0) return normalizeAddress(shippingAddress)
  throw new Refusal(
    'invalid',
    {},
    Object.fromEntries(objections.map(({ field, sentence }) => [`shippingAddress.${field}`, sentence])),
  )
}

/** @throws Refusal `invalid` */
function taxNumberIn({ shippingAddress, tax_number: typed }: CorrectedAddress, order: Order): string | null {
  if (!asksForTaxNumber(shippingAddress.country)) return null
  // Asked for only once: a correction in the same country leaves the number as it is.
  if (!typed && asksForTaxNumber(order.shippingAddress.country)) return order.taxNumber
  const objection = taxNumberObjection(typed ?? '')
  if (objection) throw new Refusal('invalid', {}, { tax_number: objection })
  return taxNumberFrom(typed ?? '') ?? null
}
