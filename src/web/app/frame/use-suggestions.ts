import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Suggestion } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { suggestionsQuery } from '#web/api/queries.ts'
import { useCombobox } from '#web/ui/use-combobox.ts'

const LENGTH_MIN = 2

/** A suggestion, or the whole search, whose `id` is what was typed. */
export type Offer = Suggestion | { kind: 'search'; id: string; text: string }

export const addressOf = ({ kind, id }: Offer): string =>
  kind === 'search' ? paths.search(id) : kind === 'collection' ? paths.collection(id) : paths.product(id)

/** Search suggestions of the shop. */
export function useSuggestions(onChoose: (offer: Offer) => void) {
  const { text, isEnabled, isDismissed, dismiss, onType, over } = useCombobox(LENGTH_MIN)
  const { data } = useQuery({ ...suggestionsQuery(text), enabled: isEnabled, placeholderData: keepPreviousData })
  const isShown = isEnabled && !isDismissed
  const suggestions = isShown ? (data?.suggestions ?? []) : []
  const rest = data && data.count > suggestions.filter(({ kind }) => kind === 'product').length
  const offers: Offer[] =
    isShown && data && rest
      ? [
          ...suggestions,
          {
            kind: 'search',
            id: text,
            text: say('See all {count} products', { count: `${data.count}${data.isMore ? '+' : ''}` }),
          },
        ]
      : suggestions
  return {
    ...over(offers.length, (index) => {
      const offer = offers[index]
      if (offer) onChoose(offer)
    }),
    offers,
    /** Nothing is typed. */
    isEmpty: text === '',
    dismiss,
    onType,
    /** For screen readers. */
    announcement: isShown && data ? countMessage(suggestions.length) : '',
  }
}

const countMessage = (count: number): string =>
  count === 0
    ? say('No suggestions')
    : say('{count, plural, one {# suggestion} other {# suggestions}}, use the arrow keys to choose', { count })
