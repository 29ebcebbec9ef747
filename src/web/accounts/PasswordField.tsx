import type { ComponentProps } from 'react'
import { Field } from '#web/ui/Field.tsx'
import { say } from '#words/say.ts'

/** The current password, unless `autoComplete` says it is a new one. */
export const PasswordField = ({ label = say('Password'), ...field }: Partial<ComponentProps<typeof Field>>) => (
  <Field
    label={label}
    name="password"
    type="password"
    autoComplete="current-password"
    autoCapitalize="none"
    required
    maxLength={256}
    {...field}
  />
)
