import { useEffect, useState, type RefObject } from 'react'

const EVERYTHING_ABOVE = '100000px 0px 0px 0px'

/** Whether the reader has reached the element, also by jumping past it, and it is out of view now. */
export function useScrolledPast(element: RefObject<HTMLElement | null>): boolean {
  const [isVisible, setVisible] = useState(true)
  const [wasReached, setReached] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current) return undefined
    const visibility = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? true))
    const reach = new IntersectionObserver(
      ([entry]) => setReached((before) => before || entry?.isIntersecting === true),
      {
        rootMargin: EVERYTHING_ABOVE,
      },
    )
    for (const observer of [visibility, reach]) observer.observe(current)
    return () => {
      for (const observer of [visibility, reach]) observer.disconnect()
    }
  }, [element])
  return wasReached && !isVisible
}
