import type { Fact } from '#domain/catalog/product-types.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

const LINES_MAX = 30

type Props = { facts: readonly Fact[]; onFacts: (facts: Fact[]) => void }

/** The lines of the details panel. */
export function FactsField({ facts, onFacts }: Props) {
  const change = (index: number, part: Partial<Fact>) =>
    onFacts(facts.map((fact, at) => (at === index ? { ...fact, ...part } : fact)))
  const move = (index: number, to: number) => {
    const [moved] = facts.slice(index, index + 1)
    if (moved && to >= 0 && to < facts.length) onFacts(facts.toSpliced(index, 1).toSpliced(to, 0, moved))
  }
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="mb-2 text-[1.375rem] font-semibold">Details panel</legend>
      <p className="text-sm text-ink-soft">
        A line that is only for some products replaces the line of the same label where the product’s name has these
        words: 11 oz.
      </p>
      <ol className="grid gap-4">
        {facts.map((fact, index) => (
          // Lines have no id: their fields are controlled, so a line is its place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="grid gap-3 rounded-card border border-line p-4 sm:grid-cols-[1fr_2fr_1fr_auto]">
            <Field
              label="Label"
              name={`content.facts.${index}.label`}
              value={fact.label}
              maxLength={40}
              autoComplete="off"
              onValue={(label) => change(index, { label })}
            />
            <Field
              label="Text"
              name={`content.facts.${index}.value`}
              value={fact.value}
              maxLength={300}
              autoComplete="off"
              onValue={(value) => change(index, { value })}
            />
            <Field
              label="Only for"
              optional
              name={`content.facts.${index}.onlyFor`}
              value={fact.onlyFor ?? ''}
              maxLength={40}
              autoComplete="off"
              onValue={(onlyFor) => change(index, { onlyFor })}
            />
            <div className="flex items-start sm:pt-7">
              <IconButton
                icon="down"
                label={`Move line ${index + 1} up`}
                className="rotate-180"
                idle={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon="down"
                label={`Move line ${index + 1} down`}
                idle={index === facts.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <IconButton
                icon="close"
                label={`Remove line ${index + 1}`}
                onClick={() => onFacts(facts.toSpliced(index, 1))}
              />
            </div>
          </li>
        ))}
      </ol>
      {facts.length < LINES_MAX && (
        <div>
          <Button variant="outline" onClick={() => onFacts([...facts, { label: '', value: '' }])}>
            Add a line
          </Button>
        </div>
      )}
    </fieldset>
  )
}
