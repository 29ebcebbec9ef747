import { useId, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { BlankPrintArea } from '#contract/admin-blanks.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import { resolutionWarning } from '#domain/pictures/resolution.ts'
import type { DraftPlacement } from '#domain/studio/placement.ts'
import { Notice } from '#web/ui/Notice.tsx'

type Props = {
  area: BlankPrintArea
  drawing: StoredPicture
  placement: DraftPlacement
  onPlace: (placement: DraftPlacement) => void
  /** How it looks, beside the area. */
  children: ReactNode
}

const STEP = 0.01
const WIDTH_MIN = 0.05

/** A drawing on its print area, to scale: dragged by mouse or touch, moved by arrow keys, sized by its corner or by plus and minus. */
export function PlacementEditor({ area, drawing, placement, onPlace, children }: Props) {
  const keys = useId()
  const frame = useRef<HTMLDivElement>(null)
  const grip = useRef<{ kind: 'move' | 'size'; x: number; y: number; from: DraftPlacement }>(undefined)
  const source = drawing.drawing ?? drawing
  /** The height of the drawing as a share of the area, for a width as a share. */
  const shape = (source.height / source.width) * (area.width / area.height)
  const shown = { ...placement, ...fittedTo(placement, shape) }

  const place = (wanted: Partial<DraftPlacement>) => {
    const next = { ...shown, ...wanted }
    const width = Math.min(Math.max(next.width, WIDTH_MIN), 1, 1 / shape)
    const height = Math.max(0.02, Math.min(1, width * shape))
    onPlace({ ...next, width, height, x: inside(next.x, width), y: inside(next.y, height) })
  }
  const take = (kind: 'move' | 'size') => (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { kind, x: event.clientX, y: event.clientY, from: shown }
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const held = grip.current
    const box = frame.current?.getBoundingClientRect()
    if (!held || !box) return
    const [dx, dy] = [(event.clientX - held.x) / box.width, (event.clientY - held.y) / box.height]
    if (held.kind === 'move') place({ ...held.from, x: held.from.x + dx, y: held.from.y + dy })
    else place({ ...held.from, width: held.from.width + 2 * dx })
  }
  const release = () => {
    grip.current = undefined
  }
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, Partial<DraftPlacement>> = {
      ArrowLeft: { x: shown.x - STEP },
      ArrowRight: { x: shown.x + STEP },
      ArrowUp: { y: shown.y - STEP },
      ArrowDown: { y: shown.y + STEP },
      '+': { width: shown.width + STEP },
      '=': { width: shown.width + STEP },
      '-': { width: shown.width - STEP },
    }
    const wanted = moves[event.key]
    if (!wanted) return
    event.preventDefault()
    place(wanted)
  }

  const inches = { width: area.width / area.dpi, height: area.height / area.dpi }
  const warning =
    drawing.drawing && resolutionWarning(drawing.drawing, inches, { width: shown.width, height: shown.height })
  return (
    <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
      <div
        ref={frame}
        className="relative max-h-[70vh] w-full max-w-md self-start overflow-hidden border border-dashed border-ink bg-ground"
        style={{ aspectRatio: `${area.width} / ${area.height}` }}
      >
        <button
          type="button"
          aria-label={`Position of ${drawing.alt}`}
          aria-describedby={keys}
          onKeyDown={press}
          onPointerDown={take('move')}
          onPointerMove={drag}
          onPointerUp={release}
          onPointerCancel={release}
          className="absolute cursor-move touch-none outline-offset-2 focus-visible:outline-2"
          style={{
            left: percent(shown.x - shown.width / 2),
            top: percent(shown.y - shown.height / 2),
            width: percent(shown.width),
            height: percent(shown.height),
          }}
        >
          <img src={drawing.src} alt="" draggable={false} className="size-full select-none" />
          <span
            aria-hidden
            onPointerDown={take('size')}
            onPointerMove={drag}
            onPointerUp={release}
            onPointerCancel={release}
            className="absolute right-0 bottom-0 size-6 cursor-nwse-resize pointer-coarse:size-11 touch-none border-2 border-ink bg-ivory"
          />
        </button>
      </div>
      <div className="grid grid-cols-1 content-start gap-3">
        {children}
        <p id={keys} className="text-sm text-ink-soft">
          Drag the drawing, or its corner to size it. By keyboard: arrow keys move it, plus and minus size it.
        </p>
        <Slider label="Width" value={shown.width} onValue={(width) => place({ width })} />
        <Slider label="From the left" value={shown.x} onValue={(x) => place({ x })} />
        <Slider label="From the top" value={shown.y} onValue={(y) => place({ y })} />
        <p className="text-sm">
          Prints {inchesFormat.format(shown.width * inches.width)} x {inchesFormat.format(shown.height * inches.height)}{' '}
          in
        </p>
        <p role="status" className="sr-only">
          {percentFormat.format(shown.x)} from the left, {percentFormat.format(shown.y)} from the top,{' '}
          {percentFormat.format(shown.width)} wide
        </p>
        {warning && <Notice title="Low resolution">{warning}</Notice>}
      </div>
    </div>
  )
}

/** The drawing within its box, whole and in its own proportions. */
const fittedTo = ({ width, height }: DraftPlacement, shape: number) => {
  const fitted = Math.min(width, height / shape)
  return { width: fitted, height: fitted * shape }
}

const inside = (center: number, size: number) => Math.min(1 - size / 2, Math.max(size / 2, center))
const percent = (share: number) => `calc(100% * ${share})`

const inchesFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const percentFormat = new Intl.NumberFormat('en-US', { style: 'percent' })

type SliderProps = { label: string; value: number; onValue: (value: number) => void }

const Slider = ({ label, value, onValue }: SliderProps) => (
  <label className="grid gap-1 text-[0.9375rem] font-medium">
    {label}
    <input
      type="range"
      min={0}
      max={1}
      step={STEP}
      value={value}
      aria-valuetext={percentFormat.format(value)}
      onChange={(event) => onValue(Number(event.currentTarget.value))}
      className="min-h-8 accent-(--color-button)"
    />
  </label>
)
