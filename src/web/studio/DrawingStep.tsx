import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Blank } from '#contract/admin-blanks.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import { findPictureModel, usualPlacements } from '#domain/pictures/picture-models.ts'
import type { DraftPlacement } from '#domain/studio/draft.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { PlacementEditor } from './PlacementEditor.tsx'
import { uploadDrawing } from './upload-drawing.ts'
import { blankQuery, choicesQuery, drawingsQuery } from './studio-queries.ts'
import type { DraftEditor } from './use-draft.ts'

/** A drawing, and where it is printed. */
export function DrawingStep({ editor: { content, update } }: { editor: DraftEditor }) {
  const blank = useQuery(blankQuery(content.blankId))
  const drawings = useQuery(drawingsQuery)
  const { data: choices } = useQuery(choicesQuery)
  const { placement } = content
  if (content.blankId === null) return <p>Please choose a blank first.</p>
  return (
    <QueryBoundary query={blank}>
      {(loaded) => (
        <QueryBoundary query={drawings}>
          {({ pictures }) => {
            const drawing = pictures.find(({ file }) => file === placement?.drawing)
            const model = findPictureModel(choices?.types.find((type) => type.blankId === loaded.id)?.key ?? '')
            const choose = (picture: StoredPicture) => {
              const area = placement?.area ?? areasOf(loaded)[0]?.placement
              if (area === undefined) return
              const usual = model ? usualPlacements[model] : { x: 0.5, y: 0.5, width: 0.8, height: 0.8 }
              update({
                placement: {
                  ...usual,
                  threadColors: threadColorsOf(loaded, area, picture),
                  area,
                  drawing: picture.file,
                },
              })
            }
            return (
              <div className="grid gap-8">
                <Drawings pictures={pictures} chosen={placement?.drawing} onChoose={choose} />
                {placement && drawing && (
                  <Placing
                    blank={loaded}
                    drawing={drawing}
                    placement={placement}
                    model={model}
                    onPlace={(next) => update({ placement: next })}
                  />
                )}
              </div>
            )
          }}
        </QueryBoundary>
      )}
    </QueryBoundary>
  )
}

/** Each placement once, although some differ by variant. */
const areasOf = ({ printAreas }: Blank) =>
  [...new Map(printAreas.map((area) => [area.placement, area] as const).toReversed()).values()].toReversed()

const THREADS_MAX = 6

/** For embroidery: of the printer's threads, the nearest to the drawing's main colors. */
function threadColorsOf({ options }: Blank, area: string, { drawing }: StoredPicture): string[] {
  if (!area.startsWith('embroidery')) return []
  const own = `thread_colors_${area.replace(/^embroidery_/, '')}`
  const threads =
    (options.find(({ id }) => id === own) ?? options.find(({ id }) => id === 'thread_colors'))?.values ?? []
  const nearest = (drawing?.ink ?? []).flatMap(
    ({ hex }) => threads.map(({ value }) => value).toSorted((a, b) => distance(a, hex) - distance(b, hex))[0] ?? [],
  )
  return [...new Set(nearest)].slice(0, THREADS_MAX)
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const distance = (a: string, b: string): number => {
  const other = channels(b)
  return channels(a).reduce((total, value, index) => total + (value - (other[index] ?? 0)) ** 2, 0)
}

type DrawingsProps = {
  pictures: readonly StoredPicture[]
  chosen: string | undefined
  onChoose: (picture: StoredPicture) => void
}

function Drawings({ pictures, chosen, onChoose }: DrawingsProps) {
  const queries = useQueryClient()
  const { run, busy, failure } = useRequest()
  const [alt, setAlt] = useState('')
  const [file, setFile] = useState<File>()
  const upload = () =>
    run(async () => {
      if (!file) return
      const stored = await uploadDrawing(file, alt)
      await queries.invalidateQueries({ queryKey: drawingsQuery.queryKey })
      onChoose(stored)
      setFile(undefined)
      setAlt('')
    })
  return (
    <section aria-label="Drawings" className="grid gap-4">
      <div className="grid gap-4 rounded-card border border-line p-4 sm:grid-cols-2">
        <div className="flex flex-col gap-1.5">
          <label htmlFor="drawing-file" className="text-[0.9375rem] font-medium">
            New drawing
          </label>
          <input
            id="drawing-file"
            type="file"
            accept="image/png,image/jpeg,image/webp,image/avif,image/svg+xml"
            className="min-h-12 py-2"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
          <p className="text-sm text-ink-soft">PNG or SVG with a transparent ground prints best. At most 50 MB.</p>
        </div>
        <Field label="What it shows" value={alt} onValue={setAlt} maxLength={250} hint="For people who can’t see it." />
        <div>
          <Button busy={busy} aria-disabled={!file || alt.trim().length < 3} onClick={() => void upload()}>
            Upload
          </Button>
        </div>
        {failure && (
          <div className="sm:col-span-2">
            <Notice title="Not uploaded">{failure.sentence}</Notice>
          </div>
        )}
      </div>
      {pictures.length > 0 && (
        <ul className="flex flex-wrap gap-3" aria-label="Drawings uploaded before">
          {pictures.map((picture) => (
            <li key={picture.file}>
              <button
                type="button"
                aria-pressed={picture.file === chosen}
                onClick={() => onChoose(picture)}
                className="rounded-card border-2 border-line bg-ground p-1 aria-pressed:border-ink"
              >
                <img
                  src={picture.src}
                  srcSet={picture.srcSet}
                  sizes="96px"
                  alt={picture.alt}
                  className="size-24 object-contain"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type PlacingProps = {
  blank: Blank
  drawing: StoredPicture
  placement: DraftPlacement
  model: ReturnType<typeof findPictureModel>
  onPlace: (placement: DraftPlacement) => void
}

function Placing({ blank, drawing, placement, model, onPlace }: PlacingProps) {
  const areas = areasOf(blank)
  const area = areas.find((one) => one.placement === placement.area)
  return (
    <section aria-label="Position" className="grid gap-4">
      <Select
        label="Print area"
        value={placement.area}
        options={areas.map(({ placement: value, title, technique }) => ({ value, label: `${title} (${technique})` }))}
        onValue={(value) => onPlace({ ...placement, area: value, threadColors: threadColorsOf(blank, value, drawing) })}
      />
      {area && <PlacementEditor area={area} drawing={drawing} placement={placement} onPlace={onPlace} />}
      {placement.threadColors.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          Threads:
          {placement.threadColors.map((color) => (
            <span key={color} className="inline-flex items-center gap-1">
              <span aria-hidden className="size-5 rounded-full border border-line" style={{ backgroundColor: color }} />
              {color}
            </span>
          ))}
        </p>
      )}
      {model ? (
        <img
          src={previewAddress(blank, placement, model)}
          alt={`${drawing.alt} on ${blank.title}`}
          width={640}
          height={640}
          className="aspect-square w-full max-w-md rounded-card border border-line"
        />
      ) : (
        <p className="text-sm text-ink-soft">
          The shop has no model of this product: its pictures will be the printer’s previews.
        </p>
      )}
    </section>
  )
}

function previewAddress(
  { colors }: Blank,
  { drawing, area, x, y, width, height }: DraftPlacement,
  model: string,
): string {
  const hex = colors.find((color) => color.hex !== null)?.hex ?? '#ffffff'
  const technique = area.startsWith('embroidery') ? 'embroidery' : 'print'
  const numbers = { x: String(x), y: String(y), width: String(width), height: String(height) }
  return `/api/admin/pictures/${drawing}/preview?${new URLSearchParams({ model, view: 'front', hex, technique, ...numbers })}`
}
