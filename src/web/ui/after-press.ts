const queue: (() => void)[] = []
let isPressed = false

/** Call once per page; `afterPress` relies on it. */
export function watchPresses(page: Document): void {
  // Another button opens a menu of the browser, which may keep its mouseup.
  page.addEventListener('mousedown', ({ button }) => void (isPressed = button === 0), true)
  // A press that opens a native list or starts a drag ends without a mouseup.
  for (const name of ['mouseup', 'dragend', 'contextmenu', 'keydown', 'change'])
    page.addEventListener(name, release, true)
}

function release(): void {
  isPressed = false
  // The pressed control's own handlers run first.
  if (queue.length > 0) setTimeout(() => queue.splice(0).forEach((act) => act()))
}

/**
 * Runs a layout change now, or after the current press. A press blurs the previous field, and that field's error message would
 * move the pressed control away before the button is released.
 */
export function afterPress(act: () => void): void {
  if (isPressed) queue.push(act)
  else act()
}
