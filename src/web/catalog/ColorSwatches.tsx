import { useId } from 'react'
import type { OptionState } from '#domain/catalog/options.ts'
import { classNames } from '#web/ui/class-names.ts'

type SwatchChoice = { name: string; hex: string | null; state: OptionState }

type Props = {
  swatches: readonly SwatchChoice[]
  chosen: string | null
  onChoose: (name: string) => void
  size?: 'small' | 'large'
}

/** Radio buttons that look like thread: 28 px on cards, 44 px where one decides. A color that is sold out can still be looked at. */
export function ColorSwatches({ swatches, chosen, onChoose, size = 'large' }: Props) {
  const group = useId()
  return (
    <div className={classNames('flex flex-wrap', size === 'large' ? 'gap-2' : 'gap-1')}>
      {swatches.map(({ name, hex, state }) => (
        <label
          key={name}
          title={name}
          className={classNames(
            'relative grid place-items-center rounded-full border-2 border-transparent has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
            size === 'large' ? 'size-11' : 'size-7',
          )}
        >
          <input
            type="radio"
            name={group}
            value={name}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-full outline-none"
          />
          <Dot hex={hex} className={size === 'large' ? 'size-8' : 'size-[1.125rem]'} struck={state !== 'available'} />
          <span className="sr-only">
            {name}
            {state === 'sold_out' && ', sold out'}
            {state === 'not_made' && ', in another size'}
          </span>
        </label>
      ))}
    </div>
  )
}

type Dye = { name: string; hex: string | null }

/** Pixels of a small swatch, and from one to the next. */
const SMALL = { size: 28, step: 32 }

/** Dyes in a row, each where its small swatch would be: one drawing, since a list has two hundred of them. */
export const Dots = ({ colors }: { colors: readonly Dye[] }) => {
  const width = colors.length * SMALL.step - (SMALL.step - SMALL.size)
  return (
    <svg viewBox={`0 0 ${width} ${SMALL.size}`} width={width} aria-hidden="true" className="max-w-full">
      {colors.map(({ name, hex }, index) => (
        <circle
          key={name}
          cx={SMALL.size / 2 + index * SMALL.step}
          cy={SMALL.size / 2}
          r="8.55"
          {...paint(hex)}
          strokeWidth="0.9"
        />
      ))}
    </svg>
  )
}

const paint = (hex: string | null) => ({ fill: hex ?? '#b9b2a5', stroke: '#1d1b19', strokeOpacity: '0.3' })

/** A dye. Without a known color it shows a weave. Attributes, not inline style: pages allow none. */
export const Dot = ({
  hex,
  className,
  struck = false,
}: {
  hex: string | null
  className?: string
  struck?: boolean
}) => (
  <svg viewBox="-10 -10 20 20" aria-hidden="true" className={classNames('pointer-events-none', className)}>
    <circle r="9.5" {...paint(hex)} />
    {struck && <path d="M-6.6 6.6 6.6-6.6" stroke="#fff" strokeWidth="3" />}
    {struck && <path d="M-6.6 6.6 6.6-6.6" stroke="#1d1b19" strokeWidth="1.4" />}
  </svg>
)
