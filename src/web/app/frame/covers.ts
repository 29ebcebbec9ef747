import type { RefObject } from 'react'

const SETTLED_MS = 150

/** Reports, once the page is at rest, whether an element would cover something to read or to press. @returns a function that stops it */
export function watchCovered(element: RefObject<HTMLElement | null>, onLook: (covers: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const lookLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => onLook(element.current !== null && coversSomething(element.current)), SETTLED_MS)
  }
  const grown = new ResizeObserver(lookLater)
  grown.observe(document.body)
  addEventListener('scroll', lookLater, { passive: true })
  addEventListener('resize', lookLater)
  return () => {
    clearTimeout(timer)
    grown.disconnect()
    removeEventListener('scroll', lookLater)
    removeEventListener('resize', lookLater)
  }
}

/** Whether an element lies over something to read or to press, at its middle or its corners. A picture that is no link may lie under it. */
function coversSomething(element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const [middle, center] = [(left + right) / 2, (top + bottom) / 2]
  return [
    [middle, center],
    [left, top],
    [right - 1, top],
    [left, bottom - 1],
    [right - 1, bottom - 1],
  ].some(([x = 0, y = 0]) => {
    const under = document.elementsFromPoint(x, y).find((one) => !element.parentElement?.contains(one))
    if (!under) return false
    const hasText = [...under.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    return hasText || under.closest('a, button, input, select, textarea, label, summary, form') !== null
  })
}
