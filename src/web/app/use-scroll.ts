import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const SCROLL_TO_TOP_MS = 100 // specification, section 9

/**
 * A new page begins at its top after 100 ms, an anchor at its place, and Back where one left off.
 * The reader's focus goes along, so that keys and screen readers are on the new page too.
 */
export function useScroll(): void {
  const { key, pathname, hash } = useLocation()
  // The entries that a plain `#` link makes have no key of their own.
  const entry = `${key}${hash}`
  const how = useNavigationType()
  const places = useRef(new Map<string, number>())
  const shownPath = useRef(pathname)
  const isFirst = useRef(true)

  useEffect(() => {
    history.scrollRestoration = 'manual'
    // A page that is loaded again is put back by the browser itself.
    const handOver = () => {
      history.scrollRestoration = 'auto'
    }
    addEventListener('pagehide', handOver)
    return () => removeEventListener('pagehide', handOver)
  }, [])

  useLayoutEffect(() => {
    const noted = places.current
    const note = () => noted.set(entry, scrollY)
    // Somebody may have scrolled before the app came.
    if (isFirst.current) note()
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [entry])

  useLayoutEffect(() => {
    const isNewPage = shownPath.current !== pathname
    shownPath.current = pathname
    if (isFirst.current) {
      isFirst.current = false
      return undefined
    }
    if (isNewPage) document.querySelector('main')?.focus({ preventScroll: true })
    // A plain `#` link is told like Back, but its entry bears nothing of the app: it is new, and its place is the anchor's.
    if (how === 'POP' && history.state) scrollTo({ top: places.current.get(entry) ?? 0, behavior: 'instant' })
    else if (hash) {
      const place = document.getElementById(hash.slice(1))
      place?.scrollIntoView()
      // The beginning of a list takes the focus, for who goes on to its next page.
      if (place?.hasAttribute('tabindex')) place.focus({ preventScroll: true })
    } else if (isNewPage) {
      const timer = setTimeout(() => scrollTo({ top: 0, behavior: 'instant' }), SCROLL_TO_TOP_MS)
      return () => clearTimeout(timer)
    }
    return undefined
  }, [entry, pathname, hash, how])
}
