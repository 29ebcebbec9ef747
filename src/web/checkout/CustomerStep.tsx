import { useRef, type ReactNode, type RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { AddressFields } from './AddressFields.tsx'
import { ContactFields } from './ContactFields.tsx'
import { FormSection } from './FormSection.tsx'
import { OrderTerms } from './OrderTerms.tsx'
import type { CustomerFormState } from './use-customer-form.ts'
import type { Agreement } from './use-shopper-input.ts'

type Props = {
  state: CustomerFormState
  formRef: RefObject<HTMLFormElement | null>
  terms: Agreement
  /** Undefined without age-restricted items. */
  age: (Agreement & { label: string }) | undefined
  remember: { ticked: boolean; onTicked: (ticked: boolean) => void }
  doing: 'nothing' | 'calculating' | 'starting'
  /** The cart is still loading. */
  isWaiting: boolean
  notice: ReactNode
  onLeave: () => void
  onClear: () => void
  onClearSaved: (() => void) | undefined
  onCalculate: () => void
  onContinue: () => void
}

/** Step 1 of the main checkout. */
export function CustomerStep({ state, formRef, terms, age, remember, doing, isWaiting, notice, ...on }: Props) {
  const { form, change } = state
  const clearButton = useRef<HTMLButtonElement>(null)

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
      <FormSection title="Contact">
        <ContactFields state={state} onLeave={on.onLeave} />
      </FormSection>
      <FormSection title="Shipping address">
        <AddressFields name="shippingAddress" section="shipping" state={state} onLeave={on.onLeave} />
      </FormSection>
      <FormSection title="Billing address">
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
      </FormSection>
      <FormSection title="Before you pay">
        <div className="rounded-card border border-line bg-surface p-5">
          <OrderTerms />
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
            {age && (
              <Checkbox
                id="age"
                name="age"
                required
                label={age.label}
                checked={age.accepted}
                error={age.error}
                onChecked={age.onAccepted}
              />
            )}
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
              variant="plain"
              onClick={() => {
                on.onClearSaved?.()
                // This button disappears: move the focus.
                clearButton.current?.focus()
              }}
            >
              Clear Saved Info
            </Button>
          )}
        </div>
      </FormSection>
      {notice}
      <div className="flex flex-col gap-3 sm:flex-row-reverse sm:items-center">
        <Button type="submit" className="sm:flex-1" busy={doing === 'starting' || isWaiting}>
          {doing === 'starting' ? 'Preparing your payment...' : 'Continue to Payment'}
        </Button>
        <div className="flex gap-5 max-sm:order-last max-sm:gap-3 max-sm:[&>*]:flex-1">
          <Button ref={clearButton} variant="plain" onClick={on.onClear}>
            Clear Form
          </Button>
          <Button variant="quiet" busy={doing === 'calculating' || isWaiting} onClick={on.onCalculate}>
            Calculate Tax
          </Button>
        </div>
      </div>
      <p className="-mt-4 text-sm text-ink-soft">
        <a href={paths.products} className="link-line">
          Keep shopping
        </a>
        . Your cart is saved.
      </p>
    </form>
  )
}
