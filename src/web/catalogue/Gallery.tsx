import type { Picture as CataloguePicture } from '#contract/catalogue.ts'
import { altOf } from '#domain/catalogue/gallery.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { metalOf } from '#domain/catalogue/badge.ts'
import { Picture } from './Picture.tsx'

type Props = {
  name: string
  badge: string | null
  pictures: readonly CataloguePicture[]
  shown: CataloguePicture | undefined
  onShow: (picture: CataloguePicture) => void
}

/** One large picture, and all of them small, in 4 columns when there is more than one (specification, section 9). */
export function Gallery({ name, badge, pictures, shown, onShow }: Props) {
  return (
    <section aria-label="Pictures" className="min-w-0 self-start lg:sticky lg:top-22">
      <div className="relative overflow-hidden rounded-card plate">
        <Picture
          picture={shown}
          alt={altOf(name, shown ?? { view: '', colour: null })}
          sizes="(min-width: 1312px) 690px, (min-width: 1024px) 55vw, 92vw"
          first
          className="aspect-square w-full object-cover"
        />
        {badge && (
          <Badge metal={metalOf(badge)} className="absolute top-4 left-4">
            {badge}
          </Badge>
        )}
      </div>
      {pictures.length > 1 && (
        <ul className="mt-3 grid grid-cols-4 gap-2 sm:gap-3">
          {pictures.map((picture) => (
            <li key={picture.src}>
              <button
                type="button"
                aria-label={`Show ${altOf(name, picture)}`}
                aria-pressed={picture.src === shown?.src}
                onClick={() => onShow(picture)}
                className="block w-full overflow-hidden rounded-card border border-line plate transition-colors hover:border-ink aria-pressed:border-ink aria-pressed:ring-1 aria-pressed:ring-ink"
              >
                <Picture
                  picture={picture}
                  alt=""
                  sizes="(min-width: 1024px) 14vw, 23vw"
                  className="aspect-square w-full object-cover"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
