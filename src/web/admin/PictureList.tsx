import { useState } from 'react'
import { shownViews } from '#domain/pictures/picture-models.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'

/** A picture of a product, in the order that shoppers see. */
export type ListedPicture = {
  /** Name without width and extension. */
  file: string
  src: string
  alt: string
  /** Null for a picture of no color in particular. */
  color: string | null
  view: string
}

const viewLabels = {
  front: 'Front',
  lifestyle: 'In use',
  worn: 'Worn',
  held: 'In the hand',
  detail: 'Detail',
  measures: 'Measures',
} as const

type Props = {
  pictures: readonly ListedPicture[]
  /** The product's colors, by name. */
  colors: readonly string[]
  onChange: (pictures: ListedPicture[]) => void
}

/** A product's pictures: order by drag or by buttons, description, color and view of each. */
export function PictureList({ pictures, colors, onChange }: Props) {
  const [dragged, setDragged] = useState<number>()
  const [news, setNews] = useState('')

  const move = (from: number, to: number) => {
    const moved = pictures[from]
    if (!moved || to < 0 || to >= pictures.length || from === to) return
    onChange(pictures.toSpliced(from, 1).toSpliced(to, 0, moved))
    setNews(`Picture moved to place ${to + 1} of ${pictures.length}`)
  }
  const update = (index: number, change: Partial<ListedPicture>) =>
    onChange(pictures.map((picture, i) => (i === index ? { ...picture, ...change } : picture)))

  return (
    <div className="grid gap-3">
      <p role="status" className="sr-only">
        {news}
      </p>
      {pictures.length === 0 && <p className="text-ink-soft">No pictures yet.</p>}
      <ol className="grid gap-3">
        {pictures.map((picture, index) => {
          const place = `picture ${index + 1}`
          return (
            // Dragging is for a mouse only: the buttons do the same for keys and fingers.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={picture.file}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== undefined) move(dragged, index)
                setDragged(undefined)
              }}
              className={classNames(
                'grid grid-cols-[5rem_minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-3',
                dragged === index && 'opacity-50',
              )}
            >
              <div className="grid content-start gap-1">
                {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
                <img
                  src={picture.src}
                  alt=""
                  width={80}
                  height={80}
                  draggable
                  onDragStart={() => setDragged(index)}
                  onDragEnd={() => setDragged(undefined)}
                  className="size-20 cursor-grab rounded-card object-cover"
                />
                <p className="text-center text-sm text-ink-soft">
                  {index === 0 ? 'Shown first' : `Place ${index + 1}`}
                </p>
              </div>
              <div className="grid gap-3">
                <Field
                  label="What it shows"
                  name={`pictures.${index}.alt`}
                  value={picture.alt}
                  maxLength={250}
                  onValue={(alt) => update(index, { alt })}
                />
                <div className="grid gap-3 sm:grid-cols-2">
                  <Select
                    label="Color"
                    value={picture.color ?? ''}
                    options={[{ value: '', label: 'All colors' }, ...colors.map((value) => ({ value, label: value }))]}
                    onValue={(color) => update(index, { color: color || null })}
                  />
                  <Select
                    label="View"
                    value={picture.view}
                    options={shownViews.map((value) => ({ value, label: viewLabels[value] }))}
                    onValue={(view) => update(index, { view })}
                  />
                </div>
                <div className="flex gap-1">
                  <IconButton
                    icon="down"
                    className="rotate-180"
                    label={`Move ${place} up`}
                    idle={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    icon="down"
                    label={`Move ${place} down`}
                    idle={index === pictures.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    icon="bin"
                    label={`Remove ${place}`}
                    className="ml-auto"
                    onClick={() => {
                      onChange(pictures.toSpliced(index, 1))
                      setNews(`Picture removed; ${pictures.length - 1} left`)
                    }}
                  />
                </div>
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
