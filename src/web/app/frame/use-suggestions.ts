import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Suggestion } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { suggestionsQuery } from '#web/api/queries.ts'
import { useCombobox } from '#web/ui/use-combobox.ts'

const LENGTH_MIN = 2

export const addressOf = ({ kind, id }: Suggestion): string =>
  kind === 'collection' ? paths.collection(id) : paths.product(id)

/** Search suggestions of the shop. */
export function useSuggestions(onChoose: (suggestion: Suggestion) => void) {
  const { text, isEnabled, isDismissed, dismiss, onType, over } = useCombobox(LENGTH_MIN)
  const { data } = useQuery({ ...suggestionsQuery(text), enabled: isEnabled, placeholderData: keepPreviousData })
  const isShown = isEnabled && !isDismissed
  const suggestions = isShown ? (data?.suggestions ?? []) : []
  return {
    ...over(suggestions.length, (index) => {
      const suggestion = suggestions[index]
      if (suggestion) onChoose(suggestion)
    }),
    suggestions,
    dismiss,
    onType,
    /** For screen readers. */
    announcement: isShown && data ? countMessage(suggestions.length) : '',
  }
}

const countMessage = (count: number): string =>
  count === 0
    ? 'No suggestions'
    : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}, use the arrow keys to choose`
