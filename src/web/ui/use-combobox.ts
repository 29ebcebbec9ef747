import { useEffect, useId, useState, type KeyboardEvent } from 'react'

const DEBOUNCE_MS = 150

/**
 * A combobox whose focus stays in the field (WAI-ARIA pattern, list autocomplete with manual selection). Options are looked up for
 * `text` while `isEnabled`; `over` takes their number, and gives what field and list need.
 * @param lengthMin of what is typed before options are looked up
 */
export function useCombobox(lengthMin: number) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  const [isDismissed, setIsDismissed] = useState(false)
  const [activeIndex, setActiveIndex] = useState(-1)
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  const dismiss = () => {
    setIsDismissed(true)
    setActiveIndex(-1)
  }

  return {
    text,
    isEnabled: text.length >= lengthMin && typed.trim().length >= lengthMin,
    isDismissed,
    dismiss,
    onType: (now: string) => {
      setTyped(now)
      setIsDismissed(false)
      setActiveIndex(-1)
    },
    over: (count: number, onChoose: (index: number) => void) => {
      const isOpen = count > 0
      /** Index of the option reached with the arrow keys; -1 for none. */
      const active = Math.min(activeIndex, count - 1)
      const idOf = (index: number) => `${list}-${index}`
      return {
        list,
        active,
        idOf,
        /** @returns whether the list handled the key */
        onKey: (event: KeyboardEvent): boolean => {
          if (event.nativeEvent.isComposing) return false
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step !== 0) {
            setIsDismissed(false)
            // One more position than options: the field itself comes between the last and the first.
            if (isOpen) setActiveIndex(((active + 1 + step + count + 1) % (count + 1)) - 1)
          } else if (event.key === 'Escape' && isOpen) dismiss()
          else if (event.key === 'Enter' && active >= 0) onChoose(active)
          else return false
          event.preventDefault()
          return true
        },
        /** Props of the input. */
        field: {
          role: 'combobox' as const,
          'aria-autocomplete': 'list' as const,
          'aria-expanded': isOpen,
          ...(isOpen && { 'aria-controls': list }),
          ...(isOpen && active >= 0 && { 'aria-activedescendant': idOf(active) }),
        },
      }
    },
  }
}
