import { formatNumber, formatRating } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Stars } from '#web/ui/Stars.tsx'

type Props = { rating: number; reviewCount: number; className?: string }

/** Without reviews the stored rating is only a default, so the scale stays empty. */
export const Rating = ({ rating, reviewCount, className }: Props) => (
  <p className={classNames('flex items-center gap-2 text-sm text-ink-soft', className)}>
    <Stars rating={reviewCount > 0 ? rating : null} />
    {reviewCount > 0 ? (
      <span>
        <span className="sr-only">
          {say('Rated {rating} out of 5, {count, plural, one {# review} other {# reviews}}', {
            rating: formatNumber(rating),
            count: reviewCount,
          })}
        </span>
        <span aria-hidden="true">
          {formatRating(rating)} ({reviewCount})
        </span>
      </span>
    ) : (
      <span>{say('No reviews yet')}</span>
    )}
  </p>
)
