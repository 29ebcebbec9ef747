import { say } from '#words/say.ts'
import { PasswordField } from './PasswordField.tsx'

type Props = { label?: string; min?: number }

/** A new password, typed twice. */
export const NewPasswordFields = ({ label = say('New password'), min = 6 }: Props) => (
  <>
    <PasswordField
      label={label}
      autoComplete="new-password"
      hint={say('At least {min} characters; longer is better.', { min })}
    />
    <PasswordField label={say('Confirm password')} name="confirmPassword" autoComplete="new-password" />
  </>
)
