import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BLANKS_A_PAGE, type BlankSummary } from '#contract/admin-blanks.ts'
import { formatUsd } from '#shared/money.ts'
import { query } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'

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

type CardProps = { blank: BlankSummary; isChosen: boolean; onChoose: (blank: BlankSummary) => void }

function BlankCard({ blank, isChosen, onChoose }: CardProps) {
  const { title, brand, category, costFrom, variantCount, discontinuedAt } = blank
  return (
    <li className="flex flex-col rounded-card border border-line p-4">
      <p className="font-semibold wrap-anywhere">{title}</p>
      <p className="text-sm text-ink-soft">
        {[brand, category.at(-1)].filter(Boolean).join(', ')} (
        {variantCount === 1 ? '1 variant' : `${variantCount} variants`})
      </p>
      <p className="mb-3 text-sm">
        {costFrom === null ? 'Cost shown once chosen' : `Costs from ${formatUsd(costFrom)}`}
      </p>
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
