import { useState } from 'react'
import { PasswordConfirmation } from '#contract/accounts.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { CodeField } from './CodeField.tsx'
import { SubmitError, useSubmit } from './use-submit.tsx'

type PendingCall = { goOn: () => void; giveUp: () => void }

/**
 * For calls that need a password given lately (`owner_fresh`, `partner_fresh`): when the shop asks for it, so does `dialog`, and then the call is
 * sent again. Whoever closes the dialog gets the shop's refusal.
 */
export function useFreshPassword() {
  const [waiting, setWaiting] = useState<PendingCall>()
  const confirmed = async <Answer,>(act: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await act()
    } catch (error) {
      if (!isRefusal(error, 'password_needed')) throw error
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the error is the shop's own
      await new Promise<void>((goOn, giveUp) => setWaiting({ goOn, giveUp: () => giveUp(error) }))
      return act()
    }
  }
  const close = (how: keyof PendingCall) => {
    waiting?.[how]()
    setWaiting(undefined)
  }
  return {
    confirmed,
    dialog: (
      <Dialog open={waiting !== undefined} onClose={() => close('giveUp')} title="Confirm your password">
        {waiting && <PasswordForm onDone={() => close('goOn')} />}
      </Dialog>
    ),
  }
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const api = useApi()
  const [asksForCode, setAsksForCode] = useState(false)
  const { form, submit, isSending, problem } = useSubmit(PasswordConfirmation, async (given) => {
    try {
      await api('POST /api/account/confirm', { body: given })
    } catch (error) {
      if (!isRefusal(error, 'code_needed') || asksForCode) throw error
      setAsksForCode(true)
      return 'keep'
    }
    onDone()
    return undefined
  })
  return (
    <form {...form.tied} aria-label="Confirm your password" className="grid gap-6" onSubmit={submit}>
      <p className="text-ink-soft">
        This moves money or opens people’s data, so please confirm that it is you. We won’t ask again for 15 minutes.
      </p>
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoCapitalize="none"
        required
        maxLength={256}
        error={form.errorOf('password')}
      />
      {asksForCode && <CodeField error={form.errorOf('code')} />}
      <SubmitError title="Not yet" said={problem} />
      <div>
        <Button type="submit" busy={isSending}>
          Continue
        </Button>
      </div>
    </form>
  )
}
