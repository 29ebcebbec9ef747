import type { ComponentProps } from 'react'
import { afterPress } from './after-press.ts'
import { classNames } from './class-names.ts'
import { FieldFrame } from './Field.tsx'
import { inputClass } from './input-class.ts'
import { Icon } from './Icon.tsx'

type Option = { value: string; label: string }

type Props = Omit<ComponentProps<'select'>, 'onChange' | 'className' | 'children'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  className?: string | undefined
  options: readonly Option[]
  /** Called with every choice; a form that reads its fields when it is sent needs none. */
  onValue?: (value: string) => void
  onLeave?: ((value: string) => void) | undefined
}

/** The browser's own list: autofill, keyboards and phones know it. */
export function Select({ label, hint, error, className, options, id, onValue, onLeave, ...select }: Props) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
      {(tied) => (
        <span className="relative block">
          <select
            {...select}
            {...tied}
            className={classNames(inputClass, 'appearance-none pr-11')}
            onChange={(event) => onValue?.(event.currentTarget.value)}
            onBlur={({ currentTarget: { value } }) => afterPress(() => onLeave?.(value))}
          >
            {/* Otherwise the first of the list counts as chosen by whoever chose nothing (HTML, 4.10.7: the placeholder label option). */}
            {select.required && <option value="">Please choose</option>}
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
