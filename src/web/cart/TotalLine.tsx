import type { Cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { Price } from '#web/ui/Price.tsx'

/** @property note what may be added to it */
export const TotalLine = ({ amount, note }: { amount: Cents; note?: string | undefined }) => (
  <p className="flex flex-wrap items-baseline gap-x-3 text-lg font-semibold">
    {say('Total')}
    {note && (
      <span className="flex-1 basis-20 text-sm font-normal text-ink-soft md:max-lg:order-1 md:max-lg:basis-full">
        {note}
      </span>
    )}
    <span role="status" className="ml-auto">
      <Price amount={amount} />
    </span>
  </p>
)
