import { useState, type ReactNode } from 'react'
import type { output } from 'zod/mini'
import { PasswordResetRequest } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { useSite } from '#web/api/use-site.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { isRefusal } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { ChosenPassword } from './registration.ts'
import { useLinkSecret } from './use-link-secret.ts'

/** `/new-password`: requests an emailed link; opened through that link, takes the new password. */
export function NewPasswordPage() {
  const site = useSite()
  const token = useLinkSecret()
  const [isExpired, setIsExpired] = useState(false)
  return (
    <div className="shell pt-12 lg:pt-20">
      <PageHead
        title={say('New password')}
        description={say('Choose a new password for your account at {shop}.', { shop: site.name })}
      />
      <div className="max-w-[32rem]">
        {token && !isExpired ? (
          <ChoosePasswordForm token={token} onExpired={() => setIsExpired(true)} />
        ) : (
          <LinkRequest isExpired={isExpired} />
        )}
      </div>
    </div>
  )
}

const PageIntro = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h1 className="text-headline">{title}</h1>
    <div className="mt-4 text-lg text-ink-soft">{children}</div>
  </>
)

function LinkRequest({ isExpired }: { isExpired: boolean }) {
  const api = useApi()
  const [isSent, setIsSent] = useState(false)
  const send = async (body: PasswordResetRequest) => {
    await api('POST /api/password-reset', { body })
    setIsSent(true)
  }
  if (isSent)
    return (
      <div role="status">
        <PageIntro title={say('Check your email')}>
          <p>{say('If the account has a confirmed email, we just sent a link to it. The link works for one hour.')}</p>
          <p className="mt-4 text-base">
            <Sentence
              word="No email, or never confirmed one? Write to {email} and we’ll give you a new password."
              parts={{ email: <SupportEmail /> }}
            />
          </p>
        </PageIntro>
        <Link to={paths.auth} className={buttonClass('outline', 'mt-8')}>
          {say('Back to login')}
        </Link>
      </div>
    )
  return (
    <>
      <PageIntro title={say('Forgot your password?')}>
        <p>{say('Enter your username or email, and we’ll email you a link to choose a new one.')}</p>
      </PageIntro>
      <ApiForm schema={PasswordResetRequest} send={send} aria-label={say('Request a link')} className="mt-8 grid gap-6">
        {isExpired && (
          <Notice title={say('This link has expired')}>
            {say('A link works once, for one hour. Request a new one.')}
          </Notice>
        )}
        <Field
          label={say('Username or email')}
          name="account"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={254}
        />
        <FormNotice title={say('That did not work')} />
        <noscript>
          <p className="text-ink-soft">
            <Sentence
              word="This form needs JavaScript. Without it, write to {email}."
              parts={{ email: <SupportEmail /> }}
            />
          </p>
        </noscript>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyText={say('Sending...')}>{say('Send me a link')}</SubmitButton>
          <Link to={paths.auth} className={buttonClass('plain')}>
            {say('Back to login')}
          </Link>
        </div>
      </ApiForm>
    </>
  )
}

function ChoosePasswordForm({ token, onExpired }: { token: string; onExpired: () => void }) {
  const api = useApi()
  const [isDone, setIsDone] = useState(false)
  const send = async ({ password }: output<typeof ChosenPassword>) => {
    try {
      await api('POST /api/password-reset/new', { body: { token, password } })
      setIsDone(true)
    } catch (error) {
      if (!isRefusal(error, 'link_expired')) throw error
      onExpired()
    }
  }
  if (isDone)
    return (
      <div role="status">
        <PageIntro title={say('Your password was changed')}>
          <p>{say('You have been signed out everywhere.')}</p>
        </PageIntro>
        <Link to={paths.auth} className={buttonClass('primary', 'mt-8')}>
          {say('Login')}
        </Link>
      </div>
    )
  return (
    <>
      <PageIntro title={say('Choose a new password')}>
        <p>{say('Changing it signs you out everywhere.')}</p>
      </PageIntro>
      <ApiForm
        schema={ChosenPassword}
        send={send}
        aria-label={say('Choose a new password')}
        className="mt-8 grid gap-6"
      >
        <NewPasswordFields />
        <FormNotice title={say('Your password was not changed')} />
        <div>
          <SubmitButton busyText={say('Changing password...')}>{say('Change password')}</SubmitButton>
        </div>
      </ApiForm>
    </>
  )
}
