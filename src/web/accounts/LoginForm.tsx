import { useEffect, useRef, useState } from 'react'
import { Credentials, SecondFactorCode, type LoginCredentials } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { say } from '#words/say.ts'
import { CodeField } from './CodeField.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'

type Props = { onSend: (credentials: LoginCredentials) => Promise<void> }

/** Username and password, then the code for accounts with two-factor authentication. */
export function LoginForm({ onSend }: Props) {
  const [accepted, setAccepted] = useState<Credentials>()
  if (accepted)
    return <CodeForm onSend={(code) => onSend({ ...accepted, code })} onBack={() => setAccepted(undefined)} />
  return (
    <CredentialsForm
      schema={Credentials}
      onSend={async (credentials) => {
        try {
          await onSend(credentials)
        } catch (error) {
          if (!isRefusal(error, 'code_needed')) throw error
          setAccepted(credentials)
        }
      }}
      labels={{ idle: say('Login'), busy: say('Logging in...'), failed: say('Login failed') }}
      note={
        <Link to={paths.newPassword} className="link-line inline-flex min-h-6 items-center">
          {say('Forgot your password?')}
        </Link>
      }
    />
  )
}

function CodeForm({ onSend, onBack }: { onSend: (code: string) => Promise<void>; onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that had focus is gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <ApiForm
      schema={SecondFactorCode}
      send={({ code }) => onSend(code)}
      aria-label={say('Second step')}
      className="grid gap-6"
    >
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-title outline-none">
          {say('One more step')}
        </h2>
        <p className="mt-2 text-ink-soft">{say('Enter the code from your authenticator app.')}</p>
      </div>
      <CodeField />
      <FormNotice title={say('Login failed')} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton busyText={say('Logging in...')}>{say('Login')}</SubmitButton>
        <Button variant="plain" onClick={onBack}>
          {say('Back')}
        </Button>
      </div>
    </ApiForm>
  )
}
