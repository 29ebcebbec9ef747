import { useQueryClient } from '@tanstack/react-query'
import { EmailChange, type Account } from '#contract/accounts.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { PasswordField } from './PasswordField.tsx'
import { Section } from './Section.tsx'

export function EmailSection({ account: { email, unprovenEmail } }: { account: Account }) {
  const api = useApi()
  const queries = useQueryClient()
  const send = async (change: EmailChange) => {
    await api('POST /api/account/email', { body: change })
    await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
  }
  return (
    <Section
      title={say('Email')}
      description={<p>{say('Optional. It shows your orders here, and lets you reset your password.')}</p>}
    >
      <div className="grid gap-6">
        <p>
          {email ? (
            <span className="text-ink-soft">
              <Sentence
                word="{email} is confirmed."
                parts={{ email: <span className="font-semibold text-ink wrap-anywhere">{email}</span> }}
              />
            </span>
          ) : (
            say('No email yet.')
          )}
        </p>
        {unprovenEmail && (
          <Notice tone="calm" title={say('Check your email')}>
            <Sentence
              word="We sent a link to {email}. Open it within a day, in a browser where you’re signed in."
              parts={{ email: <span className="font-medium wrap-anywhere">{unprovenEmail}</span> }}
            />
          </Notice>
        )}
        <ApiForm schema={EmailChange} send={send} clears aria-label={say('Email')} className="grid gap-6">
          <div className="grid gap-x-4 gap-y-6 md:grid-cols-2">
            <EmailField label={email ? say('New email') : say('Email')} required />
            <PasswordField
              label={say('Current password')}
              hint={say('We ask for your password because this address can reset it.')}
            />
          </div>
          <FormNotice title={say('Your email was not changed')} />
          <div>
            <SubmitButton variant="outline" busyText={say('Sending...')}>
              {say('Send me a link')}
            </SubmitButton>
          </div>
        </ApiForm>
      </div>
    </Section>
  )
}
