import { useRef, useState } from 'react'
import type { Logo } from '#site/settings.ts'
import { groundOf } from '#domain/pictures/logo-ground.ts'
import { logoAddress } from '#domain/pictures/logo.ts'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import { ApiError } from '#web/api/client.ts'
import { useSite } from '#web/api/use-site.ts'
import { FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { uploadPicture } from './upload-picture.ts'

type Props = { label: string; hint: string; name: string; value: unknown }

/** A logo's file, uploaded as soon as it is chosen, as it will look on a light and on a dark ground. The form saves it. */
export function LogoInput({ label, hint, name, value }: Props) {
  const site = useSite()
  const input = useRef<HTMLInputElement>(null)
  const [logo, setLogo] = useState(value as Logo | null)
  const [error, setError] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const isNew = JSON.stringify(logo) !== JSON.stringify(value)

  const send = async (file: File | undefined) => {
    setError(file && file.size > UPLOAD_MAX_BYTES ? 'Please choose a file of at most 50 MB' : undefined)
    if (!file || file.size > UPLOAD_MAX_BYTES) return
    setIsSending(true)
    try {
      const stored = await uploadPicture(file, { kind: 'logo', alt: `${site.name} logo` }, () => undefined)
      const { file: picture, width, height, drawing } = stored
      if (drawing) setLogo({ file: picture, width, height, ground: groundOf(drawing) })
    } catch (failure) {
      const refusal = failure instanceof ApiError ? failure.refusal?.message : undefined
      setError(refusal ?? (failure instanceof Error ? failure.message : 'The upload failed.'))
    } finally {
      setIsSending(false)
      if (input.current) input.current.value = ''
    }
  }

  return (
    <div className="grid w-full gap-3">
      <input type="hidden" name={name} value={JSON.stringify(logo)} />
      <FieldFrame
        label={label}
        hint={`${hint} PNG, WebP, SVG, JPEG or AVIF, up to 50 MB; best with a transparent ground and without a margin.`}
        error={error}
      >
        {(attributes) => (
          <input
            {...attributes}
            ref={input}
            type="file"
            accept="image/png,image/webp,image/svg+xml,image/jpeg,image/avif"
            className={inputClass}
            onChange={(event) => void send(event.target.files?.[0])}
          />
        )}
      </FieldFrame>
      {logo && (
        <div data-as-in-shop className="grid gap-3 sm:grid-cols-2">
          {(['light', 'dark'] as const).map((on) => (
            <figure key={on} className="overflow-hidden rounded-card border border-line">
              <div
                className={`grid h-24 place-items-center p-4 ${on === 'dark' ? 'on-dark bg-charcoal' : 'bg-surface'}`}
              >
                {/* As in `Logo.tsx`, which is part of every first page and imports nothing from here. */}
                <img
                  src={logoAddress(logo, 'webp')}
                  width={logo.width}
                  height={logo.height}
                  alt={site.name}
                  className={`logo logo-${logo.ground}`}
                />
              </div>
              <figcaption className="border-t border-line px-3 py-2 text-sm text-ink-soft">
                {on === 'dark' ? 'Footer and emails' : 'Header'}
              </figcaption>
            </figure>
          ))}
        </div>
      )}
      <p role="status" className="text-sm text-ink-soft">
        {isSending ? 'Uploading …' : isNew && logo ? 'Ready. Save label to show it to shoppers.' : ''}
      </p>
    </div>
  )
}
