import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import type { Suggestion } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { suggestionsQuery } from '#web/api/queries.ts'

/** Somebody who types on is not asked for yet. */
const PAUSE_MS = 150
const TYPED_MIN = 2

export const addressOf = ({ kind, id }: Suggestion): string =>
  kind === 'collection' ? paths.collection(id) : paths.product(id)

/**
 * What a search field suggests while somebody types: the state of a combobox whose list the arrow keys walk through while the
 * focus stays in the field (WAI-ARIA pattern, list autocomplete with manual selection).
 */
export function useSuggestions(onChoose: (suggestion: Suggestion) => void) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [settled, setSettled] = useState('')
  const [isDismissed, setIsDismissed] = useState(false)
  const [reached, setReached] = useState(-1)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  const isAsking = settled.length >= TYPED_MIN && typed.trim().length >= TYPED_MIN
  const { data } = useQuery({ ...suggestionsQuery(settled), enabled: isAsking, placeholderData: keepPreviousData })
  const suggestions = isAsking && !isDismissed ? (data?.suggestions ?? []) : []
  const isOpen = suggestions.length > 0
  const active = Math.min(reached, suggestions.length - 1)
  const idOf = (index: number) => `${list}-${index}`

  const dismiss = () => {
    setIsDismissed(true)
    setReached(-1)
  }

  /** @returns whether the key was the list's */
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing) return false
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      setIsDismissed(false)
      // One place more than there are suggestions: the field itself stands between the last and the first.
      if (isOpen) setReached(((active + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1)
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
      setReached(-1)
    },
    /** To be spread on the field. */
    field: {
      role: 'combobox' as const,
      'aria-autocomplete': 'list' as const,
      'aria-expanded': isOpen,
      ...(isOpen && { 'aria-controls': list }),
      ...(isOpen && active >= 0 && { 'aria-activedescendant': idOf(active) }),
    },
    /** Said aloud when it changes. */
    announcement: isAsking && !isDismissed && data ? countMessage(suggestions.length) : '',
  }
}

const countMessage = (count: number): string =>
  count === 0
    ? 'No suggestions'
    : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}, to be walked through with the arrow keys`
