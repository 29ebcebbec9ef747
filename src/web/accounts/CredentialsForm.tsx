import type { ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import type { Credentials } from '#contract/accounts.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { PasswordField } from './PasswordField.tsx'
import { UsernameField } from './UsernameField.tsx'

type Props = {
  schema: ZodMiniType<Credentials>
  /** A new account: asks for the password twice. */
  isNew?: boolean
  /** Fields side by side where there is room. */
  isWide?: boolean
  onSend: (credentials: Credentials) => Promise<void>
  labels: { idle: string; busy: string; failed: string }
  note: ReactNode
}

/** Username and password, for both tabs. */
export const CredentialsForm = ({ schema, isNew = false, isWide = false, onSend, labels, note }: Props) => (
  <ApiForm schema={schema} send={onSend} aria-label={labels.idle} className="grid gap-6">
    <div className={classNames('grid gap-6', isWide && 'md:grid-cols-3')}>
      <UsernameField />
      {isNew ? <NewPasswordFields label={say('Password')} /> : <PasswordField />}
    </div>
    <FormNotice title={labels.failed} />
    <noscript>
      <p className="text-ink-soft">{say('Signing in needs JavaScript. Browsing the shop does not.')}</p>
    </noscript>
    <SubmitButton busyText={labels.busy} {...(isWide && { className: 'md:min-w-56 md:justify-self-start' })}>
      {labels.idle}
    </SubmitButton>
    <p className="text-sm text-ink-soft">{note}</p>
  </ApiForm>
)
