import { useId, type ReactNode } from 'react'
import { sayKnown } from '#words/say.ts'

type Props = {
  label: ReactNode
  checked: boolean
  onChecked: (checked: boolean) => void
  error?: string | undefined
  id?: string
  name?: string
  required?: boolean
}

export function Checkbox({ label, checked, onChecked, error, id: ownId, ...input }: Props) {
  const generatedId = useId()
  const id = ownId ?? generatedId
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2 leading-snug">
        <input
          {...input}
          id={id}
          type="checkbox"
          checked={checked}
          className="mt-0.5 size-5 shrink-0 accent-(--color-button)"
          {...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
          onChange={(event) => onChecked(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {sayKnown(error)}
        </p>
      )}
    </div>
  )
}
