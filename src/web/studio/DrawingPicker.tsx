import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { drawingsQuery } from './studio-queries.ts'
import { uploadDrawing } from './upload-drawing.ts'

type Props = {
  pictures: readonly StoredPicture[]
  chosen: string | undefined
  onChoose: (picture: StoredPicture) => void
}

/** Drawings uploaded before, and a field for a new one. */
export function DrawingPicker({ pictures, chosen, onChoose }: Props) {
  const id = useId()
  const queries = useQueryClient()
  const { run, busy, failure } = useRequest()
  const [alt, setAlt] = useState('')
  const [file, setFile] = useState<File>()
  const upload = () =>
    run(async () => {
      if (!file) return
      const stored = await uploadDrawing(file, alt)
      await queries.invalidateQueries({ queryKey: drawingsQuery.queryKey })
      onChoose(stored)
      setFile(undefined)
      setAlt('')
    })
  return (
    <section aria-label="Drawings" className="grid gap-4">
      <div className="grid gap-4 rounded-card border border-line p-4 sm:grid-cols-2">
        <div className="flex flex-col gap-1.5">
          <label htmlFor={id} className="text-[0.9375rem] font-medium">
            New drawing
          </label>
          <input
            id={id}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/avif,image/svg+xml"
            className="min-h-12 py-2"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
          <p className="text-sm text-ink-soft">
            PNG or SVG with a transparent ground prints best. At most 50 MB. Drawings that nothing uses are deleted
            after 30 days.
          </p>
        </div>
        <Field label="What it shows" value={alt} onValue={setAlt} maxLength={250} hint="For people who can’t see it." />
        <div>
          <Button busy={busy} aria-disabled={!file || alt.trim().length < 3} onClick={() => void upload()}>
            Upload
          </Button>
        </div>
        {failure && (
          <div className="sm:col-span-2">
            <Notice title="Not uploaded">{failure.sentence}</Notice>
          </div>
        )}
      </div>
      {pictures.length > 0 && (
        <ul className="flex flex-wrap gap-3" aria-label="Drawings uploaded before">
          {pictures.map((picture) => (
            <li key={picture.file}>
              <button
                type="button"
                aria-pressed={picture.file === chosen}
                onClick={() => onChoose(picture)}
                className="rounded-card border-2 border-line bg-ground p-1 aria-pressed:border-ink"
              >
                <img
                  src={picture.src}
                  srcSet={picture.srcSet}
                  sizes="96px"
                  alt={picture.alt}
                  className="size-24 object-contain"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
