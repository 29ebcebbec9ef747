import { useRef, useState, type RefObject } from 'react'
import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { Link } from '#web/app/Link.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { Picture } from './Picture.tsx'

type Props = {
  name: string
  address: string
  pictures: readonly CatalogPicture[]
  sizes: string
  first: boolean
  /** Whether a pointer or the focus has reached the card: only then are the other pictures loaded. */
  isOpened: boolean
  /** The card scrolls it to the start when another color is picked. */
  strip: RefObject<HTMLDivElement | null>
}

/** A strip of pictures: swipe, arrow keys, or two buttons for a mouse. */
export function CardPictures({ name, address, pictures, sizes, first, isOpened, strip }: Props) {
  const [position, setPosition] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const updatePosition = ({ scrollLeft, clientWidth }: HTMLElement) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPosition(clientWidth ? Math.round(scrollLeft / clientWidth) : 0), 60)
  }
  const go = (steps: 1 | -1) => strip.current?.scrollBy({ left: steps * strip.current.clientWidth, behavior: 'smooth' })

  return (
    <>
      <div
        ref={strip}
        role="group"
        aria-label={`Pictures of ${name}`}
        // Focusable, so that arrow keys can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget }) => updatePosition(currentTarget)}
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain rounded-card [scrollbar-width:none] focus-visible:-outline-offset-4"
      >
        {pictures.slice(0, isOpened ? pictures.length : 1).map((picture, index) => (
          <Link
            key={picture.src}
            to={address}
            tabIndex={-1}
            className="block w-full shrink-0 snap-start overflow-hidden"
          >
            <Picture
              picture={picture}
              alt={pictureAlt(name, picture)}
              sizes={sizes}
              first={first && index === 0}
              className="aspect-square w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.025]"
            />
          </Link>
        ))}
        {/* Room for a first swipe before the other pictures load. */}
        {!isOpened && pictures.length > 1 && <span className="w-full shrink-0 snap-start noscript:hidden" />}
        {pictures.length === 0 && (
          <Link to={address} tabIndex={-1} className="block w-full shrink-0">
            <Picture picture={undefined} alt={name} sizes={sizes} className="aspect-square w-full object-cover" />
          </Link>
        )}
      </div>
      {isOpened && pictures.length > 1 && (
        <div aria-hidden="true" className="noscript:hidden">
          {position > 0 && <Arrow icon="left" className="left-2" onGo={() => go(-1)} />}
          {position < pictures.length - 1 && <Arrow icon="right" className="right-2" onGo={() => go(1)} />}
          <div className="pointer-events-none absolute inset-x-0 bottom-2.5 flex justify-center gap-1">
            {pictures.map(({ src }, index) => (
              <span
                key={src}
                className={classNames(
                  'h-[3px] w-4 rounded-full shadow-[0_0_0_1px_rgb(255_255_255/0.55)]',
                  index === position ? 'bg-ink' : 'bg-ink/25',
                )}
              />
            ))}
          </div>
        </div>
      )}
    </>
  )
}

/** For a mouse only: fingers and keys scroll the strip itself. */
const Arrow = ({ icon, className, onGo }: { icon: IconName; className: string; onGo: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    onClick={onGo}
    className={classNames(
      'absolute top-1/2 hidden size-10 -translate-y-1/2 position-items-center rounded-full bg-surface/92 shadow-card hover:bg-surface pointer-fine:group-hover:grid',
      className,
    )}
  >
    <Icon name={icon} className="size-5" />
  </button>
)
