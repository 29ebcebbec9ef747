import { useState } from 'react'
import { say } from '#words/say.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { FieldFrame } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { inputClass } from '#web/ui/input-class.ts'

const MB = 1024 * 1024

/** `file`: the name under which it is stored. */
export type Photo = { file: string; src: string; srcSet?: string }

type Props<Stored extends Photo> = {
  /** Those that are stored already; they survive a form that was refused. */
  photos: readonly Stored[]
  onPhotos: (change: (before: readonly Stored[]) => readonly Stored[]) => void
  max: number
  /** Of each. */
  maxBytes: number
  hint: string
  send: (file: File) => Promise<Stored>
}

/** Photos are stored as soon as they are chosen, one after the other, and sent with the form by their names. */
export function PhotoField<Stored extends Photo>({ photos, onPhotos, max, maxBytes, hint, send }: Props<Stored>) {
  const [sending, setSending] = useState(0)
  const [error, setError] = useState<string>()

  const add = async (files: readonly File[]) => {
    const room = max - photos.length
    setError(files.length > room ? say('Please send at most {max} photos.', { max }) : undefined)
    const chosen = files.slice(0, room)
    for (const [index, file] of chosen.entries()) {
      if (file.size > maxBytes) {
        setError(say('{name} is larger than {size} MB.', { name: file.name, size: maxBytes / MB }))
        continue
      }
      setSending(chosen.length - index)
      try {
        const stored = await send(file)
        onPhotos((before) => [...before, stored])
      } catch (failure) {
        setError(sentenceOf(failure))
      }
    }
    setSending(0)
  }

  return (
    <div className="grid gap-3">
      <FieldFrame label={say('Photos')} optional hint={hint} error={error}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            multiple
            accept="image/jpeg,image/png,image/webp,image/avif"
            disabled={sending > 0 || photos.length >= max}
            className={inputClass}
            onChange={({ currentTarget: input }) => {
              const files = [...(input.files ?? [])]
              input.value = ''
              void add(files)
            }}
          />
        )}
      </FieldFrame>
      <p role="status" className="flex items-center gap-3 text-sm text-ink-soft empty:hidden">
        {sending > 0 ? (
          <>
            <Spinner /> {say('Sending {count, plural, one {# photo} other {# photos}}...', { count: sending })}
          </>
        ) : (
          error && <span className="sr-only">{error}</span>
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
                alt={say('Yours, {number} of {total}', { number: index + 1, total: photos.length })}
                className="size-28 rounded-card border border-line object-cover"
              />
              <span className="absolute top-1 right-1 rounded-full bg-surface/92">
                <IconButton
                  icon="close"
                  label={say('Remove photo {number}', { number: index + 1 })}
                  onClick={() => onPhotos((before) => before.filter((photo) => photo.file !== file))}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
