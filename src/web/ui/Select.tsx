import type { ComponentProps } from 'react'
import { say } from '#words/say.ts'
import { afterPress } from './after-press.ts'
import { classNames } from './class-names.ts'
import { FieldFrame } from './Field.tsx'
import { inputClass } from './input-class.ts'
import { Icon } from './Icon.tsx'

type Option<Value extends string> = { value: Value; label: string }

type Props<Value extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'className' | 'children'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  className?: string | undefined
  options: readonly Option<Value>[]
  /** Not needed by forms that read their fields on submit. */
  onValue?: (value: Value) => void
  onLeave?: ((value: string) => void) | undefined
}

/** A native select, for autofill, keyboards and phones. */
export function Select<Value extends string>({
  label,
  hint,
  error,
  className,
  options,
  id,
  onValue,
  onLeave,
  ...select
}: Props<Value>) {
  return (
    <FieldFrame id={id} name={select.name} label={label} hint={hint} error={error} className={className}>
      {(attributes) => (
        <span className="relative block">
          <select
            {...select}
            {...attributes}
            className={classNames(inputClass, 'appearance-none pr-11')}
            // Its values are those of the options.
            onChange={(event) => onValue?.(event.currentTarget.value as Value)}
            onBlur={({ currentTarget: { value } }) => afterPress(() => onLeave?.(value))}
          >
            {/* Without it the first option would count as chosen (HTML, 4.10.7: the placeholder label option). */}
            {select.required && <option value="">{say('Please choose')}</option>}
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <Icon name="down" className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2" />
        </span>
      )}
    </FieldFrame>
  )
}
