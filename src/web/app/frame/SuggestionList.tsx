import { say, sayKnown } from '#words/say.ts'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Price } from '#web/ui/Price.tsx'
import type { Offer } from './use-suggestions.ts'

type Props = {
  id: string
  offers: readonly Offer[]
  /** Index of the suggestion reached with the arrow keys; -1 for none. */
  active: number
  idOf: (index: number) => string
  onChoose: (offer: Offer) => void
}

/** The search field keeps the focus, also on a click in the list. */
export const SuggestionList = ({ id, offers, active, idOf, onChoose }: Props) => (
  <div id={id} role="listbox" aria-label={say('Suggestions')} className="search-panel p-1.5">
    {offers.map((offer, index) => (
      // The search field handles the keys.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        key={`${offer.kind} ${offer.id}`}
        id={idOf(index)}
        role="option"
        aria-selected={index === active}
        tabIndex={-1}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onChoose(offer)}
        className={classNames(
          'flex min-h-12 cursor-pointer items-center gap-3.5 rounded-card px-2 py-1.5 leading-snug',
          index === active ? 'bg-button-quiet' : 'hover:bg-button-quiet',
        )}
      >
        {offer.kind === 'search' ? (
          <span className="px-1 font-semibold">{offer.text}</span>
        ) : (
          <>
            {offer.imageUrl ? (
              <img
                src={offer.imageUrl}
                alt=""
                width="56"
                height="56"
                className="plate size-14 shrink-0 rounded-card object-cover"
              />
            ) : (
              <span className="plate grid size-14 shrink-0 place-items-center rounded-card">
                <Icon name="seal" className="size-5 text-accent" />
              </span>
            )}
            <span className="min-w-0 flex-1 md:flex md:items-center md:justify-between md:gap-6">
              <span className="font-display">
                <ProductName name={sayKnown(offer.text)} size="line" />
              </span>
              <span className="kind text-[0.8125rem]">
                {offer.kind === 'collection' ? say('Collection') : sayKnown(offer.collection ?? '')}
              </span>
            </span>
            {offer.price !== undefined && <Price amount={offer.price} className="shrink-0 pl-2 font-semibold" />}
          </>
        )}
      </div>
    ))}
  </div>
)
