import { useRef, type ReactNode, type RefObject } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { say, sayMeaning } from '#words/say.ts'
import { AgeCheckbox } from './AgeCheckbox.tsx'
import { AddressFields } from './AddressFields.tsx'
import { ContactFields } from './ContactFields.tsx'
import { FormSection } from './FormSection.tsx'
import { FaultPromise } from './FaultPromise.tsx'
import { OrderTerms } from './OrderTerms.tsx'
import type { CustomerFormState } from './use-customer-form.ts'
import type { AgeAgreement, Agreement } from './use-shopper-input.ts'

type Props = {
  state: CustomerFormState
  formRef: RefObject<HTMLFormElement | null>
  terms: Agreement
  /** Undefined without age-restricted items. */
  age: AgeAgreement | undefined
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

const small = 'min-h-10! py-0! text-[0.8125rem] font-normal! text-ink-soft!'

/** Step 1 of the main checkout. */
export function CustomerStep({ state, formRef, terms, age, remember, doing, isWaiting, notice, ...on }: Props) {
  const { form, change } = state
  const clearButton = useRef<HTMLButtonElement>(null)

  return (
    <form
      ref={formRef}
      noValidate
      aria-label={say('Customer information')}
      className="grid gap-6 sm:gap-8"
      onSubmit={(event) => {
        // Held until the cart is there, and then submitted again (`holdEarlySubmits`).
        if (isWaiting) return
        event.preventDefault()
        on.onContinue()
      }}
    >
      <FormSection title={sayMeaning('Contact (buyer)')}>
        <ContactFields state={state} onLeave={on.onLeave} />
      </FormSection>
      <FormSection title={say('Shipping address')}>
        <AddressFields name="shippingAddress" section="shipping" state={state} onLeave={on.onLeave} />
      </FormSection>
      <div className="grid gap-1 sm:gap-2">
        <fieldset className="flex min-w-0 flex-wrap items-center justify-between gap-x-2">
          <legend className="float-left pb-2 font-display text-[1.0625rem] leading-tight tracking-[-0.018em] sm:text-[1.25rem]">
            {say('Billing address')}
          </legend>
          {/* Beside its title on a phone. */}
          <div className="max-sm:text-[0.9375rem] max-sm:[&_label>span]:mt-0.5">
            <Checkbox
              id="same-billing"
              name="sameBillingAddress"
              label={say('Copy from shipping address')}
              checked={form.sameBillingAddress}
              onChecked={(same) => change({ kind: 'same_billing', same })}
            />
          </div>
          {!form.sameBillingAddress && (
            <div className="mt-2 mb-4 w-full">
              <AddressFields name="billingAddress" section="billing" state={state} onLeave={on.onLeave} />
            </div>
          )}
        </fieldset>
        <fieldset className="flex min-w-0 flex-wrap gap-x-10">
          <legend className="sr-only">{say('Before you pay')}</legend>
          <Checkbox
            id="remember"
            name="remember"
            label={say('Save my details on this device')}
            checked={remember.ticked}
            onChecked={remember.onTicked}
          />
          <Checkbox
            id="terms"
            name="terms"
            required
            label={say('I agree to the terms and conditions')}
            checked={terms.accepted}
            error={terms.error}
            onChecked={terms.onAccepted}
          />
          {age && <AgeCheckbox age={age} />}
        </fieldset>
        <div className="my-2 empty:hidden">{notice}</div>
        <div className="grid gap-3">
          <Button type="submit" className="w-full" busy={doing === 'starting' || isWaiting}>
            {doing === 'starting' ? say('Preparing your payment...') : say('Continue to Payment')}
          </Button>
          <OrderTerms className="text-[0.8125rem] leading-snug" />
          <FaultPromise />
          <div className="flex flex-wrap gap-x-4">
            {on.onClearSaved && (
              <Button
                variant="plain"
                className={small}
                onClick={() => {
                  on.onClearSaved?.()
                  // This button disappears: move the focus.
                  clearButton.current?.focus()
                }}
              >
                {say('Clear Saved Info')}
              </Button>
            )}
            <Button ref={clearButton} variant="plain" className={small} onClick={on.onClear}>
              {say('Clear Form')}
            </Button>
            <Button
              variant="plain"
              className={small}
              busy={doing === 'calculating' || isWaiting}
              onClick={on.onCalculate}
            >
              {say('Calculate Tax')}
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}
