import { PasswordField } from './PasswordField.tsx'

type Props = { label?: string; min?: number }

/** A new password, typed twice. */
export const NewPasswordFields = ({ label = 'New password', min = 6 }: Props) => (
  <>
    <PasswordField label={label} autoComplete="new-password" hint={`At least ${min} characters; longer is better.`} />
    <PasswordField label="Confirm password" name="confirmPassword" autoComplete="new-password" />
  </>
)
