import { useRef } from 'react'

/** A lock against double clicks: a second attempt does nothing while the first is running. */
export function useSingleFlight() {
  const isLocked = useRef(false)
  return {
    /** @returns false while another attempt is running */
    acquire: (): boolean => {
      if (isLocked.current) return false
      isLocked.current = true
      return true
    },
    isFree: (): boolean => !isLocked.current,
    release: (): void => {
      isLocked.current = false
    },
  }
}
