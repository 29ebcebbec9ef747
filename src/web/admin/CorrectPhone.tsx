import * as z from 'zod/mini'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { ZERO } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useChange } from './use-action.ts'

const schema = z.object({ phone: z.string().check(z.trim(), z.maxLength(40, 'Please use at most 40 characters')) })

/** The number that carriers may call. */
export function CorrectPhone({
  order: { orderNumber: number, customer },
  onDone,
}: {
  order: AdminOrder
  onDone: () => void
}) {
  const api = useApi()
  const change = useChange()
  return (
    <ApiForm
      schema={schema}
      aria-label="Correct the phone number"
      className="grid gap-5"
      send={async ({ phone }) => {
        const body = { phone: phone || null, difference: ZERO }
        await change(() => api('POST /api/admin/orders/:number/change', { params: { number }, body }))
        onDone()
      }}
    >
      <Field
        label="Phone"
        name="phone"
        type="tel"
        defaultValue={customer.phone ?? ''}
        hint="Leave it empty to remove it."
      />
      <FormNotice />
      <div>
        <SubmitButton>Correct the phone number</SubmitButton>
      </div>
    </ApiForm>
  )
}
