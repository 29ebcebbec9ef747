import type { CartLine } from '#contract/cart.ts'

/** Says of a line that can't be bought any more what the shopper can do. */
export const UnavailableLine = ({ available, hasOtherVariants }: CartLine) =>
  !available && (
    <p className="mt-2 text-sm font-medium text-danger">
      No longer available. Please {hasOtherVariants ? 'change or remove' : 'remove'} it to check out.
    </p>
  )
