import { useState } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

type Props = {
  /** Of the form field: the chosen options in order, separated by commas. */
  name: string
  options: Readonly<Record<string, string>>
  shown: readonly string[]
}

/** Options in an order of one's own, each shown or hidden; moved by dragging or with the arrows. */
export function OrderInput({ name, options, shown }: Props) {
  const [order, setOrder] = useState(() => [
    ...shown,
    ...Object.keys(options).filter((option) => !shown.includes(option)),
  ])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(shown))
  const [dragged, setDragged] = useState<string>()
  const move = (option: string, place: number) =>
    setOrder((before) => before.filter((other) => other !== option).toSpliced(place, 0, option))
  const choose = (option: string, isChosen: boolean) =>
    setChosen((before) => new Set([...before].filter((other) => other !== option).concat(isChosen ? option : [])))
  return (
    <>
      <input type="hidden" name={name} value={order.filter((option) => chosen.has(option)).join(',')} />
      <ol className="grid gap-2">
        {order.map((option, place) => (
          // Dragging is for the mouse; the buttons do the same by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={option}
            draggable
            onDragStart={() => setDragged(option)}
            onDragOver={(event) => {
              event.preventDefault()
              if (dragged !== undefined && dragged !== option) move(dragged, place)
            }}
            onDragEnd={() => setDragged(undefined)}
            className={classNames(
              'flex items-center justify-between gap-3 rounded-card border border-line bg-surface px-4 py-1',
              dragged === option && 'opacity-60',
            )}
          >
            <Checkbox
              label={options[option] ?? option}
              checked={chosen.has(option)}
              onChecked={(isChosen) => choose(option, isChosen)}
            />
            <span className="flex shrink-0">
              <IconButton
                icon="down"
                label={`Move ${options[option]} up`}
                className="rotate-180"
                idle={place === 0}
                onClick={() => move(option, place - 1)}
              />
              <IconButton
                icon="down"
                label={`Move ${options[option]} down`}
                idle={place === order.length - 1}
                onClick={() => move(option, place + 1)}
              />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
