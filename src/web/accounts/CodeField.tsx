import { Field } from '#web/ui/Field.tsx'

/** The code of a second factor, or a recovery code in its place. */
export const CodeField = ({ error }: { error: string | undefined }) => (
  <Field
    label="Code"
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    required
    maxLength={40}
    hint="Six digits from the app, or one of your recovery codes."
    error={error}
  />
)
