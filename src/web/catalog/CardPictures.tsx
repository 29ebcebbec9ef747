import { useRef, useState, type RefObject } from 'react'
import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { cardPictures, inUse, pictureAlt } from '#domain/catalog/gallery.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { Picture } from './Picture.tsx'

type Props = {
  name: string
  address: string
  /** The one in the list. */
  picture: CatalogPicture | null
  /** Loaded when a pointer or the focus has reached the card. */
  all: readonly CatalogPicture[] | undefined
  color: string | null
  /** Whether somebody picked the color: then its front stays under the pointer. */
  isPicked: boolean
  sizes: string
  first: boolean
  /** The card scrolls it to the start when another color is picked. */
  strip: RefObject<HTMLDivElement | null>
}

const PICTURES_MAX = 5

/** A strip of pictures, by swipe or arrow keys. Under a mouse the first gives way to the same piece in use. */
export function CardPictures({ name, address, picture, all, color, isPicked, sizes, first, strip }: Props) {
  const [position, setPosition] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const updatePosition = ({ scrollLeft, clientWidth }: HTMLElement) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPosition(clientWidth ? Math.round(scrollLeft / clientWidth) : 0), 60)
  }
  const isListed = (shown: CatalogPicture) => Number(shown.src === picture?.src)
  const pictures =
    all && all.length > 0
      ? // The one in the list stays the first.
        cardPictures(all, color, PICTURES_MAX).toSorted((a, b) => isListed(b) - isListed(a))
      : [picture ?? undefined]
  const use = isPicked || !all ? undefined : inUse(all, color)

  return (
    <>
      <div
        ref={strip}
        role="group"
        aria-label={say('Pictures of {name}', { name })}
        // Focusable, so that arrow keys can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget }) => updatePosition(currentTarget)}
        className="card-strip"
      >
        {pictures.map((shown, index) => (
          <Link key={shown?.src ?? ''} to={address} tabIndex={-1}>
            <Picture picture={shown} alt={pictureAlt(name, shown)} sizes={sizes} first={first && index === 0} />
            {index === 0 && use && <Picture picture={use} alt="" sizes={sizes} className="card-use" />}
          </Link>
        ))}
        {/* Room for a first swipe before the other pictures load. */}
        {!all && picture && <span className="noscript:hidden" />}
      </div>
      {pictures.length > 1 && (
        <div aria-hidden="true" className="card-dots">
          {pictures.map((shown, index) => (
            <span key={shown?.src ?? ''} data-shown={index === position || undefined} />
          ))}
        </div>
      )}
    </>
  )
}
