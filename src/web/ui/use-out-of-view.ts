import { useEffect, useState, type RefObject } from 'react'
import { afterPress } from './after-press.ts'

/**
 * Whether the element is outside the window. False until the browser has looked; what depends on it stays where it is pressed.
 * @param leastPx of its height that must be seen above the window's end
 */
export function useOutOfView(element: RefObject<HTMLElement | null>, leastPx = 0): boolean {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    const { current } = element
    if (!current) return undefined
    // A busy browser reports several looks at once.
    const look = (looks: IntersectionObserverEntry[]) =>
      afterPress(() => setVisible(looks.at(-1)?.isIntersecting ?? true))
    const observer = new IntersectionObserver(look, { rootMargin: `0px 0px -${leastPx}px` })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, leastPx])
  return !isVisible
}
