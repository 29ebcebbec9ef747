const waiting: (() => void)[] = []
let isPressed = false

/** From now on it is known whether something is being pressed. */
export function watchPresses(page: Document): void {
  page.addEventListener('mousedown', () => void (isPressed = true), true)
  // A press that opens a list of the browser's own, or drags something, ends without the mouse being heard.
  for (const name of ['mouseup', 'dragend', 'keydown', 'change']) page.addEventListener(name, release, true)
}

function release(): void {
  isPressed = false
  // What was pressed hears of it first.
  if (waiting.length > 0) setTimeout(() => waiting.splice(0).forEach((act) => act()))
}

/**
 * Does at once what makes the page longer or shorter, or, while something is being pressed, after that: a press takes the focus
 * from the field before, and what is said of that field would push away what is pressed before it is let go.
 */
export function afterPress(act: () => void): void {
  if (isPressed) waiting.push(act)
  else act()
}
