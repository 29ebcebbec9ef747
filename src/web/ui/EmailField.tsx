import type { ComponentProps } from 'react'
import { say } from '#words/say.ts'
import { Field } from './Field.tsx'

/** 254: RFC 5321, section 4.5.3.1.3, without the brackets. */
export const EmailField = ({ label = say('Email'), ...field }: Partial<ComponentProps<typeof Field>>) => (
  <Field
    label={label}
    name="email"
    type="email"
    inputMode="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={254}
    {...field}
  />
)
