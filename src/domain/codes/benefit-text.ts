import { formatRate } from '#domain/partners/rates.ts'
import { formatUsd } from '#shared/money.ts'
import type { Benefit } from './code.ts'

/** `10% off`, as the owner reads it. */
export function benefitText(benefit: Benefit): string {
  if (benefit.kind === 'percent') return `${formatRate(benefit.basisPoints)} off`
  if (benefit.kind === 'amount') return `${formatUsd(benefit.amount)} off`
  if (benefit.kind === 'tiers')
    return benefit.tiers.map(({ pieces, basisPoints }) => `${formatRate(basisPoints)} off from ${pieces}`).join(', ')
  return benefit.kind === 'shipping' ? 'Free shipping and surcharges' : `Buy ${benefit.buy}, get ${benefit.get} free`
}
