import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const never = () => () => {}

/**
 * The secret that a mailed link carries after `#`; empty when there is none. It is taken out of the address bar, so that it is
 * neither bookmarked nor shown to whoever looks on; the router still knows it until somebody goes elsewhere.
 */
export function useLinkSecret(): string {
  const { hash, pathname } = useLocation()
  useEffect(() => {
    if (hash) history.replaceState(history.state, '', pathname)
  }, [hash, pathname])
  return useSyncExternalStore(
    never,
    () => hash.slice(1),
    // The server never sees it.
    () => '',
  )
}
