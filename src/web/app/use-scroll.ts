import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { afterPress } from '#web/ui/after-press.ts'

const SCROLL_TO_TOP_MS = 100 // specification, section 9

/**
 * Scrolls a new page to the top after 100 ms, an anchor into view, and Back to where the reader left off. Focus moves along, for
 * keyboards and screen readers.
 */
export function useScroll(): void {
  const { key, pathname, hash } = useLocation()
  // History entries of plain `#` links have no key.
  const entry = `${key}${hash}`
  const navigationType = useNavigationType()
  const scrollPositions = useRef(new Map<string, number>())
  const shownPath = useRef(pathname)
  const isFirst = useRef(true)

  useEffect(() => {
    history.scrollRestoration = 'manual'
    // On reload the browser restores the position itself.
    const restoreAutomatically = () => {
      history.scrollRestoration = 'auto'
    }
    addEventListener('pagehide', restoreAutomatically)
    return () => removeEventListener('pagehide', restoreAutomatically)
  }, [])

  useLayoutEffect(() => {
    const positions = scrollPositions.current
    const savePosition = () => positions.set(entry, scrollY)
    // The reader may have scrolled before the app started.
    if (isFirst.current) savePosition()
    addEventListener('scroll', savePosition, { passive: true })
    return () => removeEventListener('scroll', savePosition)
  }, [entry])

  useLayoutEffect(() => {
    const isNewPage = shownPath.current !== pathname
    shownPath.current = pathname
    if (isFirst.current) {
      isFirst.current = false
      return undefined
    }
    if (isNewPage) document.querySelector('main')?.focus({ preventScroll: true })
    // A plain `#` link is also a POP, but its entry has no state from the router.
    if (navigationType === 'POP' && history.state)
      scrollTo({ top: scrollPositions.current.get(entry) ?? 0, behavior: 'instant' })
    else if (hash) {
      const target = document.getElementById(hash.slice(1))
      target?.scrollIntoView()
      // The start of a list takes the focus when a reader opens its next page.
      if (target?.hasAttribute('tabindex')) target.focus({ preventScroll: true })
    } else if (isNewPage) {
      // A press on the new page would otherwise end on something else than it began on, and do nothing.
      const toTop = () => scrollTo({ top: 0, behavior: 'instant' })
      const timer = setTimeout(() => afterPress(toTop), SCROLL_TO_TOP_MS)
      return () => clearTimeout(timer)
    }
    return undefined
  }, [entry, pathname, hash, navigationType])
}
