import { useLayoutEffect, useRef, useState } from 'react'
import type { Product } from '#contract/catalog.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { ColorSwatches } from './ColorSwatches.tsx'

type Props = {
  name: string
  /** Where all colors are. */
  address: string
  colors: Product['colors']
  chosen: string | null
  onChoose: (name: string) => void
}

/** As many swatches as have room in one row, the chosen one among them, and how many more there are. */
export function CardColors({ name, address, colors, chosen, onChoose }: Props) {
  const row = useRef<HTMLFieldSetElement>(null)
  const room = useRoom(row)
  const isMore = colors.length > room
  const first = isMore ? colors.slice(0, room - 1) : colors
  const chosenLater = colors.slice(first.length).find((color) => color.name === chosen)
  const shown = chosenLater ? [...first.slice(0, -1), chosenLater] : first
  return (
    <fieldset ref={row} className="flex min-w-0 flex-1">
      <legend className="sr-only">{say('Color of {name}', { name })}</legend>
      <ColorSwatches
        size="small"
        chosen={chosen}
        onChoose={onChoose}
        swatches={shown.map((color) => ({ ...color, state: color.available ? 'available' : 'sold_out' }))}
      />
      {isMore && (
        <Link to={address} className="grid h-6 min-w-6 place-items-center font-medium text-ink hover:underline">
          {`+${colors.length - shown.length}`}
          <span className="sr-only">{` ${say('{count} colors', { count: colors.length })}`}</span>
        </Link>
      )}
    </fieldset>
  )
}

/** For how many swatches a row has room, at least two. */
function useRoom(row: { readonly current: HTMLElement | null }): number {
  const [room, setRoom] = useState(Infinity)
  useLayoutEffect(() => {
    const measure = () => {
      const swatch = row.current?.querySelector('label')?.offsetWidth
      if (row.current && swatch) setRoom(Math.max(2, Math.floor(row.current.clientWidth / swatch)))
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [row])
  return room
}
