import type { Cents } from '#shared/money.ts'
import { Price } from '#web/ui/Price.tsx'

export const TotalLine = ({ amount }: { amount: Cents }) => (
  <p className="flex items-baseline justify-between text-lg font-semibold">
    Total
    <span role="status">
      <Price amount={amount} />
    </span>
  </p>
)
