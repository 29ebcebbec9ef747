import { useQueryClient } from '@tanstack/react-query'
import { EmailChange, type Account } from '#contract/accounts.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
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
    <Section title="Email" description={<p>Optional. It shows your orders here, and lets you reset your password.</p>}>
      <div className="grid max-w-[30rem] gap-6">
        <p>
          {email ? (
            <>
              <span className="font-semibold wrap-anywhere">{email}</span>{' '}
              <span className="text-ink-soft">is confirmed.</span>
            </>
          ) : (
            'No email yet.'
          )}
        </p>
        {unprovenEmail && (
          <Notice tone="calm" title="Check your email">
            We sent a link to <span className="font-medium wrap-anywhere">{unprovenEmail}</span>. Open it within a day,
            in a browser where you’re signed in.
          </Notice>
        )}
        <ApiForm schema={EmailChange} send={send} clears aria-label="Email" className="grid gap-6">
          <EmailField label={email ? 'New email' : 'Email'} required />
          <PasswordField label="Current password" hint="We ask for your password because this address can reset it." />
          <FormNotice title="Your email was not changed" />
          <div>
            <SubmitButton variant="outline" busyText="Sending...">
              Send me a link
            </SubmitButton>
          </div>
        </ApiForm>
      </div>
    </Section>
  )
}
