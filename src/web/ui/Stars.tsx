import { useId } from 'react'
import { classNames } from './class-names.ts'

const STARS_MAX = 5
const star = 'm10 1.8 2.5 5.3 5.8.7-4.3 4 1.2 5.7L10 14.6l-5.2 2.9L6 11.8l-4.3-4 5.8-.7L10 1.8Z'

type Props = { /** Out of five; `null` shows an empty scale. */ rating: number | null; className?: string }

/** The scale for the eye. Where it counts something, words stand beside it. */
export function Stars({ rating, className }: Props) {
  const id = useId()
  return (
    <svg viewBox="0 0 108 20" aria-hidden="true" className={classNames('h-4 w-auto text-accent', className)}>
      <defs>
        <clipPath id={id}>
          <rect width={(108 * (rating ?? 0)) / STARS_MAX} height="20" />
        </clipPath>
      </defs>
      <g fill="none" stroke="currentColor" strokeWidth="1.2" strokeLinejoin="round">
        <FiveStars />
      </g>
      {rating !== null && (
        <g fill="currentColor" clipPath={`url(#${id})`}>
          <FiveStars />
        </g>
      )}
    </svg>
  )
}

const FiveStars = () =>
  Array.from({ length: STARS_MAX }, (_, index) => (
    <path key={index} d={star} transform={`translate(${index * 22} 0)`} />
  ))
