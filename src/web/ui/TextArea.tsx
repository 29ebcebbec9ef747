import type { ComponentProps } from 'react'
import { FieldFrame } from './Field.tsx'
import { inputClass } from './input-class.ts'

type Props = Omit<ComponentProps<'textarea'>, 'className'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  className?: string | undefined
}

/** Several lines of text, with its label, hint and error; grows as far as its reader pulls it. */
export const TextArea = ({ label, hint, error, className, id, ...area }: Props) => (
  <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
    {(tied) => <textarea {...area} {...tied} className={`${inputClass} resize-y leading-normal`} />}
  </FieldFrame>
)
