import type { CartLine } from '#contract/cart.ts'
import { Price } from '#web/ui/Price.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'

export const PriceChange = ({ available, price, previousPrice }: CartLine) =>
  available &&
  previousPrice !== null && (
    <p className="mt-2 text-sm font-medium">
      <Sentence
        word={
          previousPrice < price
            ? 'The price has gone up since you added it: {before} {now}'
            : 'The price has come down since you added it: {before} {now}'
        }
        parts={{
          before: (
            <s className="font-normal text-ink-soft">
              <Price amount={previousPrice} />
            </s>
          ),
          now: <Price amount={price} />,
        }}
      />
    </p>
  )
