import { useState, type FormEvent } from 'react'
import { formatUsd, type Cents } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useAction } from './use-action.ts'

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
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('reference')
    const body = { reference: typeof typed === 'string' ? typed : '' }
    const params = { id: String(refund) }
    const call = () => confirmed(() => api('POST /api/admin/refunds/:id/paid-another-way', { params, body }))
    if (await act(call)) onDone()
  }
  return (
    <>
      <form noValidate aria-label={title} className="grid gap-5" onSubmit={(event) => void onSubmit(event)}>
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
          error={failure?.fields['reference']}
        />
        {failure && <Notice>{failure.sentence}</Notice>}
        <div>
          <Button type="submit" busy={busy}>
            Record {formatUsd(amount)} as paid
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
