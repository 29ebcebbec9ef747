import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import type { ReviewPage, ShownReview } from '#contract/reviews.ts'
import type { Product } from '#contract/catalog.ts'
import { REVIEWS } from '#contract/paths.ts'
import { fitSentence, STARS_MAX } from '#domain/reviews/review.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { dateFormat, formatNumber, formatRating } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { query } from '#web/api/queries.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Stars } from '#web/ui/Stars.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { fitLabels } from './fit-labels.ts'
import { ReviewPhotos } from './ReviewPhotos.tsx'

/** @param search the product page's: `stars` and `after`; anything else in them is ignored */
export const reviewsQuery = (productId: number, search: URLSearchParams) => {
  const [stars, after] = [search.get('stars') ?? '', search.get('after') ?? '']
  return query('GET /api/products/:id/reviews', {
    params: { id: productId },
    query: { ...(/^[1-5]$/.test(stars) && { stars }), ...(/^[1-9]\d{0,9}$/.test(after) && { after }) },
  })
}

const reviewCount = '{count, plural, one {{count} review} other {{count} reviews}}' satisfies Word

/** The reviews of a product, a page at a time; renders nothing without any. */
export function ProductReviews({ product }: { product: Pick<Product, 'id'> }) {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const { data: page } = useQuery({ ...reviewsQuery(product.id, search), placeholderData: keepPreviousData })
  if (!page?.all) return null
  /** This page with other reviews. */
  const addressOf = (changes: { stars?: number; after?: number }) => {
    const next = new URLSearchParams(search)
    for (const name of ['stars', 'after'] as const) next.delete(name)
    for (const [name, value] of Object.entries(changes)) next.set(name, String(value))
    return `${pathname}${next.size > 0 ? `?${next.toString()}` : ''}#${REVIEWS}`
  }
  const stars = Number(search.get('stars')) || undefined
  const isFirst = search.get('after') === null
  const fit = fitSentence(page.fits)
  return (
    <section
      id={REVIEWS}
      tabIndex={-1}
      aria-labelledby="reviews-title"
      className="mt-20 scroll-mt-20 border-t outline-none border-line pt-14 lg:mt-28 lg:pt-20"
    >
      <h2 id="reviews-title" className="text-headline">
        {say('Reviews')}
      </h2>
      <div className="mt-9 grid items-start gap-x-14 gap-y-10 md:grid-cols-[16rem_minmax(0,1fr)] lg:gap-x-20">
        <div className="md:sticky md:top-24">
          <p className="flex items-center gap-4">
            <span aria-hidden="true" className="font-display text-[3.5rem] leading-none">
              {formatRating(page.all.rating)}
            </span>
            <span>
              <Stars rating={page.all.rating} className="h-5!" />
              <span className="sr-only">
                {say('{rating} out of 5', { rating: formatNumber(page.all.rating) })}
                {', '}
              </span>
              <span className="mt-1 block text-sm text-ink-soft">{say(reviewCount, { count: page.all.count })}</span>
            </span>
          </p>
          {fit && <p className="mt-4 text-[0.9375rem]">{fit}</p>}
          <StarFilter byStars={page.byStars} total={page.all.count} chosen={stars} addressOf={addressOf} />
        </div>
        <div>
          {page.reviews.length === 0 ? (
            <p className="text-ink-soft">
              {say('No review has {stars, plural, one {# star} other {# stars}}.', { stars: stars ?? 0 })}
            </p>
          ) : (
            <ul className="-mt-7 divide-y divide-line">
              {page.reviews.map((review) => (
                <Review key={review.id} review={review} />
              ))}
            </ul>
          )}
          {(page.next !== null || !isFirst) && (
            <p className="mt-4 flex flex-wrap gap-3">
              {!isFirst && (
                <Link to={addressOf({ ...(stars && { stars }) })} className={buttonClass('outline')}>
                  {say('Latest reviews')}
                </Link>
              )}
              {page.next !== null && (
                <Link to={addressOf({ ...(stars && { stars }), after: page.next })} className={buttonClass('outline')}>
                  {say('More reviews')}
                </Link>
              )}
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

type FilterProps = {
  byStars: ReviewPage['byStars']
  total: number
  chosen: number | undefined
  addressOf: (changes: { stars?: number }) => string
}

const StarFilter = ({ byStars, total, chosen, addressOf }: FilterProps) => (
  <nav aria-label={say('Reviews by stars')} className="mt-5">
    <ul className="grid">
      {byStars
        .map((count, index) => ({ count, stars: index + 1 }))
        .toReversed()
        .map(({ count, stars }) => (
          <li key={stars}>
            <Link
              to={addressOf({ stars })}
              aria-current={stars === chosen ? 'true' : undefined}
              className={classNames(
                'group grid min-h-9 grid-cols-[3.5rem_minmax(0,1fr)_1.75rem] items-center gap-3 text-sm max-md:min-h-11',
                stars === chosen && 'font-semibold',
              )}
            >
              <span className="decoration-accent underline-offset-4 group-hover:underline">
                {say('{stars, plural, one {# star} other {# stars}}', { stars })}
              </span>
              <svg aria-hidden="true" className="h-1.5 w-full rounded-full bg-line text-accent">
                <rect width={`${(100 * count) / total}%`} height="100%" rx="3" fill="currentColor" />
              </svg>
              <span className="text-right text-ink-soft">
                <span aria-hidden="true">{count}</span>
                <span className="sr-only">{say(reviewCount, { count })}</span>
              </span>
            </Link>
          </li>
        ))}
    </ul>
    {chosen !== undefined && (
      <Link to={addressOf({})} className="mt-2 link-line inline-flex min-h-11 items-center text-[0.9375rem]">
        {say('Show all reviews')}
      </Link>
    )}
  </nav>
)

function Review({ review }: { review: ShownReview }) {
  const { stars, words, name, writtenAt, isDemo, fit, variantName, photos, answer } = review
  const { name: shop } = useSite()
  const bought = [variantName && sayVariant(variantName), fit && say(fitLabels[fit])].filter(Boolean)
  return (
    <li className="py-7">
      <article>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <p>
            <Stars rating={stars} />
            <span className="sr-only">{say('{stars} out of {total} stars', { stars, total: STARS_MAX })}</span>
          </p>
          <time dateTime={writtenAt} className="text-sm text-ink-soft">
            {dateFormat({ dateStyle: 'long', timeZone: 'UTC' }).format(new Date(writtenAt))}
          </time>
        </div>
        <p className="mt-3 max-w-[42em] whitespace-pre-line wrap-anywhere">{words}</p>
        <ReviewPhotos photos={photos} name={name} />
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="font-semibold wrap-anywhere">{name}</span>
          {isDemo ? (
            <span className="rounded-full border border-ink/40 px-2.5 py-0.5 text-ink-soft">{say('Demo review')}</span>
          ) : (
            <span className="inline-flex items-center gap-1 text-good">
              <Icon name="check" className="size-4" />
              {say('Verified purchase')}
            </span>
          )}
          {bought.length > 0 && <span className="text-ink-soft">{bought.join(' · ')}</span>}
        </p>
        {answer !== null && (
          <div className="mt-4 max-w-[40em] border-l-2 border-accent pl-4 text-[0.9375rem]">
            <p className="font-semibold">{say('{shop} answered', { shop })}</p>
            <p className="mt-1 whitespace-pre-line wrap-anywhere text-ink-soft">{answer}</p>
          </div>
        )}
      </article>
    </li>
  )
}
