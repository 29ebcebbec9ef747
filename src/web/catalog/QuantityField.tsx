import { useState } from 'react'
import { say } from '#words/say.ts'
import { Stepper } from '#web/ui/Stepper.tsx'

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
  return (
    <Stepper
      fewer={{ label: say('One fewer'), tabIndex: -1, idle: value <= 1, onClick: () => set(value - 1) }}
      more={{ label: say('One more'), tabIndex: -1, idle: value >= max, onClick: () => set(value + 1) }}
      className="noscript:hidden"
    >
      <input
        type="number"
        inputMode="numeric"
        aria-label={say('Quantity')}
        min={1}
        max={max}
        value={typed ?? value}
        onChange={({ currentTarget: { value: text } }) => {
          setTyped(text)
          set(Number(text))
        }}
        onBlur={() => setTyped(undefined)}
        className="min-h-11 w-8 [appearance:textfield] bg-transparent text-center font-semibold [&::-webkit-inner-spin-button]:appearance-none"
      />
    </Stepper>
  )
}
