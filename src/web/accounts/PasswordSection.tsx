import { useQueryClient } from '@tanstack/react-query'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, FormSuccess, SubmitButton } from '#web/ui/ApiForm.tsx'
import { say } from '#words/say.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { PasswordField } from './PasswordField.tsx'
import { ConfirmedPasswordChange } from './registration.ts'
import { Section } from './Section.tsx'

export function PasswordSection({ isStaff }: { isStaff: boolean }) {
  const api = useApi()
  const queries = useQueryClient()
  const send = async ({ current, password }: ConfirmedPasswordChange) => {
    await api('POST /api/account/password', { body: { current, password } })
    await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
  }
  return (
    <Section title={say('Password')} description={<p>{say('Changing it signs you out everywhere else.')}</p>}>
      <ApiForm schema={ConfirmedPasswordChange} send={send} clears aria-label={say('Password')} className="grid gap-6">
        <div className="grid gap-x-4 gap-y-6 md:grid-cols-3">
          <PasswordField label={say('Current password')} name="current" />
          <NewPasswordFields min={isStaff ? 12 : 6} />
        </div>
        <FormNotice title={say('Your password was not changed')} />
        <FormSuccess title={say('Your password was changed')}>
          {say('You’re still signed in here, and signed out everywhere else.')}
        </FormSuccess>
        <div>
          <SubmitButton variant="outline" busyText={say('Changing password...')}>
            {say('Change password')}
          </SubmitButton>
        </div>
      </ApiForm>
    </Section>
  )
}
