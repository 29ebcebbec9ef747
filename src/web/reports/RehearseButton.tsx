import { FormButton } from '#web/ui/ApiForm.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { rehearsalPath, type RehearsedChange } from './rehearsal-link.ts'

/** Of a form that would save a rule: shows in a new tab what it would have done, and keeps what is typed. */
export const RehearseButton = ({ change }: { change: (typed: TypedFields) => RehearsedChange }) => (
  <FormButton
    variant="plain"
    send={(typed) => {
      window.open(rehearsalPath(change(typed)), '_blank', 'noopener')
      return Promise.resolve()
    }}
  >
    What would the last 90 days have been?
  </FormButton>
)
