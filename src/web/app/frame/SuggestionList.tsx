import type { Suggestion } from '#contract/catalog.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/Icon.tsx'

type Props = {
  id: string
  suggestions: readonly Suggestion[]
  /** Index of the suggestion reached with the arrow keys; -1 for none. */
  active: number
  idOf: (index: number) => string
  onChoose: (suggestion: Suggestion) => void
}

/** The search field keeps the focus, also on a click in the list. */
export const SuggestionList = ({ id, suggestions, active, idOf, onChoose }: Props) => (
  <div
    id={id}
    role="listbox"
    aria-label="Suggestions"
    className="absolute inset-x-0 top-full z-50 max-w-2xl mt-2 overflow-hidden rounded-card border border-line bg-surface p-1.5 shadow-card"
  >
    {suggestions.map((suggestion, index) => (
      // The search field handles the keys.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        key={`${suggestion.kind} ${suggestion.id}`}
        id={idOf(index)}
        role="option"
        aria-selected={index === active}
        tabIndex={-1}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onChoose(suggestion)}
        className={classNames(
          'flex min-h-12 cursor-pointer items-center gap-3.5 rounded-card px-2 py-1 leading-snug',
          index === active ? 'bg-button-quiet' : 'hover:bg-button-quiet',
        )}
      >
        {suggestion.imageUrl ? (
          <img
            src={suggestion.imageUrl}
            alt=""
            width="44"
            height="44"
            className="plate size-11 shrink-0 rounded-card object-cover"
          />
        ) : (
          <span className="plate grid size-11 shrink-0 place-items-center rounded-card">
            <Icon name="seal" className="size-5 text-accent" />
          </span>
        )}
        <span className="min-w-0">
          <span className="block">{suggestion.text}</span>
          {suggestion.kind === 'collection' && <span className="block text-sm text-ink-soft">Collection</span>}
        </span>
      </div>
    ))}
  </div>
)
