import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { reviewStates } from '#domain/reviews/review.ts'
import type { Answer } from '#web/api/client.ts'
import { Form } from '#web/app/Form.tsx'
import { Link } from '#web/app/Link.tsx'
import { PageLinks } from '#web/app/PagedTable.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { adminReviewsQuery, reviewFilterIn } from './admin-queries.ts'
import { ReviewCard } from './ReviewCard.tsx'

type Reviews = Answer<'GET /api/admin/reviews'>

/** `/admin/reviews`: what buyers wrote; the owner publishes, hides and answers. */
export function ReviewsPage() {
  const [search] = useSearchParams()
  const filter = reviewFilterIn(search)
  const query = useQuery(adminReviewsQuery(filter))
  return (
    <AdminFrame title="Reviews">
      <QueryBoundary query={query}>
        {(answer) => (
          <div className="max-w-[56em]">
            <p className="mb-6 text-ink-soft">
              {answer.waiting === 0
                ? 'No review is waiting for you.'
                : `${answer.waiting === 1 ? 'One review is' : `${answer.waiting} reviews are`} waiting for you.`}{' '}
              <Link to={paths.adminSettings} className="link-line">
                When new reviews appear
              </Link>{' '}
              is a setting.
            </p>
            <Filters key={search.toString()} filter={filter} products={answer.products} />
            <List {...answer} filter={filter} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const ANY = { value: '', label: 'Any' }
const stateLabels = { waiting: 'Waiting', published: 'Published', hidden: 'Hidden' } as const
const states = [ANY, ...reviewStates.map((value) => ({ value, label: stateLabels[value] }))]
const starOptions = [
  ANY,
  ...[5, 4, 3, 2, 1].map((stars) => ({ value: String(stars), label: stars === 1 ? '1 star' : `${stars} stars` })),
]

type FilterProps = { filter: ReturnType<typeof reviewFilterIn>; products: Reviews['products'] }

const Filters = ({ filter, products }: FilterProps) => (
  <Form
    method="get"
    action={paths.adminReviews}
    aria-label="Filter reviews"
    className="mb-6 grid items-end gap-4 sm:grid-cols-[9rem_minmax(0,1fr)_9rem_auto]"
  >
    <Select label="State" name="state" options={states} defaultValue={filter.state ?? ''} />
    <Select
      label="Product"
      name="product"
      options={[ANY, ...products.map(({ id, name }) => ({ value: String(id), label: name }))]}
      defaultValue={filter.product ?? ''}
    />
    <Select label="Stars" name="stars" options={starOptions} defaultValue={filter.stars ?? ''} />
    <div className="flex gap-3">
      <Button type="submit" variant="outline">
        Filter
      </Button>
      {Object.keys(filter).length > 0 && (
        <Link to={paths.adminReviews} className={buttonClass('plain')}>
          Clear
        </Link>
      )}
    </div>
  </Form>
)

function List({ reviews, hasMore, filter }: Reviews & Pick<FilterProps, 'filter'>) {
  const { older, ...rest } = filter
  const addressWith = (more: Record<string, string>) => {
    const search = new URLSearchParams({ ...(rest as Record<string, string>), ...more })
    return `${paths.adminReviews}${search.size > 0 ? `?${search.toString()}` : ''}`
  }
  const last = reviews.at(-1)
  return (
    <>
      {reviews.length === 0 ? (
        <p className="rounded-card border border-line bg-surface p-6">
          {Object.keys(filter).length > 0
            ? 'No reviews match these filters.'
            : 'No reviews yet. Buyers are asked by email some days after delivery.'}
        </p>
      ) : (
        <ul className="grid gap-5">
          {reviews.map((review) => (
            <ReviewCard key={review.id} review={review} />
          ))}
        </ul>
      )}
      <PageLinks
        first={older !== undefined && addressWith({})}
        next={hasMore && last !== undefined && addressWith({ older: String(last.id) })}
      />
    </>
  )
}
