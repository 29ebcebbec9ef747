import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import {
  facetNames,
  hasFacetsChosen,
  parseFacetChoice,
  type FacetChoice,
  type FacetName,
  type Facets as FacetCounts,
  type PriceSpan,
} from '#domain/catalog/facets.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Dot } from './ColorSwatches.tsx'
import { isPositionParameter } from './Pager.tsx'

const facetTitles: Record<FacetName, string> = { type: 'Type', color: 'Color', size: 'Size', price: 'Price' }

/** Price spans end at whole dollars. */
const dollars = (amount: Cents): string => formatUsd(amount).replace(/\.00$/, '')
const titleOfSpan = ({ from, to }: PriceSpan): string =>
  to === null ? `${dollars(from)} and up` : from === 0 ? `Under ${dollars(to)}` : `${dollars(from)} to ${dollars(to)}`

export function useFacetChoice(): FacetChoice {
  const [parameters] = useSearchParams()
  return parseFacetChoice((name) => parameters.getAll(name))
}

export function NoMatches() {
  const address = useAddresses()
  return (
    <div className="py-10">
      <p className="text-lg">No products match these filters.</p>
      <Link to={address.clear} className="mt-2 inline-flex min-h-11 items-center font-semibold link-line">
        Clear all filters
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
    others: remaining.filter(([name]) => !isFacet(name) && name !== 'said'),
  }
}

const isFacet = (name: string): boolean => facetNames.some((facet) => facet === name)

type Props = {
  facets: FacetCounts
  chosen: FacetChoice
  /** Unset where the page shows the count itself. */
  matchCount?: number
  /** There are more than `matchCount`. */
  isMore?: boolean
}

/** A plain form of checkboxes; with JavaScript, each change submits it. */
export function Facets({ facets: all, chosen, matchCount, isMore = false }: Props) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const facets = selectableFacets(all, chosen)
  const address = useAddresses()
  const form = useRef<HTMLFormElement>(null)
  useCloseFromOutside(form)
  // Filter chips and Back change the address too: reset the checkboxes to it.
  const lastSearch = useRef(search)
  useEffect(() => {
    if (lastSearch.current === search) return
    lastSearch.current = search
    form.current?.reset()
  }, [search])

  const chips = chipsOf(facets, chosen)
  const apply = () => {
    if (!form.current) return
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form.current))
      if (typeof value === 'string' && value) query.append(name, value)
    void navigate(query.size > 0 ? `${pathname}?${query}` : pathname)
  }

  return (
    <section aria-label="Filters" className="mb-10 lg:mb-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-3">
        <form
          ref={form}
          action={pathname}
          className="relative flex flex-wrap items-center gap-2 max-sm:gap-1.5"
          onChange={apply}
          onSubmit={(event) => {
            event.preventDefault()
            apply()
          }}
        >
          {address.others.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {facets.type.length > 1 && (
            <Facet name="type" chosen={chosen.type.length}>
              {facets.type.map(({ value, title, count }) => (
                <Value key={value} name="type" value={value} count={count} isChosen={chosen.type.includes(value)}>
                  {title}
                </Value>
              ))}
            </Facet>
          )}
          {facets.color.length > 1 && (
            <Facet name="color" chosen={chosen.color.length}>
              {facets.color.map(({ value, hex, count }) => (
                <Value key={value} name="color" value={value} count={count} isChosen={chosen.color.includes(value)}>
                  <Dot hex={hex} className="size-5 shrink-0" />
                  {value}
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
                  title={label}
                  chosen={sizes.filter(({ value }) => chosen.size.includes(value)).length}
                >
                  {sizes.map(({ value, count }) => (
                    <Value key={value} name="size" value={value} count={count} isChosen={chosen.size.includes(value)}>
                      {value}
                    </Value>
                  ))}
                </Facet>
              ),
          )}
          {facets.price.length > 1 && (
            <Facet name="price" chosen={chosen.price ? 1 : 0}>
              <Value name="price" value="" isChosen={!chosen.price} type="radio">
                Any price
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
          <span className="hidden noscript:block">
            <Button type="submit" variant="outline" className="min-h-11!">
              Apply
            </Button>
          </span>
        </form>
        {matchCount !== undefined && (
          <p role="status" className="text-[0.9375rem] text-ink-soft tabular-nums">
            {isMore && 'More than '}
            {matchCount.toLocaleString('en-US')} {matchCount === 1 ? 'product' : 'products'}
          </p>
        )}
      </div>
      {hasFacetsChosen(chosen) && (
        <ul aria-label="Chosen filters" className="mt-3 flex flex-wrap items-center gap-2">
          {chips.map(({ facet, value, title }) => (
            <li key={`${facet} ${value}`}>
              <Link
                to={address.without(facet, value)}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full bg-button-quiet py-1 pr-3 pl-4 text-[0.9375rem] hover:bg-line"
              >
                <span className="sr-only">Remove filter </span>
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
              Clear all
            </Link>
          </li>
        </ul>
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
    ...chosen.type.map((value) => ({ facet: 'type' as const, value, title: titleOfType(value) })),
    ...chosen.color.map((value) => ({ facet: 'color' as const, value, title: value })),
    ...chosen.size.map((value) => ({ facet: 'size' as const, value, title: `${labelOfSize(value)} ${value}` })),
    ...(span ? [{ facet: 'price' as const, value: span.name, title: titleOfSpan(span) }] : []),
  ]
}

type FacetProps = { name: FacetName; title?: string | undefined; chosen: number; children: ReactNode }

/** `details` with the same name: the browser keeps only one open. */
const Facet = ({ name, title = facetTitles[name], chosen, children }: FacetProps) => (
  <details name="facets" className="group sm:relative">
    <summary
      className={classNames(
        'inline-flex min-h-11 list-none items-center gap-2 rounded-full border px-4 text-[0.9375rem] font-medium max-sm:gap-1 max-sm:px-2.5 transition-colors hover:border-ink group-open:border-ink',
        chosen > 0 ? 'border-ink' : 'border-ink/35',
      )}
    >
      {title}
      {chosen > 0 && (
        <span className="grid h-5 min-w-5 place-items-center rounded-full bg-ink px-1 text-xs font-bold text-ivory tabular-nums">
          {chosen}
          <span className="sr-only"> chosen</span>
        </span>
      )}
      <Icon name="down" className="-mr-1 size-4 transition-transform duration-200 group-open:rotate-180" />
    </summary>
    <fieldset className="absolute inset-x-0 top-full z-30 mt-2 scroll-area max-h-[22rem] min-w-0 rounded-card border border-line bg-surface p-2 shadow-card sm:inset-x-auto sm:left-0 sm:w-72">
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
  <label className="flex min-h-11 items-center gap-3 rounded-card px-3 py-1.5 leading-snug hover:bg-button-quiet has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ink">
    <input
      type={type}
      name={name}
      value={value}
      defaultChecked={isChosen}
      className="size-[1.125rem] shrink-0 accent-(--color-button) outline-none"
    />
    <span className="flex min-w-0 flex-1 items-center gap-2.5">{children}</span>
    {typeof count === 'number' && (
      <span className="text-[0.875rem] text-ink-soft tabular-nums">{count.toLocaleString('en-US')}</span>
    )}
  </label>
)

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
