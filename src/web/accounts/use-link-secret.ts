import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const subscribeNever = () => () => {}

/**
 * The secret after `#` in an emailed link; empty without one. It is removed from the address bar, so it is neither bookmarked nor
 * seen over the shoulder; the router keeps it until the next navigation.
 */
export function useLinkSecret(): string {
  const { hash, pathname } = useLocation()
  useEffect(() => {
    if (hash) history.replaceState(history.state, '', pathname)
  }, [hash, pathname])
  return useSyncExternalStore(
    subscribeNever,
    () => hash.slice(1),
    // The server never sees it.
    () => '',
  )
}
