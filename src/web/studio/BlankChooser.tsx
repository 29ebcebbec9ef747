import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BLANKS_A_PAGE, type BlankSummary } from '#contract/admin-blanks.ts'
import { formatUsd } from '#shared/money.ts'
import { query } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'

/** The shop reads the costs of a new list over some minutes. */
const COSTS_POLL_MS = 10_000
const isWithoutCosts = ({ costsReadAt, discontinuedAt }: BlankSummary) =>
  costsReadAt === null && discontinuedAt === null

type Props = { chosen: readonly number[]; onChoose: (blank: BlankSummary) => void }

/** The printer's catalog, to choose what is printed on. */
export function BlankChooser({ chosen, onChoose }: Props) {
  const [search, setSearch] = useState('')
  const [category, setCategory] = useState('')
  const [page, setPage] = useState(1)
  const blanks = useQuery({
    ...query('GET /api/admin/blanks', {
      query: {
        ...(search.trim() && { search }),
        ...(category && { category }),
        ...(page > 1 && { page: String(page) }),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.blanks.some(isWithoutCosts) ? COSTS_POLL_MS : false),
  })
  return (
    <QueryBoundary query={blanks}>
      {({ blanks: found, total, categories }) => (
        <>
          <div className="mb-5 grid gap-4 sm:grid-cols-2">
            <Field
              label="Search"
              type="search"
              value={search}
              onValue={(typed) => {
                setSearch(typed)
                setPage(1)
              }}
              hint="Such as hoodie, sticker or mug."
            />
            <Select
              label="Category"
              value={category}
              options={[
                { value: '', label: 'All' },
                ...categories.map(({ id, title, blanks: count }) => ({
                  value: String(id),
                  label: `${title} (${count})`,
                })),
              ]}
              onValue={(value) => {
                setCategory(value)
                setPage(1)
              }}
            />
          </div>
          <p role="status" className="mb-3 text-sm text-ink-soft">
            {total === 1 ? '1 blank' : `${total} blanks`}
          </p>
          <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {found.map((blank) => (
              <BlankCard key={blank.id} blank={blank} isChosen={chosen.includes(blank.id)} onChoose={onChoose} />
            ))}
          </ul>
          <div className="mt-4 flex gap-3">
            {page > 1 && (
              <Button variant="outline" onClick={() => setPage(page - 1)}>
                Previous blanks
              </Button>
            )}
            {total > found.length + (page - 1) * BLANKS_A_PAGE && (
              <Button variant="outline" onClick={() => setPage(page + 1)}>
                More blanks
              </Button>
            )}
          </div>
        </>
      )}
    </QueryBoundary>
  )
}

/** `Costs $9.25 to $14.50`. */
function costText({ costFrom, costTo, costsReadAt }: BlankSummary): string {
  if (costFrom !== null && costTo !== null)
    return costFrom === costTo ? `Costs ${formatUsd(costFrom)}` : `Costs ${formatUsd(costFrom)} to ${formatUsd(costTo)}`
  return costsReadAt === null ? 'Its costs are being read.' : 'The printer names no cost.'
}

type CardProps = { blank: BlankSummary; isChosen: boolean; onChoose: (blank: BlankSummary) => void }

function BlankCard({ blank, isChosen, onChoose }: CardProps) {
  const { title, brand, category, variantCount, discontinuedAt, picture } = blank
  return (
    <li className="flex flex-col rounded-card border border-line p-4">
      <div className="mb-3 flex gap-4">
        <div className="size-24 shrink-0 overflow-hidden rounded-card bg-ground">
          {picture !== null && (
            <img src={picture} alt="" width={96} height={96} loading="lazy" className="size-full object-contain" />
          )}
        </div>
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{title}</p>
          <p className="text-sm text-ink-soft">
            {[brand, category.at(-1)].filter(Boolean).join(', ')} (
            {variantCount === 1 ? '1 variant' : `${variantCount} variants`})
          </p>
          <p className="text-sm">{costText(blank)}</p>
        </div>
      </div>
      {discontinuedAt ? (
        <p className="mt-auto text-sm">No longer made.</p>
      ) : (
        <Button
          variant={isChosen ? 'primary' : 'outline'}
          className="mt-auto"
          aria-label={`${isChosen ? 'Chosen' : 'Choose'} ${title}`}
          onClick={() => onChoose(blank)}
        >
          {isChosen ? 'Chosen' : 'Choose'}
        </Button>
      )}
    </li>
  )
}
