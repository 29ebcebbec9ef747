import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { say } from '#words/say.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useModal } from '#web/ui/use-modal.ts'
import { Picture } from './Picture.tsx'
import { useSwipe } from './use-swipe.ts'

type Props = {
  open: boolean
  name: string
  pictures: readonly CatalogPicture[]
  picture: CatalogPicture | undefined
  onGo: (steps: 1 | -1) => void
  onClose: () => void
}

/** A point of a picture, from 0 (left, top) to 1. */
type Point = { x: number; y: number }
const MIDDLE: Point = { x: 0.5, y: 0.5 }

/**
 * Full-screen pictures with zoom. A click zooms in at that point; arrow keys or a finger then move the picture. Before zooming, they
 * change to the next picture.
 */
export function PictureViewer({ open, name, pictures, picture, onGo, onClose }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const [zoomedAt, setZoomedAt] = useState<Point>()
  const alt = pictureAlt(name, picture)
  const position = pictures.findIndex(({ src }) => src === picture?.src) + 1

  const close = () => {
    setZoomedAt(undefined)
    onClose()
  }
  const dialog = useModal(open, close)
  const go = (steps: 1 | -1) => {
    setZoomedAt(undefined)
    onGo(steps)
  }
  const swipe = useSwipe((steps) => {
    if (!zoomedAt) go(steps)
  })

  useLayoutEffect(() => {
    const { current } = stage
    if (!current || !zoomedAt) return
    current.scrollLeft = zoomedAt.x * current.scrollWidth - current.clientWidth / 2
    current.scrollTop = zoomedAt.y * current.scrollHeight - current.clientHeight / 2
  }, [zoomedAt])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' && !zoomedAt) setZoomedAt(MIDDLE)
    if (event.key === '-') setZoomedAt(undefined)
    if (zoomedAt) return
    if (event.key === 'ArrowRight') go(1)
    if (event.key === 'ArrowLeft') go(-1)
  }
  const toggleZoom = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    setZoomedAt(zoomedAt ? undefined : { x: (clientX - left) / width, y: (clientY - top) / height })
  }

  return (
    <dialog
      ref={dialog}
      aria-label={say('Pictures of {name}', { name })}
      className="h-dvh max-h-none w-screen max-w-none bg-ground text-ink"
    >
      {/* Keys that no button has handled. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex h-full flex-col" onKeyDown={onKeyDown}>
        <div className="flex items-center justify-between gap-3 border-b border-line bg-surface py-1.5 pr-2 pl-5">
          <p role="status" className="min-w-0 text-[0.9375rem] leading-snug">
            <span className="font-semibold">
              {position} / {pictures.length}
            </span>{' '}
            <span className="text-ink-soft">{alt}</span>
          </p>
          <div className="flex shrink-0">
            <IconButton
              icon={zoomedAt ? 'minus' : 'plus'}
              label={zoomedAt ? say('Zoom out') : say('Zoom in')}
              // A pointer gives the focus again, without the ring that keys have left: the dialog opens with the focus here.
              onPointerDown={({ currentTarget }) => currentTarget.blur()}
              onClick={() => setZoomedAt(zoomedAt ? undefined : MIDDLE)}
            />
            <IconButton icon="close" label={say('Close')} onClick={close} />
          </div>
        </div>
        <div
          ref={stage}
          role="group"
          aria-label={zoomedAt ? say('Enlarged picture, use the arrow keys to move it') : say('Picture')}
          // Focusable, so that arrow keys can move the zoomed picture.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className={classNames(
            'min-h-0 flex-1 focus-visible:-outline-offset-4',
            zoomedAt ? 'overflow-auto overscroll-contain' : 'overflow-hidden touch-pinch-zoom',
          )}
          {...swipe}
        >
          <div className={classNames('mx-auto', zoomedAt ? 'w-[max(160vmin,900px)]' : 'h-full')}>
            {/* The buttons above do the same for keys. */}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
            <div
              onClick={toggleZoom}
              className={classNames(
                'mx-auto',
                zoomedAt ? 'cursor-zoom-out' : 'aspect-square h-full max-w-full cursor-zoom-in',
              )}
            >
              <Picture
                picture={picture}
                alt={alt}
                sizes="max(160vmin, 900px)"
                first
                className={classNames('w-full', zoomedAt ? 'aspect-square object-cover' : 'h-full object-contain')}
              />
            </div>
          </div>
        </div>
        {pictures.length > 1 && (
          <div className="flex items-center justify-center gap-6 border-t border-line bg-surface py-1.5">
            <IconButton icon="left" label={say('Previous picture')} onClick={() => go(-1)} />
            <IconButton icon="right" label={say('Next picture')} onClick={() => go(1)} />
          </div>
        )}
      </div>
    </dialog>
  )
}
