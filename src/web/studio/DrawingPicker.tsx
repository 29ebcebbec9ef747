import { useQueryClient } from '@tanstack/react-query'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import { PictureUpload } from '#web/admin/PictureUpload.tsx'
import { drawingsQuery } from './studio-queries.ts'

type Props = {
  pictures: readonly StoredPicture[]
  chosen: string | undefined
  onChoose: (picture: StoredPicture) => void
}

/** Drawings uploaded before, and a field for a new one. */
export function DrawingPicker({ pictures, chosen, onChoose }: Props) {
  const queries = useQueryClient()
  return (
    <section aria-label="Drawings" className="grid grid-cols-1 gap-4">
      <PictureUpload
        kind="drawing"
        label="New drawing"
        onPicture={async (stored) => {
          await queries.invalidateQueries({ queryKey: drawingsQuery.queryKey })
          onChoose(stored)
        }}
      />
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
