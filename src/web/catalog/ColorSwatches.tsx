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

/** Radio buttons: 24 px in one row on cards, 44 px on product pages. A sold-out color can still be selected, to see its pictures. */
export function ColorSwatches({ swatches, chosen, onChoose, size = 'large' }: Props) {
  const group = useId()
  return (
    <div className={size === 'large' ? 'flex flex-wrap gap-2' : 'flex'}>
      {swatches.map(({ name, hex, accent, state }) => (
        <label
          key={name}
          title={sayColor(name)}
          className={size === 'large' ? 'swatch size-11' : 'swatch size-6 shrink-0'}
        >
          <input type="radio" name={group} value={name} checked={name === chosen} onChange={() => onChoose(name)} />
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
  <svg viewBox="-10 -10 20 20" aria-hidden="true" className={classNames('dot', className)}>
    <circle r="9.5" fill={hex ?? '#b9b2a5'} />
    {accent && <path d="M0-9a9 9 0 0 1 0 18" fill={accent} />}
    {isCrossedOut && <path d="m-7.1 6.1 1 1L7.1-6.1l-1-1z" className="dot-line" />}
  </svg>
)
