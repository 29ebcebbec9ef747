import { Suspense, type ReactNode } from 'react'
import type { FacetChoice, FacetName, Facets as FacetCounts, PriceSpan } from '#domain/catalog/facets.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { formatNumber } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Dot } from './ColorSwatches.tsx'

export const facetTitles = { type: 'Type', color: 'Color', size: 'Size', price: 'Price' } as const satisfies Record<
  FacetName,
  Word
>

/** Price spans end at whole dollars. */
const dollars = (amount: Cents): string => formatUsd(amount).replace(/[.,]00(?!\d)/, '')
export const titleOfSpan = ({ from, to }: PriceSpan): string =>
  to === null
    ? say('{amount} and up', { amount: dollars(from) })
    : from === 0
      ? say('Under {amount}', { amount: dollars(to) })
      : say('{from} to {to}', { from: dollars(from), to: dollars(to) })

type Props = { facets: FacetCounts; chosen: FacetChoice }

/** The checkboxes of all facets with a choice: folded in the bar, unfolded in the sheet of phones. */
export const FacetFields = ({ facets, chosen }: Props) => (
  <>
    {facets.type.length > 1 && (
      <Facet name="type" chosen={chosen.type.length}>
        {facets.type.map(({ value, title, count }) => (
          <Value key={value} name="type" value={value} count={count} isChosen={chosen.type.includes(value)}>
            {sayKnown(title)}
          </Value>
        ))}
      </Facet>
    )}
    {facets.color.length > 1 && (
      <Facet name="color" chosen={chosen.color.length}>
        {facets.color.map(({ value, hex, count }) => (
          <Value key={value} name="color" value={value} count={count} isChosen={chosen.color.includes(value)}>
            <Dot hex={hex} />
            {sayColor(value)}
          </Value>
        ))}
      </Facet>
    )}
    {[...Map.groupBy(facets.size, ({ label }) => label)].map(
      ([label, sizes]) =>
        sizes.length > 1 && (
          <Facet
            key={label}
            name="size"
            title={label && sayKnown(label)}
            chosen={sizes.filter(({ value }) => chosen.size.includes(value)).length}
          >
            {sizes.map(({ value, count }) => (
              <Value key={value} name="size" value={value} count={count} isChosen={chosen.size.includes(value)}>
                {sayKnown(value)}
              </Value>
            ))}
          </Facet>
        ),
    )}
    {facets.price.length > 1 && (
      <Facet name="price" chosen={chosen.price ? 1 : 0}>
        <Value name="price" value="" isChosen={!chosen.price} type="radio">
          {say('Any price')}
        </Value>
        {facets.price.map((span) => (
          <Value
            key={span.name}
            name="price"
            value={span.name}
            count={span.count}
            isChosen={chosen.price?.from === span.from}
            type="radio"
          >
            {titleOfSpan(span)}
          </Value>
        ))}
      </Facet>
    )}
  </>
)

type FacetProps = { name: FacetName; title?: string | undefined; chosen: number; children: ReactNode }

/** `details` with the same name: the browser keeps only one open. */
const Facet = ({ name, title = say(facetTitles[name]), chosen, children }: FacetProps) => (
  <details name="facets" className="facet">
    <summary data-chosen={chosen > 0 || undefined}>
      {title}
      {chosen > 0 && (
        <span className="facet-count">
          {chosen}
          <span className="sr-only">{` ${say('chosen')}`}</span>
        </span>
      )}
      <Icon name="down" className="size-4" />
    </summary>
    <fieldset className="scroll-area">
      <legend className="sr-only">{title}</legend>
      {/* Hydrates after the rest of the page, or on interaction: a hundred checkboxes that few people open. */}
      <Suspense>{children}</Suspense>
    </fieldset>
  </details>
)

type ValueProps = {
  name: FacetName
  value: string
  /** Unset for “Any price”; null when not counted. */
  count?: number | null
  isChosen: boolean
  type?: 'checkbox' | 'radio'
  children: ReactNode
}

const Value = ({ name, value, count, isChosen, type = 'checkbox', children }: ValueProps) => (
  <label>
    <input type={type} name={name} value={value} defaultChecked={isChosen} />
    <span>{children}</span>
    {typeof count === 'number' && <small>{formatNumber(count)}</small>}
  </label>
)
