let isNewSession = false
const listeners = new Set<() => void>()

/** Called when the server starts a new session: its cart is empty. */
export function notifyNewSession(): void {
  isNewSession = true
  for (const listener of listeners) listener()
}

/** Calls the listener immediately if the session is already known to be new. @returns unsubscribe */
export function onNewSession(listener: () => void): () => void {
  listeners.add(listener)
  if (isNewSession) listener()
  return () => listeners.delete(listener)
}
