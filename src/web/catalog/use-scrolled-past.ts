import { useEffect, useState, type RefObject } from 'react'

const EVERYTHING_ABOVE = '100000px 0px 0px 0px'

/** Whether an element that was on the screen, or was scrolled past in one go, is no longer there. */
export function useScrolledPast(element: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(true)
  const [wasReached, setReached] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current) return undefined
    const sight = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting ?? true))
    const reach = new IntersectionObserver(
      ([entry]) => setReached((before) => before || entry?.isIntersecting === true),
      {
        rootMargin: EVERYTHING_ABOVE,
      },
    )
    for (const observer of [sight, reach]) observer.observe(current)
    return () => {
      for (const observer of [sight, reach]) observer.disconnect()
    }
  }, [element])
  return wasReached && !isInSight
}
