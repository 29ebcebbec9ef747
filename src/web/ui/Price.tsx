import { formatUsd, type Cents } from '#shared/money.ts'

/** An amount; `from` for the lowest of a product's variants: 'From $29.95'. */
export function Price({ amount, from = false, className }: { amount: Cents; from?: boolean; className?: string }) {
  return (
    <span className={className}>
      {from && <span className="font-normal">From </span>}
      <span className="tabular-nums">{formatUsd(amount)}</span>
    </span>
  )
}
