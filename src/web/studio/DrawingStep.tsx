import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Blank } from '#contract/admin-blanks.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import { PREVIEW_SIDE, previewAddress } from '#contract/preview-address.ts'
import { modelFor, usualPlacements, type PictureModel } from '#domain/pictures/picture-models.ts'
import { areasOf, shownPlacement, threadColorsFor, type DraftPlacement } from '#domain/studio/placement.ts'
import { formatUsd } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { DrawingPicker } from './DrawingPicker.tsx'
import { PlacementEditor } from './PlacementEditor.tsx'
import { blankQuery, choicesQuery, drawingsQuery } from './studio-queries.ts'
import type { DraftEditor } from './use-draft.ts'

/** Which drawing is printed where: each print area of the blank has its own, or none. */
export function DrawingStep({ editor: { content, update } }: { editor: DraftEditor }) {
  const blank = useQuery(blankQuery(content.blankId))
  const drawings = useQuery(drawingsQuery)
  const { data: choices } = useQuery(choicesQuery)
  if (content.blankId === null) return <p>Please choose a blank first.</p>
  return (
    <QueryBoundary query={blank}>
      {(loaded) => (
        <QueryBoundary query={drawings}>
          {({ pictures }) => (
            <Placements
              blank={loaded}
              pictures={pictures}
              model={modelFor(
                choices?.types.find(({ key }) => key === content.type),
                loaded.id,
              )}
              placements={content.placements}
              onPlacements={(placements) => update({ placements, ...onlyOptionsOf(loaded) })}
            />
          )}
        </QueryBoundary>
      )}
    </QueryBoundary>
  )
}

/** A blank's only color or size needs no choice. */
const onlyOptionsOf = ({ colors, sizes }: Blank) => ({
  ...(colors.length === 1 && { colors: colors.map(({ name }) => name) }),
  ...(sizes.length === 1 && { sizes }),
})

type Props = {
  blank: Blank
  pictures: readonly StoredPicture[]
  model: PictureModel | undefined
  placements: readonly DraftPlacement[]
  onPlacements: (placements: DraftPlacement[]) => void
}

function Placements({ blank, pictures, model, placements, onPlacements }: Props) {
  const areas = areasOf(blank.printAreas)
  const [current, setCurrent] = useState(placements[0]?.area ?? areas[0]?.placement ?? '')
  const area = areas.find(({ placement }) => placement === current)
  const placement = placements.find((one) => one.area === current)
  const drawing = pictures.find(({ file }) => file === placement?.drawing)
  // In the printer's order, so the first one is the one that the price includes.
  const place = (next: DraftPlacement) =>
    onPlacements(
      areas.flatMap(
        (one) => (one.placement === next.area ? next : placements.find((other) => other.area === one.placement)) ?? [],
      ),
    )
  const choose = (picture: StoredPicture) => {
    const usual = model && shownPlacement([{ area: current }]) ? usualPlacements[model] : WHOLE
    const threadColors = threadColorsFor(blank.options, current, picture.drawing?.ink ?? [])
    place({ ...usual, threadColors, area: current, drawing: picture.file })
  }
  if (!area) return <p>The printer names no print area of this blank.</p>
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid grid-cols-1 gap-3">
        <Select
          label="Print area"
          value={current}
          options={areas.map(({ placement: value, title, technique, extraCost }) => ({
            value,
            label: [
              `${title} (${technique.toLowerCase()}${extraCost > 0 ? `, adds ${formatUsd(extraCost)}` : ''})`,
              placements.some((one) => one.area === value) && 'has a drawing',
            ]
              .filter(Boolean)
              .join(': '),
          }))}
          onValue={setCurrent}
        />
        {areas.length > 1 && (
          <p className="text-sm text-ink-soft">
            Each area has a drawing of its own, or none. Choose an area, then its drawing.
          </p>
        )}
      </div>
      <DrawingPicker pictures={pictures} chosen={placement?.drawing} onChoose={choose} />
      {placement && drawing && (
        <section aria-label={`Position on ${area.title}`} className="grid gap-4">
          <PlacementEditor area={area} drawing={drawing} placement={placement} onPlace={place}>
            {model && shownPlacement(placements) === placement ? (
              <Preview blank={blank} model={model} placement={placement} alt={`${drawing.alt} on ${blank.title}`} />
            ) : (
              <p className="text-sm text-ink-soft">
                {model
                  ? 'The shop’s own pictures show the front; this area is printed all the same.'
                  : 'The shop has no model of this product: its pictures will be the printer’s previews.'}
              </p>
            )}
          </PlacementEditor>
          {placement.threadColors.length > 0 && <Threads colors={placement.threadColors} />}
          <div>
            <Button variant="outline" onClick={() => onPlacements(placements.filter((one) => one !== placement))}>
              Leave {area.title} empty
            </Button>
          </div>
        </section>
      )}
    </div>
  )
}

const RESTED_MS = 300

type PreviewProps = { blank: Blank; model: PictureModel; placement: DraftPlacement; alt: string }

/** Follows the placement once it rests: each step of a move would be one more picture to make. */
function Preview({ blank, model, placement, alt }: PreviewProps) {
  const [rested, setRested] = useState(placement)
  useEffect(() => {
    const timer = setTimeout(() => setRested(placement), RESTED_MS)
    return () => clearTimeout(timer)
  }, [placement])
  return (
    <img
      src={previewAddress({ model, placement: rested, color: blank.colors.find(({ hex }) => hex !== null) })}
      alt={alt}
      width={PREVIEW_SIDE}
      height={PREVIEW_SIDE}
      className="aspect-square w-full max-w-md rounded-card border border-line"
    />
  )
}

const WHOLE = { x: 0.5, y: 0.5, width: 0.8, height: 0.8 }

const Threads = ({ colors }: { colors: readonly string[] }) => (
  <p className="flex flex-wrap items-center gap-2 text-sm">
    Threads:
    {colors.map((color) => (
      <span key={color} className="inline-flex items-center gap-1">
        <span aria-hidden className="size-5 rounded-full border border-line" style={{ backgroundColor: color }} />
        {color}
      </span>
    ))}
  </p>
)
