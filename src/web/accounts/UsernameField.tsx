import type { ComponentProps } from 'react'
import { Field } from '#web/ui/Field.tsx'
import { say } from '#words/say.ts'

export const UsernameField = (field: Partial<ComponentProps<typeof Field>>) => (
  <Field
    label={say('Username')}
    name="username"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    required
    maxLength={64}
    {...field}
  />
)
