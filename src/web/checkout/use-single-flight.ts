import { useRef } from 'react'

/** Lets one thing happen at a time: a second click while the first is at work does nothing. */
export function useSingleFlight() {
  const isTaken = useRef(false)
  return {
    /** @returns false when it is somebody else's turn */
    take: (): boolean => {
      if (isTaken.current) return false
      isTaken.current = true
      return true
    },
    isFree: (): boolean => !isTaken.current,
    give: (): void => {
      isTaken.current = false
    },
  }
}
