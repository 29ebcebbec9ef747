import { CorrectedEmail } from '#contract/orders.ts'
import { say } from '#words/say.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'

type Props = {
  hint: string
  send: (email: string) => Promise<unknown>
}

/** Changes the email address of an order. */
export const CorrectEmail = ({ hint, send }: Props) => (
  <ApiForm
    schema={CorrectedEmail}
    send={({ email }) => send(email)}
    aria-label={say('Correct the email')}
    className="grid gap-4"
  >
    <EmailField label={say('New email')} id="new-email" required hint={hint} />
    <FormNotice />
    <div>
      <SubmitButton variant="outline">{say('Correct the email')}</SubmitButton>
    </div>
  </ApiForm>
)
