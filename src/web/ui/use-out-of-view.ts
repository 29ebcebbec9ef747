import { useEffect, useState, type RefObject } from 'react'
import { afterPress } from './after-press.ts'

/** Whether the element is outside the window. False until the browser has looked; what depends on it stays where it is pressed. */
export function useOutOfView(element: RefObject<HTMLElement | null>): boolean {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    const { current } = element
    if (!current) return undefined
    const observer = new IntersectionObserver(([entry]) => afterPress(() => setVisible(entry?.isIntersecting ?? true)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return !isVisible
}
