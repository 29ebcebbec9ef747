import { Field } from '#web/ui/Field.tsx'

const ANY_CODE = 'Six digits from the app, or a recovery code.'

/** A two-factor code; unless `hint` says otherwise, a recovery code works too. */
export const CodeField = ({ hint = ANY_CODE }: { hint?: string }) => (
  <Field
    label="Code"
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    required
    maxLength={40}
    hint={hint}
  />
)
