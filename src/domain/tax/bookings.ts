import type { Address } from '#domain/checkout/address.ts'
import type { TaxShare } from '#domain/checkout/quote.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import { regionCode } from '#domain/checkout/regions.ts'
import { cents, minus, negate, plus, spread, sum, ZERO, type Cents } from '#shared/money.ts'

/** A rate that an order was taxed with. A place can have several: of a country, a state, a city. */
export type TaxPart = {
  /** As the tax source names it: `vat`, `sales_tax`, `gst`; or one of `unknownRates`. */
  type: string
  /** Percent without needless zeros, such as `19` or `8.875`; empty if unknown. */
  percentage: string
  taxable: Cents
  tax: Cents
}

/** Why a rate is unknown: an order from before rates were stored; the tax source could not be reached, so no tax was charged. */
export const unknownRates = { notStored: 'not_stored', notCalculated: 'not_calculated' } as const

/** What a sale adds to a tax report; negative amounts are what a refund takes from it. */
export type TaxAmounts = {
  /** Goods, shipping and surcharges without tax. */
  net: Cents
  /** The sum of its parts. */
  tax: Cents
  /** Collected for the printer's own tax, which we don't owe. */
  vatProtection: Cents
  /** By rate; empty where nothing is taxed. */
  parts: TaxPart[]
}

/** Where a sale is reported. */
export type TaxPlace = { country: string; state: string }

export const taxBookingKinds = ['sale', 'change', 'refund'] as const
export type TaxBookingKind = (typeof taxBookingKinds)[number]

/** Countries whose states have taxes of their own; others have none in a report. */
const WITH_STATES = new Set(['US', 'CA'])

export const taxPlaceOf = ({ country, state }: Pick<Address, 'country' | 'state'>): TaxPlace => ({
  country,
  state: WITH_STATES.has(country) ? (regionCode(country, state ?? '') ?? state ?? '') : '',
})

/** What an order is taxed with, by rate. Where two local taxes have the same rate, they are one with their sum. */
export function taxPartsOf(
  evidence: Pick<TaxEvidence, 'rates' | 'source'> | null,
  { net, tax }: Pick<TaxAmounts, 'net' | 'tax'>,
): TaxPart[] {
  const shares = evidence?.rates ?? []
  if (evidence?.source === 'unavailable' && tax === ZERO) return [unknownPart(unknownRates.notCalculated, net, tax)]
  if (sum(shares.map(({ amount }) => amount)) !== tax) return [unknownPart(unknownRates.notStored, net, tax)]
  return [...Map.groupBy(shares, ({ type, percentage }) => `${type} ${Number(percentage)}`).values()].map((alike) => ({
    type: alike[0]?.type ?? '',
    percentage: percentOf(alike),
    taxable: alike[0]?.taxable ?? net,
    tax: sum(alike.map(({ amount }) => amount)),
  }))
}

const unknownPart = (type: string, taxable: Cents, tax: Cents): TaxPart => ({ type, percentage: '', taxable, tax })

const MILLION = 1_000_000
const percentOf = (shares: readonly TaxShare[]): string =>
  String(shares.reduce((total, { percentage }) => total + Math.round(Number(percentage) * MILLION), 0) / MILLION)

/**
 * The part of an order's amounts that a refund takes: its tax in proportion to the rates, to the cent. Refunds of everything that is
 * left take exactly what is left.
 * @param rest what earlier refunds left
 */
export function taxOfRefund(rest: TaxAmounts, refunded: Omit<TaxAmounts, 'parts'>): TaxAmounts {
  const { net, tax } = refunded
  if (rest.tax < tax) return { ...refunded, parts: [unknownPart(unknownRates.notStored, net, tax)] }
  const taxes = spread(
    tax,
    rest.parts.map((part) => part.tax),
  )
  return {
    ...refunded,
    parts: rest.parts.map((part, index) => ({
      ...part,
      taxable: taxableShare(part.taxable, rest.net, net),
      tax: taxes[index] ?? ZERO,
    })),
  }
}

const taxableShare = (taxable: Cents, net: Cents, refunded: Cents): Cents =>
  taxable >= net
    ? refunded === net
      ? taxable
      : refunded
    : (spread(refunded, [taxable, minus(net, taxable)])[0] ?? ZERO)

export const NO_TAX: TaxAmounts = { net: ZERO, tax: ZERO, vatProtection: ZERO, parts: [] }

/** Amounts together, by rate. */
export const addTax = (one: TaxAmounts, other: TaxAmounts): TaxAmounts => ({
  net: plus(one.net, other.net),
  tax: plus(one.tax, other.tax),
  vatProtection: plus(one.vatProtection, other.vatProtection),
  parts: [
    ...Map.groupBy([...one.parts, ...other.parts], ({ type, percentage }) => `${type} ${percentage}`).values(),
  ].map((alike) => ({
    type: alike[0]?.type ?? '',
    percentage: alike[0]?.percentage ?? '',
    taxable: sum(alike.map(({ taxable }) => taxable)),
    tax: sum(alike.map(({ tax }) => tax)),
  })),
})

export const negateTax = ({ net, tax, vatProtection, parts }: TaxAmounts): TaxAmounts => ({
  net: negate(net),
  tax: negate(tax),
  vatProtection: negate(vatProtection),
  parts: parts.map((part) => ({ ...part, taxable: negate(part.taxable), tax: negate(part.tax) })),
})

/** What a part of a sale that the tax source recorded still has. */
export type RecordedLine = { id: string; amount: Cents; tax: Cents }

/**
 * How a refund is spread over the lines that the tax source recorded, so that it reverses our tax to the cent.
 * @param rest what earlier reversals left of each line
 * @returns positive amounts; undefined when less is left than is refunded
 */
export function linesToReverse<Line extends RecordedLine>(
  rest: readonly Line[],
  { net, tax }: Pick<TaxAmounts, 'net' | 'tax'>,
): Line[] | undefined {
  if (sum(rest.map(({ amount }) => amount)) < net || sum(rest.map((line) => line.tax)) < tax) return undefined
  const amounts = spread(
    net,
    rest.map(({ amount }) => amount),
  )
  const taxes = spread(
    tax,
    rest.map((line) => line.tax),
  )
  return rest
    .map((line, index) => ({ ...line, amount: amounts[index] ?? ZERO, tax: taxes[index] ?? ZERO }))
    .filter(({ amount, tax: taxed }) => amount > 0 || taxed > 0)
}

/** What is left of recorded lines. @param reversed with negative amounts, by the line that they reverse */
export const restOfLines = (lines: readonly RecordedLine[], reversed: readonly RecordedLine[]): RecordedLine[] =>
  lines.map((line) => {
    const ofLine = reversed.filter(({ id }) => id === line.id)
    return {
      id: line.id,
      amount: cents(line.amount + sum(ofLine.map(({ amount }) => amount))),
      tax: cents(line.tax + sum(ofLine.map(({ tax }) => tax))),
    }
  })
