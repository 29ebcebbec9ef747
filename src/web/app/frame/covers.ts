/** Whether an element lies over something to read or to press, at its middle or its corners. A picture that is no link may lie under it. */
export function coversSomething(element: HTMLElement): boolean {
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
