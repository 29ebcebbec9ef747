import type { ComponentProps } from 'react'
import { FieldFrame } from './Field.tsx'
import { inputClass } from './input-class.ts'

type Props = Omit<ComponentProps<'textarea'>, 'className'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  className?: string | undefined
  onValue?: ((value: string) => void) | undefined
}

export const TextArea = ({ label, hint, error, className, id, onValue, ...area }: Props) => (
  <FieldFrame id={id} name={area.name} label={label} hint={hint} error={error} className={className}>
    {(attributes) => (
      <textarea
        {...area}
        {...(onValue && { onChange: (event) => onValue(event.currentTarget.value) })}
        {...attributes}
        className={`${inputClass} resize-y leading-normal`}
      />
    )}
  </FieldFrame>
)
