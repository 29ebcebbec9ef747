import type { ComponentProps } from 'react'
import { FieldFrame } from './Field.tsx'
import { inputClass } from './input-class.ts'

type Props = Omit<ComponentProps<'textarea'>, 'className'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  className?: string | undefined
}

export const TextArea = ({ label, hint, error, className, id, ...area }: Props) => (
  <FieldFrame id={id} name={area.name} label={label} hint={hint} error={error} className={className}>
    {(attributes) => <textarea {...area} {...attributes} className={`${inputClass} resize-y leading-normal`} />}
  </FieldFrame>
)
