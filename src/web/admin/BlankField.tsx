import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Blank } from '#contract/admin-blanks.ts'
import { formatArea } from '#domain/catalog/blank-type.ts'
import { formatUsd } from '#shared/money.ts'
import { BlankChooser } from '#web/studio/BlankChooser.tsx'
import { blankQuery } from '#web/studio/studio-queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'

type Props = { blankId: number | null; onBlank: (blankId: number | null) => void }

/** The blank that new products of a type are made on, and what the printer says about it. */
export function BlankField({ blankId, onBlank }: Props) {
  const blank = useQuery(blankQuery(blankId))
  const [isChoosing, setChoosing] = useState(false)
  return (
    <section aria-labelledby="blank" className="mb-10 max-w-4xl rounded-card border border-line p-4 sm:p-5">
      <h2 id="blank" className="mb-3 text-[1.375rem] font-semibold">
        Blank
      </h2>
      {blankId === null ? (
        <p className="text-ink-soft">New products of this type are not tied to a blank.</p>
      ) : (
        <QueryBoundary query={blank} className="py-2">
          {(loaded) => <BlankSheet blank={loaded} />}
        </QueryBoundary>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="outline" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          {blankId === null ? 'Choose a blank' : 'Choose another blank'}
        </Button>
        {blankId !== null && (
          <Button variant="plain" onClick={() => onBlank(null)}>
            No blank
          </Button>
        )}
      </div>
      <Dialog open={isChoosing} onClose={() => setChoosing(false)} title="Choose a blank">
        {isChoosing && (
          <BlankChooser
            chosen={blankId === null ? [] : [blankId]}
            onChoose={({ id }) => {
              onBlank(id)
              setChoosing(false)
            }}
          />
        )}
      </Dialog>
    </section>
  )
}

function BlankSheet({ blank }: { blank: Blank }) {
  const { id, title, costFrom, colors, sizes, originCountry, printAreas, discontinuedAt } = blank
  // A placement can have a print file for each size; the largest says enough.
  const largest = [
    ...new Map(
      printAreas.toSorted((a, b) => a.width * a.height - b.width * b.height).map((area) => [area.placement, area]),
    ).values(),
  ]
  return (
    <>
      <p className="font-semibold wrap-anywhere">{title}</p>
      <p className="text-sm text-ink-soft">
        Number {id}
        {costFrom !== null && `, costs from ${formatUsd(costFrom)}`}
        {originCountry && `, from ${originCountry}`}
      </p>
      {discontinuedAt && <p className="mt-2 font-medium">The printer no longer makes it.</p>}
      <dl className="mt-3 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[8rem_1fr]">
        {colors.length > 0 && <Line term="Colors" text={colors.map(({ name }) => name).join(', ')} />}
        {sizes.length > 0 && <Line term="Sizes" text={sizes.join(', ')} />}
        <Line
          term="Print areas"
          text={
            largest
              .toSorted((a, b) => a.extraCost - b.extraCost)
              .map((area) => `${area.title}, up to ${formatArea(area)}`)
              .join('; ') || 'The printer names none'
          }
        />
      </dl>
    </>
  )
}

const Line = ({ term, text }: { term: string; text: string }) => (
  <>
    <dt className="font-medium">{term}</dt>
    <dd className="text-ink-soft max-sm:mb-1">{text}</dd>
  </>
)
