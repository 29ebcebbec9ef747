import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import type { Suggestion } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { suggestionsQuery } from '#web/api/queries.ts'

const DEBOUNCE_MS = 150
const LENGTH_MIN = 2

export const addressOf = ({ kind, id }: Suggestion): string =>
  kind === 'collection' ? paths.collection(id) : paths.product(id)

/**
 * Search suggestions: a combobox whose focus stays in the field (WAI-ARIA pattern, list autocomplete with manual selection).
 */
export function useSuggestions(onChoose: (suggestion: Suggestion) => void) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [debounced, setDebounced] = useState('')
  const [isDismissed, setIsDismissed] = useState(false)
  const [activeIndex, setActiveIndex] = useState(-1)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(typed.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  const isEnabled = debounced.length >= LENGTH_MIN && typed.trim().length >= LENGTH_MIN
  const { data } = useQuery({ ...suggestionsQuery(debounced), enabled: isEnabled, placeholderData: keepPreviousData })
  const suggestions = isEnabled && !isDismissed ? (data?.suggestions ?? []) : []
  const isOpen = suggestions.length > 0
  const active = Math.min(activeIndex, suggestions.length - 1)
  const idOf = (index: number) => `${list}-${index}`

  const dismiss = () => {
    setIsDismissed(true)
    setActiveIndex(-1)
  }

  /** @returns whether the list handled the key */
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing) return false
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      setIsDismissed(false)
      // One more position than suggestions: the field itself comes between the last and the first.
      if (isOpen) setActiveIndex(((active + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1)
    } else if (event.key === 'Escape' && isOpen) dismiss()
    else if (event.key === 'Enter' && suggestions[active]) onChoose(suggestions[active])
    else return false
    event.preventDefault()
    return true
  }

  return {
    list,
    suggestions,
    active,
    idOf,
    dismiss,
    onKey,
    onType: (text: string) => {
      setTyped(text)
      setIsDismissed(false)
      setActiveIndex(-1)
    },
    /** Props of the input. */
    field: {
      role: 'combobox' as const,
      'aria-autocomplete': 'list' as const,
      'aria-expanded': isOpen,
      ...(isOpen && { 'aria-controls': list }),
      ...(isOpen && active >= 0 && { 'aria-activedescendant': idOf(active) }),
    },
    /** For screen readers. */
    announcement: isEnabled && !isDismissed && data ? countMessage(suggestions.length) : '',
  }
}

const countMessage = (count: number): string =>
  count === 0
    ? 'No suggestions'
    : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}, use the arrow keys to choose`
