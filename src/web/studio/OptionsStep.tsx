import { useQuery } from '@tanstack/react-query'
import type { Blank } from '#contract/admin-blanks.ts'
import { shownPlacement } from '#domain/studio/placement.ts'
import { sizesMade } from '#domain/studio/prices.ts'
import { query } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { blankQuery } from './studio-queries.ts'
import type { DraftEditor } from './use-draft.ts'

/** Said only where the drawing does not stand out well. */
const fitNames = { good: '', weak: 'stands out weakly', poor: 'hard to see' } as const

/** The colors and sizes that are sold. */
export function OptionsStep({ editor }: { editor: DraftEditor }) {
  const blank = useQuery(blankQuery(editor.content.blankId))
  if (editor.content.blankId === null) return <p>Please choose a blank first.</p>
  return <QueryBoundary query={blank}>{(loaded) => <Options blank={loaded} editor={editor} />}</QueryBoundary>
}

function Options({ blank, editor: { content, update } }: { blank: Blank; editor: DraftEditor }) {
  const hexes = [...new Set(blank.colors.flatMap(({ hex }) => hex ?? []))]
  const drawing = (shownPlacement(content.placements) ?? content.placements[0])?.drawing
  const { data } = useQuery({
    ...query('GET /api/admin/pictures/:file/colors', { params: { file: drawing ?? '' }, query: { hex: hexes } }),
    enabled: drawing !== undefined && hexes.length > 0,
  })
  const fitOf = (hex: string | null) => data?.colors.find((one) => one.hex === hex)?.fit
  const suiting = blank.colors
    .filter(({ hex, isInStock }) => isInStock && fitOf(hex) === 'good')
    .map(({ name }) => name)
  const { colors, sizes } = content
  const made = sizesMade(blank, colors)
  /** A size that none of them is made in is not sold. */
  const chooseColors = (next: string[]) => {
    const left = sizesMade(blank, next)
    update({ colors: next, sizes: sizes.filter((size) => left.includes(size)) })
  }
  return (
    <div className="grid gap-8">
      <fieldset>
        <legend className="mb-2 font-semibold">Colors</legend>
        {suiting.length > 0 && (
          <Button variant="outline" className="mb-3" onClick={() => chooseColors(suiting)}>
            Choose the {suiting.length} that suit the drawing
          </Button>
        )}
        <ul className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
          {blank.colors.map(({ name, hex, isInStock }) => {
            const fit = fitOf(hex)
            return (
              <li key={name}>
                <Checkbox
                  checked={colors.includes(name)}
                  onChecked={(isOn) => chooseColors(isOn ? [...colors, name] : colors.filter((one) => one !== name))}
                  label={
                    <span className="flex flex-wrap items-center gap-2">
                      {hex !== null && (
                        <span
                          aria-hidden
                          className="size-5 rounded-full border border-line"
                          style={{ backgroundColor: hex }}
                        />
                      )}
                      {name}
                      <span className="text-sm text-ink-soft">
                        {[fit && fitNames[fit], !isInStock && 'out of stock'].filter(Boolean).join(', ')}
                      </span>
                    </span>
                  }
                />
              </li>
            )
          })}
        </ul>
      </fieldset>
      {blank.sizes.length > 0 && (
        <fieldset>
          <legend className="mb-2 font-semibold">Sizes</legend>
          <Button variant="outline" className="mb-3" onClick={() => update({ sizes: made })}>
            Choose all sizes
          </Button>
          <ul className="flex flex-wrap gap-x-6">
            {made.map((size) => (
              <li key={size}>
                <Checkbox
                  label={size}
                  checked={sizes.includes(size)}
                  // In the printer's order.
                  onChecked={(isOn) =>
                    update({ sizes: made.filter((one) => (one === size ? isOn : sizes.includes(one))) })
                  }
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
    </div>
  )
}
