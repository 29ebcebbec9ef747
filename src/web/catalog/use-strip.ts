import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** After the last scroll event: the strip has come to rest on a picture. */
const REST_MS = 90
/** Longer than a browser moves a strip by itself: on a slow phone it may pause on the way, where no finger has left it. */
const MOVE_MS = 1000

/**
 * A strip of snapping pictures that is moved by finger, and by the choice of a picture.
 * @param index of the picture to show
 * @param onRest for the picture that a finger has brought to rest
 */
export function useStrip<P>(pictures: readonly P[], index: number, onRest: (picture: P) => void) {
  const strip = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const movesUntil = useRef(0)

  // Before the paint, so that a new strip begins at its picture.
  useLayoutEffect(() => {
    const { current } = strip
    if (!current || positionOf(current) === index) return
    movesUntil.current = performance.now() + MOVE_MS
    current.scrollTo({ left: index * current.clientWidth })
  }, [index])
  useEffect(() => () => clearTimeout(timer.current), [])

  const onScroll = () => {
    clearTimeout(timer.current)
    const wait = Math.max(REST_MS, movesUntil.current - performance.now())
    timer.current = setTimeout(() => {
      const { current } = strip
      const picture = current ? pictures[positionOf(current)] : undefined
      if (current && picture !== undefined && positionOf(current) !== index) onRest(picture)
    }, wait)
  }
  return { ref: strip, onScroll }
}

const positionOf = ({ scrollLeft, clientWidth }: HTMLElement): number => Math.round(scrollLeft / clientWidth)

/** Whether the page has loaded: further pictures must not delay the first. */
export function useLoaded(): boolean {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    const onLoad = () => setLoaded(true)
    if (document.readyState === 'complete') onLoad()
    addEventListener('load', onLoad)
    return () => removeEventListener('load', onLoad)
  }, [])
  return isLoaded
}
