import type { ReactNode } from 'react'
import { formatUsd, type Cents } from '#shared/money.ts'
import { sayParts } from '#words/say.ts'

/** An amount; `from` for the lowest of a product's variants: 'From $29.95'. */
export function Price({ amount, from = false, className }: { amount: Cents; from?: boolean; className?: string }) {
  const shown = <span key="amount">{formatUsd(amount)}</span>
  return (
    <span className={className}>
      {from
        ? sayParts('From {amount}', { amount: shown }).map((part) =>
            part === shown ? (
              shown
            ) : (
              <span key="from" className="font-normal">
                {part as ReactNode}
              </span>
            ),
          )
        : shown}
    </span>
  )
}
