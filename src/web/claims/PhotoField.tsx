import { useId, useState } from 'react'
import { CLAIM_PHOTO_MAX_BYTES, CLAIM_PHOTOS_MAX } from '#domain/claims/claim.ts'
import type { OrderKey } from '#contract/orders.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { upload } from '#web/api/upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { photoAddress, withKey } from './claim-queries.ts'

type Props = {
  orderKey: OrderKey
  /** Names of those that are stored already; they survive a form that was refused. */
  photos: readonly string[]
  onPhotos: (change: (before: readonly string[]) => readonly string[]) => void
}

/** Photos are stored as soon as they are chosen, and sent with the form by their names. */
export function PhotoField({ orderKey, photos, onPhotos }: Props) {
  const id = useId()
  const [sending, setSending] = useState(0)
  const [error, setError] = useState('')

  const add = async (files: readonly File[]) => {
    setError('')
    const room = CLAIM_PHOTOS_MAX - photos.length
    if (files.length > room) setError(`Please send at most ${CLAIM_PHOTOS_MAX} photos.`)
    const chosen = files.slice(0, room)
    setSending(chosen.length)
    for (const file of chosen) {
      try {
        if (file.size > CLAIM_PHOTO_MAX_BYTES) throw new Error(`${file.name} is larger than 20 MB.`)
        const stored = await upload<{ id: string }>(withKey('/api/order/claim-photos', orderKey), file)
        onPhotos((before) => [...before, stored.id])
      } catch (failure) {
        setError(sentenceOf(failure))
      }
      setSending((before) => before - 1)
    }
    setSending(0)
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        Photos <span className="font-normal text-ink-soft">(optional)</span>
      </label>
      <input
        id={id}
        type="file"
        multiple
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-describedby={`${id}-hint ${id}-status`}
        className={inputClass}
        disabled={sending > 0 || photos.length >= CLAIM_PHOTOS_MAX}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          void add(files)
        }}
      />
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        Up to {CLAIM_PHOTOS_MAX}, 20 MB each. They help most when they show the whole item and the problem. Only we, our
        printer and people with this link can see them.
      </p>
      <p id={`${id}-status`} role="status" className="text-sm">
        {sending > 0 && `Sending ${sending} ${sending === 1 ? 'photo' : 'photos'}...`}
        {error && <span className="font-medium text-danger">{error}</span>}
      </p>
      {photos.length > 0 && (
        <ul className="flex flex-wrap gap-3">
          {photos.map((photo, index) => (
            <li key={photo} className="grid justify-items-center">
              <img
                src={photoAddress(photo, orderKey)}
                alt={`What you sent, ${index + 1}`}
                className="size-24 rounded-card border border-line object-cover"
              />
              <Button
                variant="plain"
                className="text-sm"
                onClick={() => onPhotos((before) => before.filter((one) => one !== photo))}
              >
                Remove<span className="sr-only"> photo {index + 1}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
