import type { CartLine } from '#contract/cart.ts'
import { Price } from '#web/ui/Price.tsx'

export const PriceChange = ({ available, price, previousPrice }: CartLine) =>
  available &&
  previousPrice !== null && (
    <p className="mt-2 text-sm font-medium">
      The price has {previousPrice < price ? 'gone up' : 'come down'} since you added it:{' '}
      <s className="font-normal text-ink-soft">
        <Price amount={previousPrice} />
      </s>{' '}
      <Price amount={price} />
    </p>
  )
