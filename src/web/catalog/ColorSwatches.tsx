import { useId } from 'react'
import type { OptionState } from '#domain/catalog/options.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { classNames } from '#web/ui/class-names.ts'

type SwatchChoice = { name: string; hex: string | null; accent?: string | undefined; state: OptionState }

type Props = {
  swatches: readonly SwatchChoice[]
  chosen: string | null
  onChoose: (name: string) => void
  size?: 'small' | 'large'
}

/** Radio buttons: 28 px on cards, 44 px on product pages. A sold-out color can still be selected, to see its pictures. */
export function ColorSwatches({ swatches, chosen, onChoose, size = 'large' }: Props) {
  const group = useId()
  return (
    <div className={classNames('flex flex-wrap', size === 'large' ? 'gap-2' : 'gap-1')}>
      {swatches.map(({ name, hex, accent, state }) => (
        <label
          key={name}
          title={sayColor(name)}
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
          <Dot
            hex={hex}
            accent={accent}
            className={size === 'large' ? 'size-8' : 'size-[1.125rem]'}
            isCrossedOut={state !== 'available'}
          />
          <span className="sr-only">
            {sayColor(name)}
            {state === 'sold_out' && `, ${say('sold out')}`}
            {state === 'not_made' && `, ${say('in other sizes only')}`}
          </span>
        </label>
      ))}
    </div>
  )
}

const circleColors = (hex: string | null) => ({ fill: hex ?? '#b9b2a5', stroke: '#1d1b19', strokeOpacity: '0.3' })

/** In two halves if two-tone; gray when the color's hex is unknown. Attributes and no inline style, which the content security policy forbids. */
export const Dot = ({
  hex,
  accent,
  className,
  isCrossedOut = false,
}: {
  hex: string | null
  accent?: string | undefined
  className?: string
  isCrossedOut?: boolean
}) => (
  <svg viewBox="-10 -10 20 20" aria-hidden="true" className={classNames('pointer-events-none', className)}>
    <circle r="9.5" {...circleColors(hex)} />
    {accent && <path d="M0-9a9 9 0 0 1 0 18Z" fill={accent} />}
    {isCrossedOut && <path d="M-6.6 6.6 6.6-6.6" stroke="#fff" strokeWidth="3" />}
    {isCrossedOut && <path d="M-6.6 6.6 6.6-6.6" stroke="#1d1b19" strokeWidth="1.4" />}
  </svg>
)
