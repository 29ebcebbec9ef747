import { CorrectedEmail } from '#contract/orders.ts'
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
    aria-label="Correct the email"
    className="grid gap-4"
  >
    <EmailField label="New email" id="new-email" required hint={hint} />
    <FormNotice />
    <div>
      <SubmitButton variant="outline">Correct the email</SubmitButton>
    </div>
  </ApiForm>
)
