import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { output } from 'zod/mini'
import { PayoutAccountForms, type MaskedAccount } from '#contract/payout-accounts.ts'
import type { PayoutMethod } from '#domain/partners/payout-account.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { payoutAccountQuery } from './earnings-queries.ts'
import { dayThere } from './earnings-format.ts'

const methods: readonly { value: PayoutMethod; label: string }[] = [
  { value: 'iban', label: 'Bank account with an IBAN' },
  { value: 'account', label: 'US bank account' },
  { value: 'wallet', label: 'PayPal' },
]

/** The partner's payout account: masked, and changed only with the password. */
export function PayoutAccount({ timeZone }: { timeZone: string }) {
  const { data, error } = useQuery(payoutAccountQuery)
  const [isChanging, setIsChanging] = useState(false)
  if (error && !data) return <Notice>{sentenceOf(error)}</Notice>
  if (!data) return null
  const { account } = data
  return (
    <div className="grid max-w-[34rem] gap-6">
      {account ? (
        <p>
          Your payouts go to <strong className="font-semibold">{account.holder}</strong>,{' '}
          <span className="wrap-anywhere">{account.masked}</span>, since{' '}
          <time dateTime={account.changedAt}>{dayThere(account.changedAt, timeZone)}</time>. Payouts are in US dollars;
          your bank may convert them.
        </p>
      ) : (
        <p>
          We don’t know yet where to send your money. Add a payout account, and it goes out with the next payout, in US
          dollars. Only the person who pays you sees the full account.
        </p>
      )}
      {account && !isChanging ? (
        <div>
          <Button variant="outline" onClick={() => setIsChanging(true)}>
            Change payout account
          </Button>
        </div>
      ) : (
        <AccountForm account={account} onDone={() => setIsChanging(false)} />
      )}
    </div>
  )
}

function AccountForm({ account, onDone }: { account: MaskedAccount | null; onDone: () => void }) {
  const [method, setMethod] = useState<PayoutMethod>(account?.method ?? 'iban')
  return (
    <div className="grid gap-6">
      <Select label="Payout method" options={methods} value={method} onValue={setMethod} />
      {/* Each method has its own form and rules. */}
      <Details key={method} method={method} isChange={account !== null} onDone={onDone} />
    </div>
  )
}

function Details({ method, isChange, onDone }: { method: PayoutMethod; isChange: boolean; onDone: () => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const { toast } = useToast()
  const { confirmed, dialog } = useFreshPassword()
  const send = async (body: output<(typeof PayoutAccountForms)[PayoutMethod]>) => {
    const saved = await confirmed(() => api('PUT /api/partnership/payout-account', { body }))
    queries.setQueryData(payoutAccountQuery.queryKey, saved)
    toast({ title: 'Payout account saved' })
    onDone()
  }
  const field = (name: string) => ({
    name,
    required: true,
    autoCapitalize: 'none',
    spellCheck: false,
  })
  return (
    <>
      <ApiForm schema={PayoutAccountForms[method]} send={send} aria-label="Payout account" className="grid gap-6">
        <input type="hidden" name="method" value={method} />
        <Field label="Account holder" {...field('holder')} autoCapitalize="words" autoComplete="name" maxLength={70} />
        {method === 'iban' && (
          <>
            <Field label="IBAN" {...field('iban')} autoComplete="off" maxLength={60} />
            <Field
              label="BIC (optional)"
              {...field('bic')}
              required={false}
              autoComplete="off"
              maxLength={20}
              hint="Banks outside the euro area often ask for it."
            />
          </>
        )}
        {method === 'account' && (
          <>
            <Field
              label="Routing number"
              {...field('routingNumber')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              hint="Nine digits, at the bottom left of a check."
            />
            <Field
              label="Account number"
              {...field('accountNumber')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={30}
            />
          </>
        )}
        {method === 'wallet' && <EmailField label="PayPal email" required />}
        <FormNotice title="Not saved" />
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="outline">Save</SubmitButton>
          {isChange && (
            <Button variant="quiet" onClick={onDone}>
              Cancel
            </Button>
          )}
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
