import { use, useId, type ComponentProps, type ReactNode } from 'react'
import { say, sayKnown } from '#words/say.ts'
import { afterPress } from './after-press.ts'
import { classNames } from './class-names.ts'
import { FormContext } from './form-context.ts'
import { inputClass } from './input-class.ts'

type Frame = {
  label: ReactNode
  hint?: ReactNode | undefined
  /** What is wrong and how to fix it; read out with the field. Unset in an `ApiForm`: the form's own error for `name`. */
  error?: string | undefined
  className?: string | undefined
}

type DescribedControl = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** Label, hint and error around any control, which takes the attributes that connect them. */
export function FieldFrame({
  id: ownId,
  name,
  label,
  hint,
  error: ownError,
  optional = false,
  className,
  children,
}: Frame & {
  id?: string | undefined
  name?: string | undefined
  optional?: boolean
  children: (attributes: DescribedControl) => ReactNode
}) {
  const generatedId = useId()
  const id = ownId ?? generatedId
  const { errorOf } = use(FormContext)
  const error = ownError ?? (name === undefined ? undefined : errorOf(name))
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        {label}
        {optional && <span className="font-normal text-ink-soft">{` ${say('(optional)')}`}</span>}
      </label>
      {children({
        id,
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {sayKnown(error)}
        </p>
      )}
    </div>
  )
}

type FieldProps = Frame &
  Omit<ComponentProps<'input'>, 'onChange' | 'className'> & {
    optional?: boolean
    /** Called on every input; not needed by forms that read their fields on submit. */
    onValue?: (value: string) => void
    /** Called on leaving the field: the time to validate it, not while typing. */
    onLeave?: ((value: string) => void) | undefined
  }

export function Field({ label, hint, error, className, optional = false, id, onValue, onLeave, ...input }: FieldProps) {
  return (
    <FieldFrame
      id={id}
      name={input.name}
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      className={className}
    >
      {(attributes) => (
        <input
          {...input}
          {...attributes}
          className={inputClass}
          onChange={(event) => onValue?.(event.currentTarget.value)}
          onBlur={({ currentTarget: { value } }) => afterPress(() => onLeave?.(value))}
        />
      )}
    </FieldFrame>
  )
}
