import { cents, minus, plus, share, sum, ZERO, type Cents } from '#shared/money.ts'
import { surchargeTo, type ProductMetadata } from './metadata.ts'

/** What a payment provider keeps of the amount paid. */
export type PaymentFee = { name: string; basisPoints: number; fixed: Cents }

/**
 * List prices of an account in the United States, in 2026: a domestic card with Stripe (stripe.com/pricing), and PayPal Checkout
 * (paypal.com/us/business/paypal-business-fees). Both add 1.5 % for payers abroad, which no margin counts. Orders book what the
 * provider really kept; before a sale these are the best known.
 */
export const paymentFees = {
  stripe: { name: 'card', basisPoints: 290, fixed: cents(30) },
  paypal: { name: 'PayPal', basisPoints: 349, fixed: cents(49) },
} as const satisfies Record<string, PaymentFee>

/** Everything that decides what is left of a sale. */
export type Sale = {
  /** Of all pieces, before the discount. */
  price: Cents
  discount?: Cents
  surcharge: Cents
  /** What the shopper pays for shipping, without the surcharge. */
  shippingCharged: Cents
  /** What the shopper pays toward the printer's own tax. */
  vatProtection?: Cents
  /** Collected for the state; only the provider's fee depends on it. */
  tax: Cents
  fee: PaymentFee
  printCost: Cents
  /** What the printer charges for sending it. */
  shippingPaid: Cents
  printerTax?: Cents
  commission: Cents
}

/** What is left of a sale, in cents; below zero it costs more than it brings. The only such calculation: everything else calls it. */
export function marginOfSale({
  discount = ZERO,
  vatProtection = ZERO,
  printerTax = ZERO,
  price,
  surcharge,
  shippingCharged,
  tax,
  fee,
  printCost,
  shippingPaid,
  commission,
}: Sale): Cents {
  const income = minus(sum([price, surcharge, shippingCharged, vatProtection]), discount)
  const kept = plus(share(plus(income, tax), fee.basisPoints), fee.fixed)
  return minus(income, sum([printCost, shippingPaid, printerTax, kept, commission]))
}

/** Where the usual sale goes. */
const HOME = 'US'

/**
 * The usual consumption tax of a country, in basis points; the highest combined state and city tax of the United States. Only used
 * because providers take their fee of the tax too. Rates as published for 2026.
 */
const taxRates: Readonly<Record<string, number>> = {
  ...{ AU: 1000, AT: 2000, BE: 2100, BR: 1700, CA: 1500, CZ: 2100, DK: 2500, FI: 2550, FR: 2000, DE: 1900 },
  ...{ GR: 2400, HK: 0, HU: 2700, IE: 2300, IT: 2200, JP: 1000, MX: 1600, NL: 2100, NZ: 1500, NO: 2500 },
  ...{ PL: 2300, PT: 2300, SG: 900, KR: 1000, ES: 2100, SE: 2500, CH: 810, GB: 2000, US: 1000 },
}

/** @property shipping what the printer charges the shop to send one piece there */
export type Destination = { country: string; shipping: Cents }

/** What the margin of one piece depends on besides its price. */
export type MarginBasis = {
  /** What the printer charges for the piece. */
  cost: Cents
  destinations: readonly Destination[]
  /** `free`: the shop pays for shipping. `partner`: the shopper pays the printer's rate. */
  shippingPaidBy: 'free' | 'partner'
  /** The usual partner's share of the price, and the highest that is agreed with anybody; basis points. */
  partnerShares: { usual: number; highest: number }
  /** The least that a sale must leave by the owner's wish. */
  floor: Cents
  /** Surcharges are paid by the shopper; blocked countries are left out. */
  metadata: ProductMetadata
  /**
   * Of a code or automatic discount. `isFreeOfShipping`: also of surcharges. `isCommissionBefore`: commission is on the price before it.
   * `name`: of one that there is already.
   */
  discount?: { off: Cents; isFreeOfShipping: boolean; isCommissionBefore: boolean; name?: string }
}

/** @property share the partner's, in basis points of the price @property code what there is already, and was used */
export type SaleMargin = { margin: Cents; country: string; paidBy: string; share: number; code?: string }

const NO_DISCOUNT: NonNullable<MarginBasis['discount']> = {
  off: ZERO,
  isFreeOfShipping: false,
  isCommissionBefore: false,
}

/** One piece, sold alone. */
function marginOfPiece(
  price: Cents,
  {
    cost,
    shippingPaidBy,
    metadata,
    discount: { off, isFreeOfShipping, isCommissionBefore, name } = NO_DISCOUNT,
  }: MarginBasis,
  { country, shipping }: Destination,
  fee: PaymentFee,
  basisPoints: number,
): SaleMargin {
  const surcharge = isFreeOfShipping ? ZERO : (surchargeTo(metadata, country)?.amount ?? ZERO)
  const shippingCharged = shippingPaidBy === 'partner' && !isFreeOfShipping ? shipping : ZERO
  const margin = marginOfSale({
    ...{ price, discount: off, surcharge, shippingCharged, fee, printCost: cost, shippingPaid: shipping },
    tax: share(minus(sum([price, surcharge, shippingCharged]), off), taxRates[country] ?? 0),
    commission: share(isCommissionBefore ? price : minus(price, off), basisPoints),
  })
  return { margin, country, paidBy: fee.name, share: basisPoints, ...(name !== undefined && { code: name }) }
}

/** Each country and way of paying, with no partner and with the highest agreed share. */
export function salesOfPiece(price: Cents, basis: MarginBasis): SaleMargin[] {
  const shares = [...new Set([0, basis.partnerShares.highest])]
  return reachable(basis).flatMap((destination) =>
    Object.values(paymentFees).flatMap((fee) =>
      shares.map((basisPoints) => marginOfPiece(price, basis, destination, fee, basisPoints)),
    ),
  )
}

/** The sales that leave less than the owner's floor. */
export const salesBelowFloor = (price: Cents, basis: MarginBasis): SaleMargin[] =>
  salesOfPiece(price, basis).filter(({ margin }) => margin < basis.floor)

/**
 * What is left of one piece, sold alone, after the printer, its shipping, the payment provider and the partner.
 * @returns `usual`: in the United States, by card, with the usual partner's share; `worst`: the least over all destinations, ways
 *   of paying and partners
 */
export function marginsOf(price: Cents, basis: MarginBasis): { usual: SaleMargin; worst: SaleMargin } {
  const usual = usualMarginOf(price, basis)
  const worst = salesOfPiece(price, basis).reduce((least, sale) => (sale.margin < least.margin ? sale : least), usual)
  return { usual, worst }
}

function usualMarginOf(price: Cents, basis: MarginBasis): SaleMargin {
  const destinations = reachable(basis)
  const home = destinations.find(({ country }) => country === HOME) ?? destinations[0]
  const destination = home ?? { country: HOME, shipping: ZERO }
  return marginOfPiece(price, basis, destination, paymentFees.stripe, basis.partnerShares.usual)
}

const reachable = ({ destinations, metadata }: MarginBasis): readonly Destination[] =>
  destinations.filter(({ country }) => !metadata.restrictions?.blockedCountries.includes(country))

const PRICE_MAX = cents(1_000_000)
/** From .95 to .99, and from there to the next .95. */
const STEPS = [cents(4), cents(96)] as const

/**
 * The lowest price ending in .95 or .99 whose usual margin is at least the target, and whose worst is at least the owner's floor.
 * @param targetBasisPoints of the price: 3000 is 30 %
 * @returns undefined when no price below $10,000 reaches it
 */
export function suggestPrice(basis: MarginBasis, targetBasisPoints: number): Cents | undefined {
  for (let price = cents(95), step = 0; price < PRICE_MAX; price = plus(price, STEPS[step % 2] ?? ZERO), step += 1) {
    const isEnough = usualMarginOf(price, basis).margin >= share(price, targetBasisPoints)
    if (isEnough && marginsOf(price, basis).worst.margin >= basis.floor) return price
  }
  return undefined
}
