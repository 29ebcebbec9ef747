import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { ConfirmedPasswordChange } from './registration.ts'
import { Section } from './Section.tsx'
import { SubmitError, useSubmit } from './use-submit.tsx'

export function PasswordSection({ isOwner }: { isOwner: boolean }) {
  const api = useApi()
  const queries = useQueryClient()
  const [isDone, setIsDone] = useState(false)
  const { form, submit, isSending, problem } = useSubmit(ConfirmedPasswordChange, async ({ current, password }) => {
    setIsDone(false)
    await api('POST /api/account/password', { body: { current, password } })
    setIsDone(true)
    await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
  })
  return (
    <Section title="Password" description={<p>Changing it signs you out everywhere else.</p>}>
      <form {...form.tied} aria-label="Password" className="grid max-w-[30rem] gap-6" onSubmit={submit}>
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          autoCapitalize="none"
          required
          maxLength={256}
          error={form.errorOf('current')}
        />
        <NewPasswordFields errorOf={form.errorOf} min={isOwner ? 12 : 6} />
        <SubmitError title="Your password was not changed" message={problem} />
        {isDone && (
          <Notice tone="calm" title="Your password was changed">
            You’re still signed in here, and signed out everywhere else.
          </Notice>
        )}
        <div>
          <Button type="submit" variant="outline" busy={isSending}>
            {isSending ? 'Changing password...' : 'Change password'}
          </Button>
        </div>
      </form>
    </Section>
  )
}
