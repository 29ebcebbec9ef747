import { Field } from '#web/ui/Field.tsx'

const ANY_CODE = 'Six digits from the app, or one of your recovery codes.'

/** The code of a second factor, or where `hint` does not say otherwise a recovery code in its place. */
export const CodeField = ({ error, hint = ANY_CODE }: { error: string | undefined; hint?: string }) => (
  <Field
    label="Code"
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    required
    maxLength={40}
    hint={hint}
    error={error}
  />
)
