import { useState } from 'react'
import { IconButton } from '#web/ui/IconButton.tsx'

type Props = {
  value: number
  max: number
  onValue: (value: number) => void
}

/** From 1 to `max`. The number is a field of its own, so the buttons, which repeat its arrow keys, are no stops of the Tab key. */
export function QuantityField({ value, max, onValue }: Props) {
  const [typed, setTyped] = useState<string>()
  const set = (wanted: number) => {
    if (wanted >= 1) onValue(Math.min(Math.trunc(wanted), max))
  }
  const step = (by: 1 | -1) => ({
    tabIndex: -1,
    idle: by === 1 ? value >= max : value <= 1,
    onClick: () => set(value + by),
  })
  return (
    <div className="inline-flex shrink-0 items-center rounded-card border border-ink/45 bg-surface noscript:hidden">
      <IconButton icon="minus" label="One fewer" {...step(-1)} />
      <input
        type="number"
        inputMode="numeric"
        aria-label="Quantity"
        min={1}
        max={max}
        value={typed ?? value}
        onChange={({ currentTarget: { value: text } }) => {
          setTyped(text)
          set(Number(text))
        }}
        onBlur={() => setTyped(undefined)}
        className="min-h-11 w-8 [appearance:textfield] bg-transparent text-center font-semibold tabular-nums [&::-webkit-inner-spin-button]:appearance-none"
      />
      <IconButton icon="plus" label="One more" {...step(1)} />
    </div>
  )
}
