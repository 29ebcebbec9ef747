import { Field } from '#web/ui/Field.tsx'
import { say } from '#words/say.ts'

/** A two-factor code; unless `hint` says otherwise, a recovery code works too. */
export const CodeField = ({ hint = say('Six digits from the app, or a recovery code.') }: { hint?: string }) => (
  <Field
    label={say('Code')}
    name="code"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    required
    maxLength={40}
    hint={hint}
  />
)
