import type { ComponentProps } from 'react'
import { Field } from '#web/ui/Field.tsx'

export const UsernameField = (field: Partial<ComponentProps<typeof Field>>) => (
  <Field
    label="Username"
    name="username"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    required
    maxLength={64}
    {...field}
  />
)
