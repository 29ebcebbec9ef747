import { useRef, useState } from 'react'
import type { StoredPicture, UploadKind } from '#contract/admin-pictures.ts'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import { ApiError } from '#web/api/client.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field, FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { uploadPicture } from './upload-picture.ts'

const RASTERS = 'image/png,image/jpeg,image/webp,image/avif'

const hints = {
  drawing:
    'PNG or SVG with a transparent ground prints best; JPEG, WebP and AVIF work too. Up to 50 MB. A drawing that nothing uses is deleted after 30 days.',
  picture: 'PNG, JPEG, WebP or AVIF, up to 50 MB',
} as const

type Errors = { file?: string | undefined; alt?: string | undefined }

type Props = {
  kind: UploadKind
  /** Names the group, such as 'Add a picture'. */
  label: string
  onPicture: (picture: StoredPicture) => unknown
}

/** A file and its description; a part of any form, and no form itself. */
export function PictureUpload({ kind, label, onPicture }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [alt, setAlt] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  /** 0..1; undefined when nothing is being sent. */
  const [progress, setProgress] = useState<number>()

  const send = async () => {
    const file = input.current?.files?.[0]
    const missing: Errors = {
      ...(!file && { file: 'Please choose a file' }),
      ...(file && file.size > UPLOAD_MAX_BYTES && { file: 'Please choose a file of at most 50 MB' }),
      ...(alt.trim().length < 3 && { alt: 'Please describe what the picture shows' }),
    }
    setErrors(missing)
    if (!file || missing.file || missing.alt) return
    setProgress(0)
    try {
      await onPicture(await uploadPicture(file, { kind, alt: alt.trim() }, setProgress))
      setAlt('')
      if (input.current) input.current.value = ''
    } catch (error) {
      setErrors(errorsOf(error))
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <fieldset className="grid gap-4 rounded-card border border-line p-4">
      <legend className="px-1 font-semibold">{label}</legend>
      <FieldFrame label="File" hint={hints[kind === 'drawing' ? 'drawing' : 'picture']} error={errors.file}>
        {(attributes) => (
          <input
            {...attributes}
            ref={input}
            type="file"
            accept={kind === 'drawing' ? `${RASTERS},image/svg+xml` : RASTERS}
            className={inputClass}
            onChange={() => setErrors((before) => ({ ...before, file: undefined }))}
          />
        )}
      </FieldFrame>
      <Field
        label="What it shows"
        hint="Read aloud to people who can’t see it, such as “Biscuit asleep on a gray cushion”."
        value={alt}
        maxLength={250}
        error={errors.alt}
        onValue={setAlt}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="outline" busy={progress !== undefined} onClick={() => void send()}>
          Upload
        </Button>
        <span role="status" className="text-sm text-ink-soft">
          {progress === undefined ? '' : progress < 1 ? `${Math.floor(100 * progress)}% sent` : 'Making our sizes …'}
        </span>
      </div>
    </fieldset>
  )
}

function errorsOf(error: unknown): Errors {
  const refusal = error instanceof ApiError ? error.refusal : undefined
  const alt = refusal?.fields?.['alt']
  return alt ? { alt } : { file: refusal?.message ?? (error instanceof Error ? error.message : 'The upload failed.') }
}
