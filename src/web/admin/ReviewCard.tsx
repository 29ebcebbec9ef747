import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminReview } from '#contract/admin-reviews.ts'
import { paths } from '#contract/paths.ts'
import { ANSWER_MAX, STARS_MAX } from '#domain/reviews/review.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { fitLabels } from '#web/reviews/fit-labels.ts'
import { ReviewPhotos } from '#web/reviews/ReviewPhotos.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Stars } from '#web/ui/Stars.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { reviewHistoryQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useAction, useChange } from './use-action.ts'
import { useMay } from './use-may.ts'

/** A review with what the owner can do about it. */
export function ReviewCard({ review }: { review: AdminReview }) {
  const { id, stars, words, name, product, orderNumber, isDemo, fit, variantName, photos, state, writtenAt } = review
  const details = [name, variantName, fit && fitLabels[fit]].filter(Boolean)
  return (
    <li>
      <article aria-labelledby={`review-${id}`} className="rounded-card border border-line bg-surface p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id={`review-${id}`} className="font-text! text-base font-semibold tracking-normal">
            <Link to={`${paths.product(product.id)}#reviews`} className="link-line">
              {product.name}
            </Link>
          </h2>
          <StatusLabel status={state} />
        </div>
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          <Stars rating={stars} />
          <span className="sr-only">
            {stars} out of {STARS_MAX} stars
          </span>
          <Moment at={writtenAt} />
          {isDemo && <span className="rounded-full border border-ink/40 px-2.5 py-0.5">Demo review</span>}
          {orderNumber !== null && (
            <Link to={paths.adminOrder(orderNumber)} className="link-line">
              Order {formatOrderNumber(orderNumber)}
            </Link>
          )}
        </p>
        <p className="mt-3 max-w-[46em] whitespace-pre-line wrap-anywhere">{words}</p>
        <ReviewPhotos photos={photos} name={name} />
        <p className="mt-2 text-sm text-ink-soft wrap-anywhere">{details.join(' · ')}</p>
        {review.hiddenReason !== null && <p className="mt-3 text-sm">Hidden: {review.hiddenReason}</p>}
        <Decisions review={review} />
      </article>
    </li>
  )
}

type Panel = 'hide' | 'answer' | 'history'

function Decisions({ review: { id, version, state, answer, product } }: { review: AdminReview }) {
  const api = useApi()
  const change = useChange()
  const { act, busy, failure } = useAction()
  const [panel, setPanel] = useState<Panel>()
  const mayModerate = useMay()('moderate_reviews')
  const params = { id }
  const about = <span className="sr-only"> the review of {product.name}</span>
  const opens = (name: Panel) => ({
    variant: 'outline' as const,
    'aria-expanded': panel === name,
    onClick: () => setPanel(panel === name ? undefined : name),
  })
  return (
    <div className="mt-4 grid gap-4">
      {answer !== null && panel !== 'answer' && (
        <div className="max-w-[44em] border-l-2 border-accent pl-4 text-[0.9375rem]">
          <p className="font-semibold">Your public answer</p>
          <p className="mt-1 whitespace-pre-line wrap-anywhere text-ink-soft">{answer}</p>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        {mayModerate && state !== 'published' && (
          <Button
            busy={busy}
            onClick={() => void act(() => api('POST /api/admin/reviews/:id/publish', { params, body: { version } }))}
          >
            Publish{about}
          </Button>
        )}
        {mayModerate && state !== 'hidden' && <Button {...opens('hide')}>Hide{about}</Button>}
        {mayModerate && (
          <Button {...opens('answer')}>
            {answer === null ? 'Answer' : 'Change answer'}
            {about}
          </Button>
        )}
        <Button {...opens('history')} variant="plain">
          History{about}
        </Button>
      </div>
      {failure && <Notice>{failure.sentence}</Notice>}
      {panel === 'hide' && (
        <ApiForm
          send={async ({ reason = '' }) => {
            await change(() => api('POST /api/admin/reviews/:id/hide', { params, body: { version, reason } }))
            setPanel(undefined)
          }}
          aria-label="Hide the review"
          className="grid max-w-[36em] gap-3"
        >
          <Field label="Why" name="reason" maxLength={200} hint="For the log; nobody else sees it." />
          <FormNotice />
          <div>
            <SubmitButton>Hide it</SubmitButton>
          </div>
        </ApiForm>
      )}
      {panel === 'answer' && (
        <ApiForm
          send={async ({ text = '' }) => {
            await change(() => api('POST /api/admin/reviews/:id/answer', { params, body: { version, text } }))
            setPanel(undefined)
          }}
          aria-label="Answer the review"
          className="grid max-w-[44em] gap-3"
        >
          <TextArea
            label="Your answer"
            name="text"
            rows={3}
            maxLength={ANSWER_MAX}
            defaultValue={answer ?? ''}
            hint="Everybody can read it below the review. Leave it empty to remove it."
          />
          <FormNotice />
          <div>
            <SubmitButton>Save answer</SubmitButton>
          </div>
        </ApiForm>
      )}
      {panel === 'history' && <History id={id} />}
    </div>
  )
}

function History({ id }: { id: number }) {
  const query = useQuery(reviewHistoryQuery(id))
  return (
    <QueryBoundary query={query} className="">
      {({ actions }) =>
        actions.length === 0 ? (
          <p className="text-sm text-ink-soft">Nothing has happened to it yet.</p>
        ) : (
          <ul className="grid gap-1.5 text-sm">
            {actions.map((action) => (
              <li key={action.id}>
                <Moment at={action.at} /> <span className="font-medium">{action.who}</span> {action.what}
                {typeof action.after?.['reason'] === 'string' && (
                  <span className="text-ink-soft">: {action.after['reason']}</span>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </QueryBoundary>
  )
}
