import { Checkbox } from '#web/ui/Checkbox.tsx'
import { say } from '#words/say.ts'
import type { AgeAgreement } from './use-shopper-input.ts'

/** A page has one: a missing consent is focused by its name. */
export const AgeCheckbox = ({ age: { minimumAge, accepted, error, onAccepted } }: { age: AgeAgreement }) => (
  <Checkbox
    id="age"
    name="age"
    required
    label={
      minimumAge === null
        ? say('I am old enough to buy everything in my order')
        : say('I am {age} or older', { age: minimumAge })
    }
    checked={accepted}
    error={error}
    onChecked={onAccepted}
  />
)
