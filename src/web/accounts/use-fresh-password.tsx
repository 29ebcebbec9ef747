import { useState } from 'react'
import { PasswordConfirmation } from '#contract/accounts.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { say } from '#words/say.ts'
import { CodeField } from './CodeField.tsx'
import { PasswordField } from './PasswordField.tsx'

type PendingCall = { resume: () => void; cancel: () => void }

/**
 * For calls that need a recently confirmed password (`owner_fresh`, `partner_fresh`): when the server refuses with
 * `password_needed`, `dialog` asks for it and the call is sent again. Closing the dialog rethrows the refusal.
 */
export function useFreshPassword() {
  const [pending, setPending] = useState<PendingCall>()
  const confirmed = async <Answer,>(act: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await act()
    } catch (error) {
      if (!isRefusal(error, 'password_needed')) throw error
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the error is the server's own
      await new Promise<void>((resume, reject) => setPending({ resume, cancel: () => reject(error) }))
      return act()
    }
  }
  const close = (how: keyof PendingCall) => {
    pending?.[how]()
    setPending(undefined)
  }
  return {
    confirmed,
    dialog: (
      <Dialog open={pending !== undefined} onClose={() => close('cancel')} title={say('Confirm your password')}>
        {pending && <PasswordForm onDone={() => close('resume')} />}
      </Dialog>
    ),
  }
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const api = useApi()
  const [asksForCode, setAsksForCode] = useState(false)
  const send = async (body: PasswordConfirmation) => {
    try {
      await api('POST /api/account/confirm', { body })
      onDone()
    } catch (error) {
      if (!isRefusal(error, 'code_needed') || asksForCode) throw error
      setAsksForCode(true)
    }
  }
  return (
    <ApiForm schema={PasswordConfirmation} send={send} aria-label={say('Confirm your password')} className="grid gap-6">
      <p className="text-ink-soft">
        {say('This involves money or people’s data, so please confirm it’s you. We won’t ask again for 15 minutes.')}
      </p>
      <PasswordField />
      {asksForCode && <CodeField />}
      <FormNotice title={say('Not confirmed')} />
      <div>
        <SubmitButton>{say('Continue')}</SubmitButton>
      </div>
    </ApiForm>
  )
}
