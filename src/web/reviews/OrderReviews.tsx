import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OrderKey } from '#contract/orders.ts'
import type { OwnReview, ReviewableLine } from '#contract/reviews.ts'
import { REVIEWS } from '#contract/paths.ts'
import { STARS_MAX } from '#domain/reviews/review.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Stars } from '#web/ui/Stars.tsx'
import { ReviewForm } from './ReviewForm.tsx'
import { ReviewPhotos } from './ReviewPhotos.tsx'

/** What the buyer can review of an arrived order, and has written; renders nothing for visitors who may only read the order. */
export function OrderReviews({ orderKey }: { orderKey: OrderKey }) {
  const queries = useQueryClient()
  const reviewsOfOrder = query('GET /api/order/reviews', { query: orderKey })
  const { data } = useQuery({ ...reviewsOfOrder, staleTime: 0 })
  const [done, setDone] = useState<string>()
  const section = useRef<HTMLElement>(null)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === `#${REVIEWS}`) section.current?.scrollIntoView()
  }, [isLoaded])
  if (!data || (data.lines.length === 0 && done === undefined)) return null

  const show = async (sentence: string) => {
    await queries.invalidateQueries({ queryKey: reviewsOfOrder.queryKey })
    setDone(sentence)
    // The form that was above the fold is gone.
    section.current?.scrollIntoView()
    section.current?.focus({ preventScroll: true })
  }
  return (
    <section
      ref={section}
      id={REVIEWS}
      tabIndex={-1}
      aria-labelledby="reviews-title"
      className="scroll-mt-24 outline-none"
    >
      <h2 id="reviews-title" className="text-title">
        {say('How do you like it?')}
      </h2>
      <p className="mt-2 max-w-[40em] text-ink-soft">
        {say('Others read what you write on the product’s page. You can change or delete it here at any time.')}
      </p>
      {done !== undefined && (
        <div className="mt-5">
          <Notice tone="calm">{done}</Notice>
        </div>
      )}
      <ul className="mt-5 grid gap-5">
        {data.lines.map((line) => (
          <Line key={line.line} line={line} orderKey={orderKey} onDone={show} />
        ))}
      </ul>
    </section>
  )
}

type LineProps = { line: ReviewableLine; orderKey: OrderKey; onDone: (sentence: string) => Promise<void> }

function Line({ line, orderKey, onDone }: LineProps) {
  const [isWriting, setIsWriting] = useState(false)
  const { productName, variantName, review } = line
  return (
    <li className="border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <p className="min-w-0 flex-1 basis-40 leading-snug">
          <ProductName name={productName} size="line" />
          {variantName && <span className="block text-sm text-ink-soft">{sayVariant(variantName)}</span>}
        </p>
        {!review && !isWriting && (
          <Button variant="outline" onClick={() => setIsWriting(true)}>
            {say('Write a review')}
            <span className="sr-only">{say(' of {name}', { name: productName })}</span>
          </Button>
        )}
      </div>
      {isWriting ? (
        <ReviewForm
          line={line}
          orderKey={orderKey}
          onCancel={() => setIsWriting(false)}
          onDone={async (sentence) => {
            await onDone(sentence)
            setIsWriting(false)
          }}
        />
      ) : (
        review && (
          <Written
            review={review}
            line={line}
            orderKey={orderKey}
            onChange={() => setIsWriting(true)}
            onDone={onDone}
          />
        )
      )}
    </li>
  )
}

const stateSentences = {
  waiting: 'We read it before it appears on the product’s page.',
  published: 'On the product’s page.',
  hidden: 'Not on the product’s page: we have hidden it. Write to us if you think that’s wrong.',
} as const satisfies Record<OwnReview['state'], Word>

function Written({
  review,
  line,
  orderKey,
  onChange,
  onDone,
}: LineProps & { review: OwnReview; onChange: () => void }) {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const [isAsking, setIsAsking] = useState(false)
  const about = <span className="sr-only">{say(' your review of {product}', { product: line.productName })}</span>
  const remove = () =>
    run(async () => {
      const answer = await api('DELETE /api/order/reviews/:line', { params: { line: line.line }, query: orderKey })
      await onDone(sayKnown(answer.done))
    })
  return (
    <div className="mt-5 border-t border-line pt-5">
      <p>
        <Stars rating={review.stars} />
        <span className="sr-only">
          {say('{stars} out of {total} stars', { stars: review.stars, total: STARS_MAX })}
        </span>
      </p>
      <p className="mt-2 max-w-[42em] whitespace-pre-line wrap-anywhere">{review.words}</p>
      <ReviewPhotos photos={review.photos} name={review.name} />
      <p className="mt-2 text-sm text-ink-soft">
        <span className="wrap-anywhere">{review.name}</span>. {say(stateSentences[review.state])}
      </p>
      {review.answer !== null && (
        <div className="mt-4 border-l-2 border-accent pl-4 text-[0.9375rem]">
          <p className="font-semibold">{say('Our answer')}</p>
          <p className="mt-1 whitespace-pre-line wrap-anywhere text-ink-soft">{review.answer}</p>
        </div>
      )}
      {failure && (
        <div className="mt-4">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {isAsking ? (
          <>
            <p className="w-full">{say('Delete it for good?')}</p>
            <Button busy={busy} onClick={() => void remove()}>
              {say('Delete')}
              {about}
            </Button>
            <Button variant="outline" onClick={() => setIsAsking(false)}>
              {say('Keep it')}
            </Button>
          </>
        ) : (
          <>
            <Button variant="outline" onClick={onChange}>
              {say('Change')}
              {about}
            </Button>
            <Button variant="plain" onClick={() => setIsAsking(true)}>
              {say('Delete')}
              {about}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
