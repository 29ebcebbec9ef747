import { useQueryClient } from '@tanstack/react-query'
import { EmailChange, type Account } from '#contract/accounts.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Section } from './Section.tsx'
import { SubmitError, useSubmit } from './use-submit.tsx'

export function EmailSection({ account: { email, unprovenEmail } }: { account: Account }) {
  const api = useApi()
  const queries = useQueryClient()
  const { form, submit, isSending, problem } = useSubmit(EmailChange, async (change) => {
    await api('POST /api/account/email', { body: change })
    await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
  })
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
        <form {...form.tied} aria-label="Email" className="grid gap-6" onSubmit={submit}>
          <Field
            label={email ? 'New email' : 'Email'}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={254}
            error={form.errorOf('email')}
          />
          <Field
            label="Current password"
            name="password"
            type="password"
            autoComplete="current-password"
            autoCapitalize="none"
            required
            maxLength={256}
            hint="We ask for your password because this address can reset it."
            error={form.errorOf('password')}
          />
          <SubmitError title="Your email was not changed" message={problem} />
          <div>
            <Button type="submit" variant="outline" busy={isSending}>
              {isSending ? 'Sending...' : 'Send me a link'}
            </Button>
          </div>
        </form>
      </div>
    </Section>
  )
}
