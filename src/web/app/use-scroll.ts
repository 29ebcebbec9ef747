import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const SCROLL_TO_TOP_MS = 100 // specification, section 9

/**
 * A new page begins at its top after 100 ms, an anchor at its place, and Back where one left off.
 * The reader's focus goes along, so that keys and screen readers are on the new page too.
 */
export function useScroll(): void {
  const { key, pathname, hash } = useLocation()
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
    const note = () => noted.set(key, scrollY)
    // Somebody may have scrolled before the app came.
    if (isFirst.current) note()
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [key])

  useLayoutEffect(() => {
    const isNewPage = shownPath.current !== pathname
    shownPath.current = pathname
    if (isFirst.current) {
      isFirst.current = false
      return undefined
    }
    if (isNewPage) document.querySelector('main')?.focus({ preventScroll: true })
    if (how === 'POP') scrollTo({ top: places.current.get(key) ?? 0, behavior: 'instant' })
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
  }, [key, pathname, hash, how])
}
