import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { galleryPictures, pictureAlt, pictureBeside } from '#domain/catalog/gallery.ts'
import { say } from '#words/say.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ACROSS_A_PHONE, Picture } from './Picture.tsx'
import { useLoaded, useStrip } from './use-strip.ts'

type Props = {
  name: string
  pictures: readonly CatalogPicture[]
  current: CatalogPicture | undefined
  /** The chosen color, whose views are shown: other colors are chosen at their swatches. */
  color: string | null
  onShow: (picture: CatalogPicture) => void
}

const sizes = `(min-width: 1312px) 690px, (min-width: 768px) 55vw, ${ACROSS_A_PHONE}`

// Loaded when somebody opens it.
const PictureViewer = lazy(async () => ({ default: (await import('./PictureViewer.tsx')).PictureViewer }))

/**
 * A strip of large pictures that snaps: swiped on phones, and moved by thumbnails: in one row on phones, in 4 columns (specification,
 * section 9) on larger screens. A click views a picture full screen.
 */
export function Gallery({ name, pictures, current, color, onShow }: Props) {
  const [viewer, setViewer] = useState<'never' | 'open' | 'closed'>('never')
  const shown = galleryPictures(pictures, color)
  const index = Math.max(
    0,
    shown.findIndex(({ src }) => src === current?.src),
  )
  const isReady = useLoaded()
  // The next one is there when somebody swipes; who looks at one picture downloads two.
  const [farthest, setFarthest] = useState(index)
  if (index > farthest) setFarthest(index)
  const go = (steps: 1 | -1) => {
    const next = pictureBeside(shown, current, steps)
    if (next) onShow(next)
  }
  const hasSeveral = shown.length > 1
  const before = usePictureBefore(shown[0]?.src, current)

  return (
    <section aria-label={say('Pictures')} className="min-w-0 self-start lg:sticky lg:top-22 lg:row-span-2">
      <div className="relative overflow-hidden rounded-card plate">
        {before && (
          <Picture picture={before} alt="" sizes={sizes} className="absolute inset-0 size-full object-cover" />
        )}
        {/* The key fades another color in, over the one before. */}
        <Strip key={shown[0]?.src} pictures={shown} index={index} onRest={onShow}>
          {/* Within the strip, so that a finger on it moves the pictures. It stays in place over them. */}
          <button
            type="button"
            aria-haspopup="dialog"
            aria-label={say('Look closer: {picture}', { picture: pictureAlt(name, current) })}
            onClick={() => setViewer('open')}
            className="group sticky left-0 z-10 -mr-[100%] block w-full shrink-0 cursor-zoom-in touch-pan-x touch-pan-y touch-pinch-zoom focus-visible:-outline-offset-4"
          >
            <span className="absolute top-3 right-3 grid size-11 place-items-center rounded-full bg-surface/92 shadow-card transition-colors group-hover:bg-surface noscript:hidden">
              <Icon name="search" className="size-5" />
            </span>
          </button>
          {(shown.length > 0 ? shown : [undefined]).map((picture, position) => (
            <div
              key={picture?.src ?? 'none'}
              aria-hidden={position !== index}
              className="aspect-11/10 w-full shrink-0 snap-start snap-always md:aspect-square"
            >
              {(position <= (isReady ? farthest + 1 : 0) || position === index) && (
                <Picture
                  picture={picture}
                  alt={pictureAlt(name, picture)}
                  sizes={sizes}
                  first={position === index}
                  className="size-full object-cover"
                />
              )}
            </div>
          ))}
        </Strip>
        {hasSeveral && (
          <div className="gallery-pager max-md:sr-only">
            <IconButton icon="left" label={say('Previous picture')} onClick={() => go(-1)} />
            <span role="status" className="min-w-10 text-center text-sm font-medium">
              <span className="sr-only">{`${say('Picture')} `}</span>
              {index + 1}
              <span aria-hidden="true"> / </span>
              <span className="sr-only">{` ${say('of')} `}</span>
              {shown.length}
            </span>
            <IconButton icon="right" label={say('Next picture')} onClick={() => go(1)} />
          </div>
        )}
      </div>
      {hasSeveral && (
        <ul className="thumbnails">
          {shown.map((picture, position) => (
            <li key={picture.src}>
              <button
                type="button"
                aria-label={say('Show {picture}', { picture: pictureAlt(name, picture) })}
                aria-pressed={position === index}
                onClick={() => onShow(picture)}
                className="plate"
              >
                <Picture picture={picture} alt="" sizes="auto, 84px" />
                <span className="thumbnail-text">{pictureAlt(name, picture).split(': ').at(-1)}</span>
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
            pictures={shown}
            picture={current}
            onGo={go}
            onClose={() => setViewer('closed')}
          />
        </Suspense>
      )}
    </section>
  )
}

type StripProps = {
  pictures: readonly CatalogPicture[]
  index: number
  onRest: (picture: CatalogPicture) => void
  children: ReactNode
}

const Strip = ({ pictures, index, onRest, children }: StripProps) => (
  <div
    {...useStrip(pictures, index, onRest)}
    className="relative flex snap-x snap-mandatory [scrollbar-width:none] overflow-x-auto overflow-y-hidden overscroll-x-contain scroll-smooth transition-opacity duration-[180ms] starting:opacity-0"
  >
    {children}
  </div>
)

/** The last picture of another strip, which the new one covers. */
function usePictureBefore(strip: string | undefined, picture: CatalogPicture | undefined): CatalogPicture | undefined {
  const [seen, setSeen] = useState<{ strip: typeof strip; picture: typeof picture; before: typeof picture }>({
    strip,
    picture,
    before: undefined,
  })
  if (seen.strip !== strip) setSeen({ strip, picture, before: seen.picture })
  else if (seen.picture !== picture) setSeen({ ...seen, picture })
  return seen.before
}
