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
  // What arrives late may be as high as what stood for it, such as an express button.
  const changed = new MutationObserver(lookLater)
  changed.observe(document.body, { childList: true, subtree: true })
  addEventListener('scroll', lookLater, { passive: true })
  addEventListener('resize', lookLater)
  return () => {
    clearTimeout(timer)
    grown.disconnect()
    changed.disconnect()
    removeEventListener('scroll', lookLater)
    removeEventListener('resize', lookLater)
  }
}

/** How far apart the points are where it looks: less than a line of text. */
const STEP_PX = 11

/** Whether an element lies over something to read or to press. A picture that is no link may lie under it. */
function coversSomething(element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const along = (from: number, to: number) =>
    Array.from({ length: Math.ceil((to - from) / STEP_PX) + 1 }, (_, step) => Math.min(from + step * STEP_PX, to - 1))
  return along(left, right)
    .flatMap((x) => along(top, bottom).map((y) => [x, y] as const))
    .some(([x, y]) => {
      const under = document.elementsFromPoint(x, y).find((one) => !element.parentElement?.contains(one))
      if (!under) return false
      const hasText = [...under.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
      return hasText || under.closest('a, button, input, select, textarea, label, summary, form') !== null
    })
}
