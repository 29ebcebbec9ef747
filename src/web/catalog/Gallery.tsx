import { lazy, Suspense, useState } from 'react'
import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { metalOf } from '#domain/catalog/badge.ts'
import { pictureAlt, pictureBeside, galleryThumbnails } from '#domain/catalog/gallery.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ACROSS_A_PHONE, Picture } from './Picture.tsx'
import { useSwipe } from './use-swipe.ts'

type Props = {
  name: string
  badge: string | null
  pictures: readonly CatalogPicture[]
  current: CatalogPicture | undefined
  /** The chosen color: all of its pictures are shown, and one for each other color. */
  color: string | null
  onShow: (picture: CatalogPicture) => void
}

// Loaded when somebody opens it.
const PictureViewer = lazy(async () => ({ default: (await import('./PictureViewer.tsx')).PictureViewer }))

/**
 * A large picture, and thumbnails in 4 columns when there is more than one (specification, section 9). Swipe to change the
 * picture, click to view it full screen.
 */
export function Gallery({ name, badge, pictures, current, color, onShow }: Props) {
  const [viewer, setViewer] = useState<'never' | 'open' | 'closed'>('never')
  const thumbnails = galleryThumbnails(pictures, color)
  const alt = pictureAlt(name, current ?? { view: '', color: null })
  const go = (steps: 1 | -1) => {
    const next = pictureBeside(thumbnails, current, steps)
    if (next) onShow(next)
  }
  const swipe = useSwipe(go)
  const hasSeveral = thumbnails.length > 1

  return (
    <section aria-label="Pictures" className="min-w-0 self-start lg:sticky lg:top-22">
      <div className="relative overflow-hidden rounded-card plate">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`Look closer: ${alt}`}
          onClick={() => setViewer('open')}
          className="group block w-full cursor-zoom-in touch-pan-y touch-pinch-zoom focus-visible:-outline-offset-4"
          {...swipe}
        >
          <Picture
            picture={current}
            alt={alt}
            sizes={`(min-width: 1312px) 690px, (min-width: 1024px) 55vw, ${ACROSS_A_PHONE}`}
            first
            className="aspect-square w-full object-cover"
          />
          <span className="absolute top-3 right-3 grid size-11 place-items-center rounded-full bg-surface/92 shadow-card transition-colors group-hover:bg-surface noscript:hidden">
            <Icon name="search" className="size-5" />
          </span>
        </button>
        {badge && (
          <Badge metal={metalOf(badge)} className="pointer-events-none absolute top-4 left-4">
            {badge}
          </Badge>
        )}
        {hasSeveral && (
          <div className="absolute right-3 bottom-3 flex items-center rounded-full bg-surface/92 shadow-card noscript:hidden">
            <IconButton icon="left" label="Previous picture" onClick={() => go(-1)} />
            <span role="status" className="min-w-10 text-center text-sm font-medium tabular-nums">
              <span className="sr-only">Picture </span>
              {thumbnails.findIndex(({ src }) => src === current?.src) + 1}
              <span aria-hidden="true"> / </span>
              <span className="sr-only"> of </span>
              {thumbnails.length}
            </span>
            <IconButton icon="right" label="Next picture" onClick={() => go(1)} />
          </div>
        )}
      </div>
      {hasSeveral && (
        <ul className="mt-3 grid grid-cols-4 gap-2 sm:gap-3">
          {thumbnails.map((picture) => (
            <li key={picture.src}>
              <button
                type="button"
                aria-label={`Show ${pictureAlt(name, picture)}`}
                aria-pressed={picture.src === current?.src}
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
      {viewer !== 'never' && (
        <Suspense>
          <PictureViewer
            open={viewer === 'open'}
            name={name}
            pictures={thumbnails}
            picture={current}
            onGo={go}
            onClose={() => setViewer('closed')}
          />
        </Suspense>
      )}
    </section>
  )
}
