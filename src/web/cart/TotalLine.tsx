import type { Cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { Price } from '#web/ui/Price.tsx'

/** @property note what the amount does not contain */
type Props = { amount: Cents; note?: string | undefined }

export const TotalLine = ({ amount, note }: Props) => (
  <p className="flex items-baseline gap-3 text-lg font-semibold">
    {say('Total')}
    {note && <span className="text-sm leading-snug font-normal text-ink-soft">{note}</span>}
    <span role="status" className="ml-auto">
      <Price amount={amount} />
    </span>
  </p>
)
