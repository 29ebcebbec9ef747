import { useRef, type ReactNode, type RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { AddressFields } from './AddressFields.tsx'
import type { CustomerFormState } from './use-customer-form.ts'

type Props = {
  state: CustomerFormState
  formRef: RefObject<HTMLFormElement | null>
  terms: { accepted: boolean; error: string | undefined; onAccepted: (accepted: boolean) => void }
  remember: { ticked: boolean; onTicked: (ticked: boolean) => void }
  doing: 'nothing' | 'calculating' | 'starting'
  /** Sentences that belong to the whole form. */
  notice: ReactNode
  onLeave: () => void
  onClear: () => void
  onClearSaved: (() => void) | undefined
  onCalculate: () => void
  onContinue: () => void
}

/** Step 1: who buys, and where it goes. */
export function CustomerStep({ state, formRef, terms, remember, doing, notice, ...on }: Props) {
  const { form, errorOf, change } = state
  const clearButton = useRef<HTMLButtonElement>(null)

  const tied = (name: 'email' | 'name') => ({
    id: name,
    name,
    value: form[name],
    error: errorOf(name),
    onValue: (value: string) => change({ kind: 'typed', name, value }),
    onLeave: () => {
      change({ kind: 'left', name })
      on.onLeave()
    },
  })

  return (
    <form
      ref={formRef}
      noValidate
      aria-label="Customer information"
      className="grid gap-10"
      onSubmit={(event) => {
        event.preventDefault()
        on.onContinue()
      }}
    >
      <Part title="Contact">
        <Field
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={254}
          hint="Your confirmation and tracking go here."
          {...tied('email')}
        />
        <Field label="Full name" autoComplete="name" required maxLength={120} {...tied('name')} />
      </Part>
      <Part title="Shipping address">
        <AddressFields name="shippingAddress" section="shipping" state={state} onLeave={on.onLeave} />
      </Part>
      <Part title="Billing address">
        <Checkbox
          id="same-billing"
          name="sameBillingAddress"
          label="Copy from shipping address"
          checked={form.sameBillingAddress}
          onChecked={(same) => change({ kind: 'same_billing', same })}
        />
        {!form.sameBillingAddress && (
          <AddressFields name="billingAddress" section="billing" state={state} onLeave={on.onLeave} />
        )}
      </Part>
      <Part title="Before you pay">
        <div className="rounded-card border border-line bg-surface p-5">
          <p className="text-[0.9375rem] text-ink-soft">
            By ordering you confirm that you have checked size and colour. Every item is made to order and production
            starts right after payment, so orders cannot be cancelled, modified or refunded, except for manufacturing
            defects.
          </p>
          <div className="mt-3 border-t border-line pt-2">
            <Checkbox
              id="terms"
              name="terms"
              required
              label="I agree to the terms and conditions"
              checked={terms.accepted}
              error={terms.error}
              onChecked={terms.onAccepted}
            />
          </div>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Checkbox
            id="remember"
            name="remember"
            label="Save my details on this device"
            checked={remember.ticked}
            onChecked={remember.onTicked}
          />
          {on.onClearSaved && (
            <Button
              look="plain"
              onClick={() => {
                on.onClearSaved?.()
                // The button goes away; the focus must not be lost with it.
                clearButton.current?.focus()
              }}
            >
              Clear Saved Info
            </Button>
          )}
        </div>
      </Part>
      {notice}
      <div className="flex flex-col gap-3 sm:flex-row-reverse sm:items-center">
        <Button type="submit" className="sm:flex-1" busy={doing === 'starting'}>
          {doing === 'starting' ? 'Preparing your payment …' : 'Continue to Payment'}
        </Button>
        <div className="flex gap-3 max-sm:order-last max-sm:[&>*]:flex-1">
          <Button ref={clearButton} look="plain" onClick={on.onClear}>
            Clear Form
          </Button>
          <Button look="quiet" busy={doing === 'calculating'} onClick={on.onCalculate}>
            Calculate Tax
          </Button>
        </div>
      </div>
      <p className="-mt-4 text-sm text-ink-soft">
        <a href={paths.products} className="link-line">
          Continue shopping
        </a>
        , your cart stays as it is.
      </p>
    </form>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="grid min-w-0 gap-5">
    <legend className="mb-5 font-display text-[1.375rem] leading-tight tracking-[-0.018em]">{title}</legend>
    {children}
  </fieldset>
)
