import type { Cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { Price } from '#web/ui/Price.tsx'

export const TotalLine = ({ amount }: { amount: Cents }) => (
  <p className="flex items-baseline justify-between gap-3 text-lg font-semibold">
    {say('Total')}
    <span role="status">
      <Price amount={amount} />
    </span>
  </p>
)
