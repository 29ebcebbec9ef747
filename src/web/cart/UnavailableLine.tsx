import type { CartLine } from '#contract/cart.ts'
import { say } from '#words/say.ts'

/** Says of a line that can't be bought any more what the shopper can do. */
export const UnavailableLine = ({ available, hasOtherVariants }: CartLine) =>
  !available && (
    <p className="mt-2 text-sm font-medium text-danger">
      {hasOtherVariants
        ? say('No longer available. Please change or remove it to check out.')
        : say('No longer available. Please remove it to check out.')}
    </p>
  )
