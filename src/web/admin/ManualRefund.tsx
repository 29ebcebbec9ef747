import { useState } from 'react'
import { formatUsd, type Cents } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { useChange } from './use-action.ts'

/** Records a failed refund as paid by bank transfer or the like, after the owner sent it. */
export function ManualRefund({ refund, amount }: { refund: number; amount: Cents }) {
  const [open, setOpen] = useState(false)
  const title = `${formatUsd(amount)} paid another way`
  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Paid another way...
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title}>
        {open && <ManualRefundForm refund={refund} amount={amount} title={title} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

type ManualRefundFormProps = { refund: number; amount: Cents; title: string; onDone: () => void }

function ManualRefundForm({ refund, amount, title, onDone }: ManualRefundFormProps) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  const send = async ({ reference = '' }: TypedFields) => {
    const request = { params: { id: String(refund) }, body: { reference } }
    await change(() => confirmed(() => api('POST /api/admin/refunds/:id/paid-another-way', request)))
    onDone()
  }
  return (
    <>
      <ApiForm send={send} aria-label={title} className="grid gap-5">
        <p>
          Send {formatUsd(amount)} to the customer at your bank first, then record it here. The ledger takes it from
          your bank account, and the customer gets an email with the reference.
        </p>
        <Field
          label="Payment reference"
          name="reference"
          maxLength={140}
          autoComplete="off"
          hint="As shown on the bank statement, such as REFUND K7QM-4T2X. No account numbers."
        />
        <FormNotice />
        <div>
          <SubmitButton>Record {formatUsd(amount)} as paid</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
