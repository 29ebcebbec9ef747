import { useState } from 'react'
import type { OrderKey } from '#contract/orders.ts'
import type { ReviewableLine, ReviewPhoto } from '#contract/reviews.ts'
import { fits, type Fit } from '#domain/orders/fit.ts'
import { PHOTOS_MAX, REVIEW_NAME_MAX, REVIEW_WORDS_MAX } from '#domain/reviews/review.ts'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import { say, sayKnown } from '#words/say.ts'
import { upload } from '#web/api/upload.ts'
import { useApi } from '#web/api/use-api.ts'
import { withKey } from '#web/claims/claim-queries.ts'
import { PhotoField } from '#web/orders/PhotoField.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { fitLabels } from './fit-labels.ts'
import { StarField } from './StarField.tsx'

type Props = {
  line: ReviewableLine
  orderKey: OrderKey
  onCancel: () => void
  onDone: (sentence: string) => Promise<void>
}

/** Writes or changes the review of a line. */
export function ReviewForm({ line, orderKey, onCancel, onDone }: Props) {
  const api = useApi()
  const { review } = line
  const [photos, setPhotos] = useState<readonly ReviewPhoto[]>(review?.photos ?? [])
  const params = { line: line.line }
  return (
    <ApiForm
      send={async ({ stars, fit, words = '', name = '' }) => {
        const { done } = await api('PUT /api/order/reviews/:line', {
          params,
          body: {
            ...orderKey,
            version: review?.version ?? 0,
            stars: Number(stars ?? 0),
            fit: isFit(fit) ? fit : null,
            words,
            name,
            photos: photos.map(({ file }) => file),
          },
        })
        await onDone(sayKnown(done))
      }}
      aria-label={say('Review of {product}', { product: line.productName })}
      className="mt-6 grid gap-6 border-t border-line pt-6"
    >
      <StarField initial={review?.stars} />
      {line.isWorn && <FitField initial={review?.fit ?? null} />}
      <TextArea
        label={say('Your review')}
        name="words"
        rows={5}
        required
        maxLength={REVIEW_WORDS_MAX}
        defaultValue={review?.words}
        hint={say('What would have helped you decide? Color, fabric, print, how it wears.')}
      />
      <PhotoField
        photos={photos}
        onPhotos={setPhotos}
        max={PHOTOS_MAX}
        maxBytes={UPLOAD_MAX_BYTES}
        hint={say('Up to {max}: JPEG, PNG, WebP or AVIF. Where and with what they were taken is removed.', {
          max: PHOTOS_MAX,
        })}
        send={(file) => upload<ReviewPhoto>(withKey(`/api/order/reviews/${line.line}/photos`, orderKey), file)}
      />
      <Field
        label={say('Name to show')}
        name="name"
        required
        maxLength={REVIEW_NAME_MAX}
        defaultValue={review?.name}
        autoComplete="nickname"
        hint={say('A first name is plenty. Your email and your order stay private.')}
        className="max-w-[20em]"
      />
      <FormNotice />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyText={say('Sending...')}>{say(review ? 'Save review' : 'Send review')}</SubmitButton>
        <Button variant="plain" onClick={onCancel}>
          {say('Cancel')}
        </Button>
      </div>
    </ApiForm>
  )
}

const isFit = (value: string | undefined): value is Fit => fits.some((fit) => fit === value)

const FitField = ({ initial }: { initial: Fit | null }) => (
  <fieldset>
    <legend className="text-[0.9375rem] font-medium">
      {say('How does it fit?')} <span className="font-normal text-ink-soft">{say('(optional)')}</span>
    </legend>
    <div className="mt-2 flex flex-wrap gap-2.5">
      {fits.map((fit) => (
        <label
          key={fit}
          className="flex min-h-11 cursor-pointer items-center rounded-card border border-ink/45 px-4 has-checked:border-ink has-checked:bg-button-quiet has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input type="radio" name="fit" value={fit} defaultChecked={fit === initial} className="sr-only" />
          {say(fitLabels[fit])}
        </label>
      ))}
    </div>
  </fieldset>
)
