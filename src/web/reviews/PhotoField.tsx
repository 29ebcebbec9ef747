import { useState } from 'react'
import type { OrderKey } from '#contract/orders.ts'
import type { ReviewPhoto } from '#contract/reviews.ts'
import { PHOTOS_MAX } from '#domain/reviews/review.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { upload } from '#web/api/upload.ts'
import { FieldFrame } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { inputClass } from '#web/ui/input-class.ts'

type Props = {
  photos: readonly ReviewPhoto[]
  onPhotos: (photos: readonly ReviewPhoto[]) => void
  line: number
  orderKey: OrderKey
}

/** Photos are sent when they are chosen, one after the other; saving the review keeps them. */
export function PhotoField({ photos, onPhotos, line, orderKey }: Props) {
  const [isSending, setIsSending] = useState(false)
  const [error, setError] = useState<string>()

  const send = async (files: readonly File[]) => {
    setError(files.length + photos.length > PHOTOS_MAX ? `Please use at most ${PHOTOS_MAX} photos` : undefined)
    setIsSending(true)
    let sent = photos
    try {
      for (const file of files.slice(0, PHOTOS_MAX - photos.length)) {
        const key = new URLSearchParams(orderKey as Record<string, string>).toString()
        sent = [...sent, await upload<ReviewPhoto>(`/api/order/reviews/${line}/photos?${key}`, file)]
        onPhotos(sent)
      }
    } catch (failure) {
      setError(sentenceOf(failure))
    } finally {
      setIsSending(false)
    }
  }

  return (
    <div className="grid gap-3">
      {photos.length < PHOTOS_MAX && (
        <FieldFrame
          label="Photos"
          optional
          hint={`Up to ${PHOTOS_MAX}: JPEG, PNG, WebP or AVIF. Where and with what they were taken is removed.`}
          error={error}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              multiple
              accept="image/jpeg,image/png,image/webp,image/avif"
              disabled={isSending}
              className={inputClass}
              onChange={({ currentTarget: input }) => {
                const files = [...(input.files ?? [])]
                input.value = ''
                void send(files)
              }}
            />
          )}
        </FieldFrame>
      )}
      <p role="status" className="flex items-center gap-3 text-sm text-ink-soft empty:hidden">
        {isSending && (
          <>
            <Spinner /> Sending the photo...
          </>
        )}
      </p>
      {photos.length > 0 && (
        <ul className="flex flex-wrap gap-3">
          {photos.map(({ file, src, srcSet }, index) => (
            <li key={file} className="relative">
              <img
                src={src}
                srcSet={srcSet}
                sizes="112px"
                alt={`Yours, ${index + 1} of ${photos.length}`}
                className="size-28 rounded-card object-cover"
              />
              <span className="absolute top-1 right-1 rounded-full bg-surface/92">
                <IconButton
                  icon="close"
                  label={`Remove photo ${index + 1}`}
                  onClick={() => onPhotos(photos.filter((photo) => photo.file !== file))}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
