import { useRef, type TouchEvent } from 'react'

const SWIPE_MIN_PX = 45

/**
 * A finger that goes sideways: 1 to the left, for what comes next, -1 to the right. Two fingers zoom, and up and down scrolls.
 */
export function useSwipe(onSwipe: (steps: 1 | -1) => void) {
  const begun = useRef<{ x: number; y: number }>(undefined)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const finger = touches[0]
      begun.current = finger && touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const finger = changedTouches[0]
      if (!finger || !begun.current) return
      const [across, along] = [finger.clientX - begun.current.x, finger.clientY - begun.current.y]
      begun.current = undefined
      if (Math.abs(across) >= SWIPE_MIN_PX && Math.abs(across) > 1.5 * Math.abs(along)) onSwipe(across < 0 ? 1 : -1)
    },
  }
}
