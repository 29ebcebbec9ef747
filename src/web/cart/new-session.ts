let hasBegun = false
const listeners = new Set<() => void>()

/** The shop says that this browser's session is new: it holds no cart, whatever was in the old one. */
export function notifyNewSession(): void {
  hasBegun = true
  for (const tell of listeners) tell()
}

/** Calls `tell` when the session has begun on this page, at once or later. @returns an end to it */
export function onNewSession(tell: () => void): () => void {
  listeners.add(tell)
  if (hasBegun) tell()
  return () => listeners.delete(tell)
}
