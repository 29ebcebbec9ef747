import { classNames } from './class-names.ts'

const STARS_MAX = 5
/** All five as one path, since a list has a hundred ratings. */
const stars = `m10 1.8${' 2.5 5.3 5.8.7-4.3 4 1.2 5.7-5.2-2.9-5.2 2.9 1.2-5.7-4.3-4 5.8-.7zm22 0'.repeat(STARS_MAX)}`

type Props = { /** Out of five; `null` shows an empty scale. */ rating: number | null; className?: string }

/** Decorative; put the rating in text beside it. */
export const Stars = ({ rating, className }: Props) => (
  <svg viewBox="0 0 108 20" aria-hidden="true" className={classNames('h-4 w-auto text-accent', className)}>
    <path d={stars} fill="none" stroke="currentColor" strokeWidth="1.2" strokeLinejoin="round" />
    {rating !== null && (
      // Clipped at the rating.
      <svg width={(108 * rating) / STARS_MAX} height="20">
        <path d={stars} fill="currentColor" />
      </svg>
    )}
  </svg>
)
