import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import {
  facetNames,
  hasFacetsChosen,
  parseFacetChoice,
  type FacetChoice,
  type FacetName,
  type Facets as FacetCounts,
} from '#domain/catalog/facets.ts'
import { listSorts, type ListSort } from '#domain/catalog/list-sort.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { usePageMark } from '#web/ui/use-page-mark.ts'
import { FacetFields, facetTitles, titleOfSpan } from './FacetFields.tsx'
import { isPositionParameter } from './Pager.tsx'
import { useResetWithAddress } from './use-reset-with-address.ts'

// Opened on phones only.
const FilterSheet = lazy(async () => ({ default: (await import('./FilterSheet.tsx')).FilterSheet }))

const sortTitles = {
  featured: 'Featured',
  price: 'Price, low to high',
  'price-down': 'Price, high to low',
  newest: 'Newest',
  rating: 'Top rated',
} as const satisfies Record<ListSort, Word>

export function useFacetChoice(): FacetChoice {
  const [parameters] = useSearchParams()
  return parseFacetChoice((name) => parameters.getAll(name))
}

export function NoMatches() {
  const address = useAddresses()
  return (
    <div className="py-10">
      <p className="text-lg">{say('No products match these filters.')}</p>
      <Link to={address.clear} className="mt-2 inline-flex min-h-11 items-center font-semibold link-line">
        {say('Clear all filters')}
      </Link>
    </div>
  )
}

/** Addresses of this page without one filter, or without any. */
function useAddresses() {
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  // Changing a filter returns to the first page.
  const remaining = [...parameters].filter(([name]) => !isPositionParameter(name))
  const addressOf = (query: URLSearchParams) => (query.size > 0 ? `${pathname}?${query}` : pathname)
  return {
    clear: addressOf(new URLSearchParams(remaining.filter(([name]) => !isFacet(name)))),
    without: (facet: FacetName, value: string) =>
      addressOf(new URLSearchParams(remaining.filter(([name, current]) => name !== facet || current !== value))),
    /** Other parameters, such as the search query. */
    others: remaining.filter(([name]) => !isFacet(name) && name !== 'sort' && name !== 'said'),
  }
}

const isFacet = (name: string): boolean => facetNames.some((facet) => facet === name)

type Props = {
  facets: FacetCounts
  chosen: FacetChoice
  /** Unset where the list has one order only. */
  sort?: ListSort
  matchCount: number
  /** There are more than `matchCount`. */
  isMore?: boolean
  /** What the bar says of the count, if it is not the count alone. */
  matches?: string
}

/**
 * A plain form of checkboxes and the order, which stays in sight; with JavaScript, each change submits it, and phones show the
 * checkboxes in a sheet.
 */
export function Facets({ facets: all, chosen, sort, matchCount, isMore = false, matches }: Props) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const facets = selectableFacets(all, chosen)
  const address = useAddresses()
  const form = useRef<HTMLFormElement>(null)
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never')
  usePageMark('filter-bar')
  useCloseFromOutside(form)
  useResetWithAddress(form)

  const chips = chipsOf(facets, chosen)
  const apply = (changed: HTMLFormElement) => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(changed)) if (typeof value === 'string' && value) query.append(name, value)
    void navigate(query.size > 0 ? `${pathname}?${query}` : pathname)
  }
  const count = isMore
    ? say('More than {count, plural, one {# product} other {# products}}', { count: matchCount })
    : say('{count, plural, one {# product} other {# products}}', { count: matchCount })
  const hidden = address.others.map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ))

  return (
    <section aria-label={say('Filters')} className="contents">
      <div className="filter-bar">
        <button
          type="button"
          aria-haspopup="dialog"
          className="filter-button noscript:hidden"
          onClick={() => setSheet('open')}
        >
          {say('Filter')}
          {chips.length > 0 && (
            <span className="facet-count">
              {chips.length}
              <span className="sr-only">{` ${say('chosen')}`}</span>
            </span>
          )}
        </button>
        <form
          ref={form}
          action={spokenAddress(pathname)}
          onChange={({ currentTarget }) => apply(currentTarget)}
          onSubmit={(event) => {
            event.preventDefault()
            apply(event.currentTarget)
          }}
        >
          {hidden}
          <div className="facets noscript:contents">
            <FacetFields facets={facets} chosen={chosen} />
          </div>
          {sort && (
            <label className="sort">
              <span className="sr-only">{say('Sort by')}</span>
              <select name="sort" key={sort} defaultValue={sort === 'featured' ? '' : sort}>
                {listSorts.map((value) => (
                  <option key={value} value={value === 'featured' ? '' : value}>
                    {say(sortTitles[value])}
                  </option>
                ))}
              </select>
              <Icon name="down" className="size-4" />
            </label>
          )}
          <span className="hidden noscript:block">
            <Button type="submit" variant="outline" className="min-h-11!">
              {say('Apply')}
            </Button>
          </span>
        </form>
        <p role="status" className="filter-matches">
          {matches ?? count}
        </p>
      </div>
      {hasFacetsChosen(chosen) && (
        <ul aria-label={say('Chosen filters')} className="mb-6 flex flex-wrap items-center gap-2">
          {chips.map(({ facet, value, title }) => (
            <li key={`${facet} ${value}`}>
              <Link
                to={address.without(facet, value)}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full bg-button-quiet py-1 pr-3 pl-4 text-[0.9375rem] hover:bg-line"
              >
                <span className="sr-only">{`${say('Remove filter')} `}</span>
                {title}
                <Icon name="close" className="size-4" />
              </Link>
            </li>
          ))}
          <li>
            <Link
              to={address.clear}
              className="inline-flex min-h-11 items-center px-2 text-[0.9375rem] font-semibold link-line"
            >
              {say('Clear all')}
            </Link>
          </li>
        </ul>
      )}
      {sheet !== 'never' && (
        <Suspense>
          <FilterSheet
            open={sheet === 'open'}
            onClose={() => setSheet('closed')}
            onChange={apply}
            facets={facets}
            chosen={chosen}
            close={say('Show {count}', { count })}
          >
            {hidden}
            {sort && sort !== 'featured' && <input type="hidden" name="sort" value={sort} />}
          </FilterSheet>
        </Suspense>
      )}
    </section>
  )
}

/** Values with matches, and chosen ones, which must stay removable. */
const selectableFacets = ({ type, color, size, price }: FacetCounts, chosen: FacetChoice): FacetCounts => ({
  type: type.filter(({ value, count }) => count !== 0 || chosen.type.includes(value)),
  color: color.filter(({ value, count }) => count !== 0 || chosen.color.includes(value)),
  size: size.filter(({ value, count }) => count !== 0 || chosen.size.includes(value)),
  price: price.filter(({ from, count }) => count !== 0 || chosen.price?.from === from),
})

function chipsOf(facets: FacetCounts, chosen: FacetChoice): { facet: FacetName; value: string; title: string }[] {
  const span = facets.price.find(({ from }) => from === chosen.price?.from)
  const labelOfSize = (size: string) => facets.size.find(({ value }) => value === size)?.label ?? facetTitles.size
  const titleOfType = (type: string) => facets.type.find(({ value }) => value === type)?.title ?? type
  return [
    ...chosen.type.map((value) => ({ facet: 'type' as const, value, title: sayKnown(titleOfType(value)) })),
    ...chosen.color.map((value) => ({ facet: 'color' as const, value, title: sayColor(value) })),
    ...chosen.size.map((value) => ({
      facet: 'size' as const,
      value,
      title: `${sayKnown(labelOfSize(value))} ${sayKnown(value)}`,
    })),
    ...(span ? [{ facet: 'price' as const, value: span.name, title: titleOfSpan(span) }] : []),
  ]
}

/** A click outside and Escape close the open facet; Escape returns the focus to its title. */
function useCloseFromOutside(form: { readonly current: HTMLFormElement | null }): void {
  useEffect(() => {
    const findOpen = () => form.current?.querySelector<HTMLDetailsElement>('details[open]')
    const onPointer = ({ target }: PointerEvent) => {
      const open = findOpen()
      if (open && target instanceof Node && !open.contains(target)) open.open = false
    }
    const onKey = ({ key }: KeyboardEvent) => {
      const open = findOpen()
      if (key !== 'Escape' || !open) return
      const hadFocus = open.contains(document.activeElement)
      open.open = false
      if (hadFocus) open.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [form])
}
