import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { normalizeQuery } from '#domain/catalog/search.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { useLeavingCheckout } from '#web/cart/use-leaving-checkout.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { CollectionLinks } from './CollectionLinks.tsx'
import { SuggestionList } from './SuggestionList.tsx'
import { PopularSearches } from '#web/catalog/PopularSearches.tsx'
import { addressOf, useSuggestions, type Offer } from './use-suggestions.ts'

/** The query is trimmed; an empty one does nothing (specification, section 5). */
export function SearchForm({ onClose, className }: { onClose: () => void; className?: string }) {
  const navigate = useNavigate()
  const leaving = useLeavingCheckout()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Two forms exist, one per screen size; the hidden one cannot take the focus.
    input.current?.focus()
  }, [])

  const choose = (offer: Offer) => {
    const address = addressOf(offer)
    if (leaving) location.assign(spokenAddress(address))
    else void navigate(address)
  }
  const { list, offers, isEmpty, active, idOf, dismiss, onKey, onType, field, announcement } = useSuggestions(choose)

  return (
    <search className={classNames('relative items-center', className)}>
      <form
        action={spokenAddress('/search')}
        className="flex min-w-0 flex-1 items-center gap-1"
        onSubmit={(event) => {
          const query = normalizeQuery(input.current?.value ?? '')
          // On checkout pages the browser submits the form: the search page needs a new document.
          if (query && leaving) return
          event.preventDefault()
          dismiss()
          if (query) void navigate(paths.search(query))
        }}
      >
        <input
          {...field}
          ref={input}
          onChange={(event) => onType(event.currentTarget.value)}
          onBlur={dismiss}
          onKeyDown={(event) => {
            if (!onKey(event) && event.key === 'Escape') onClose()
          }}
          type="search"
          name="q"
          aria-label={say('Search all products')}
          placeholder={say('Search all products...')}
          autoComplete="off"
          enterKeyHint="search"
          className="min-h-11 min-w-0 flex-1 border-b-2 border-ink bg-transparent focus-visible:border-transparent px-3 text-base outline-offset-0 focus-visible:rounded-card placeholder:text-ink-soft [&::-webkit-search-cancel-button]:hidden"
        />
        <IconButton type="submit" icon="search" label={say('Submit search')} />
        <IconButton icon="close" label={say('Close search')} onClick={onClose} />
      </form>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {offers.length > 0 && <SuggestionList id={list} offers={offers} active={active} idOf={idOf} onChoose={choose} />}
      {isEmpty && !leaving && (
        <div className="search-panel p-4 md:p-5">
          <p className="mb-2.5 text-sm text-ink-soft">{say('Popular searches')}</p>
          <PopularSearches />
          <p className="mt-5 mb-2.5 text-sm text-ink-soft">{say('Collections')}</p>
          <CollectionLinks />
        </div>
      )}
    </search>
  )
}
