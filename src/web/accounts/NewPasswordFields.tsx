import { Field } from '#web/ui/Field.tsx'

/** A new password, typed twice. */
export function NewPasswordFields({
  errorOf,
  min = 6,
}: {
  errorOf: (name: string) => string | undefined
  min?: number
}) {
  const attributes = {
    type: 'password',
    required: true,
    autoCapitalize: 'none',
    maxLength: 256,
    autoComplete: 'new-password',
  } as const
  return (
    <>
      <Field
        label="New password"
        name="password"
        hint={`At least ${min} characters; longer is better.`}
        error={errorOf('password')}
        {...attributes}
      />
      <Field label="Confirm password" name="confirmPassword" error={errorOf('confirmPassword')} {...attributes} />
    </>
  )
}
