import { formatUsd, cents, minus, negate, plus, share, sum, ZERO, type Cents } from '#shared/money.ts'
import { REVENUE_SHARE } from '#site/policies.ts'
import { surchargeTo, type ProductMetadata } from './metadata.ts'

/** What a payment provider keeps of the amount paid. */
type PaymentFee = { name: string; basisPoints: number; fixed: Cents }

/** List prices in the United States. Orders book what the provider really kept; before a sale these are the best known. */
const paymentFees: readonly [PaymentFee, PaymentFee] = [
  { name: 'card', basisPoints: 290, fixed: cents(30) },
  { name: 'PayPal', basisPoints: 349, fixed: cents(49) },
]

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
type Destination = { country: string; shipping: Cents }

/** What the margin of one piece depends on besides its price. */
export type MarginBasis = {
  /** What the printer charges for the piece. */
  cost: Cents
  destinations: readonly Destination[]
  /** `free`: the shop pays for shipping. `partner`: the shopper pays the printer's rate. */
  shippingPaidBy: 'free' | 'partner'
  /** The usual partner's share of the price, and the highest that is agreed with anybody; basis points. */
  partnerShares: { usual: number; highest: number }
  /** Surcharges are paid by the shopper; blocked countries are left out. */
  metadata: ProductMetadata
}

export type SaleMargin = { margin: Cents; country: string; paidBy: string }

const marginOfSale = (
  price: Cents,
  { cost, shippingPaidBy, metadata }: Omit<MarginBasis, 'destinations' | 'partnerShares'>,
  { country, shipping }: Destination,
  fee: PaymentFee,
  partnerBasisPoints: number,
): SaleMargin => {
  const surcharge = surchargeTo(metadata, country)?.amount ?? ZERO
  const income = sum([price, surcharge, shippingPaidBy === 'partner' ? shipping : ZERO])
  const paid = plus(income, share(income, taxRates[country] ?? 0))
  const kept = plus(share(paid, fee.basisPoints), fee.fixed)
  return {
    margin: minus(income, sum([cost, shipping, kept, share(price, partnerBasisPoints)])),
    country,
    paidBy: fee.name,
  }
}

/**
 * What is left of one piece, sold alone, after the printer, its shipping, the payment provider and the partner.
 * @returns `usual`: in the United States, by card, with the usual partner's share; `worst`: the least over all destinations and ways
 *   of paying, with the highest agreed share
 */
export function marginsOf(price: Cents, basis: MarginBasis): { usual: SaleMargin; worst: SaleMargin } {
  const usual = usualMarginOf(price, basis)
  const sales = reachable(basis).flatMap((destination) =>
    paymentFees.map((fee) => marginOfSale(price, basis, destination, fee, basis.partnerShares.highest)),
  )
  return { usual, worst: sales.reduce((least, sale) => (sale.margin < least.margin ? sale : least), usual) }
}

function usualMarginOf(price: Cents, basis: MarginBasis): SaleMargin {
  const destinations = reachable(basis)
  const home = destinations.find(({ country }) => country === HOME) ?? destinations[0]
  const destination = home ?? { country: HOME, shipping: ZERO }
  return marginOfSale(price, basis, destination, paymentFees[0], basis.partnerShares.usual)
}

const reachable = ({ destinations, metadata }: MarginBasis): readonly Destination[] =>
  destinations.filter(({ country }) => !metadata.restrictions?.blockedCountries.includes(country))

/** The usual margin without shipping, for comparing costs that change. */
export const marginBeforeShipping = (price: Cents, cost: Cents): Cents =>
  usualMarginOf(price, {
    ...{ cost, destinations: [], shippingPaidBy: 'partner', metadata: {} },
    partnerShares: { usual: REVENUE_SHARE.usual.basisPoints, highest: REVENUE_SHARE.usual.basisPoints },
  }).margin

const PRICE_MAX = cents(1_000_000)
/** From .95 to .99, and from there to the next .95. */
const STEPS = [cents(4), cents(96)] as const

/**
 * The lowest price ending in .95 or .99 whose usual margin is at least the target, and whose worst is no loss.
 * @param targetBasisPoints of the price: 3000 is 30 %
 * @returns undefined when no price below $10,000 reaches it
 */
export function suggestPrice(basis: MarginBasis, targetBasisPoints: number): Cents | undefined {
  for (let price = cents(95), step = 0; price < PRICE_MAX; price = plus(price, STEPS[step % 2] ?? ZERO), step += 1) {
    const isEnough = usualMarginOf(price, basis).margin >= share(price, targetBasisPoints)
    if (isEnough && marginsOf(price, basis).worst.margin >= 0) return price
  }
  return undefined
}

/** Why a price needs the owner's confirmation, if it does. */
export function objectionToPrice(price: Cents, basis: MarginBasis): string | undefined {
  const { margin } = usualMarginOf(price, basis)
  if (margin >= 0) return undefined
  return `Sells at a loss: at ${formatUsd(price)} the shop pays ${formatUsd(negate(margin))} for each piece sold in the usual way.`
}
