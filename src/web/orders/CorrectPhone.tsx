import * as z from 'zod/mini'
import { say } from '#words/say.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Field } from '#web/ui/Field.tsx'

const schema = z.object({ phone: z.string().check(z.trim(), z.maxLength(40, 'Please use at most 40 characters')) })

type Props = {
  /** Left out for a customer, because a link can be passed on. */
  start?: string | null
  send: (phone: string | null) => Promise<unknown>
}

/** The number that carriers may call. */
export const CorrectPhone = ({ start, send }: Props) => (
  <ApiForm
    schema={schema}
    aria-label={say('Correct the phone number')}
    className="grid gap-5"
    send={({ phone }) => send(phone || null)}
  >
    <Field
      label={say('Phone')}
      name="phone"
      type="tel"
      defaultValue={start ?? ''}
      hint={say('Leave it empty to remove it.')}
    />
    <FormNotice />
    <div>
      <SubmitButton variant="outline">{say('Correct the phone number')}</SubmitButton>
    </div>
  </ApiForm>
)
