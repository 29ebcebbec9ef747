import { useId, type ReactNode, type RefObject } from 'react'
import { Field } from '#web/ui/Field.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { say, sayMeaning } from '#words/say.ts'
import { AddressFields } from './AddressFields.tsx'
import { ContactFields } from './ContactFields.tsx'
import { FormSection } from './FormSection.tsx'
import type { CustomerFormState } from './use-customer-form.ts'

type Props = {
  state: CustomerFormState
  phone: { value: string; onValue: (value: string) => void }
  formRef: RefObject<HTMLFormElement | null>
  isWorking: boolean
  /** Why the button is disabled; undefined when it is not. */
  missing: string | undefined
  notice: ReactNode
  onLeave: () => void
  onContinue: () => void
}

/** Step 1 of the alternate checkout. */
export function DeliveryStep({ state, phone, formRef, isWorking, missing, notice, ...on }: Props) {
  const reasonId = useId()
  return (
    <form
      ref={formRef}
      noValidate
      aria-label={say('Customer information')}
      className="grid gap-6 sm:gap-7"
      onSubmit={(event) => {
        event.preventDefault()
        on.onContinue()
      }}
    >
      <FormSection title={sayMeaning('Contact (buyer)')}>
        <ContactFields state={state} onLeave={on.onLeave} />
        <Field
          id="phone"
          name="phone"
          label={say('Phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          optional
          maxLength={30}
          hint={say('Only for the carrier, if there is a delivery problem.')}
          {...phone}
        />
      </FormSection>
      <FormSection title={say('Shipping address')}>
        <AddressFields name="shippingAddress" section="shipping" state={state} onLeave={on.onLeave} />
      </FormSection>
      {notice}
      <div className="grid gap-3">
        {/* `aria-disabled` and not `disabled`: pressing it shows what is missing. */}
        <button
          type="submit"
          className={buttonClass('primary')}
          {...((missing || isWorking) && { 'aria-disabled': true })}
          {...(isWorking && { 'aria-busy': true })}
          {...(missing && { 'aria-describedby': reasonId })}
        >
          {isWorking && <Spinner />}
          {isWorking ? say('Calculating shipping and tax...') : say('Continue to Review')}
        </button>
        {missing && (
          <p id={reasonId} className="text-sm text-ink-soft">
            {missing}
          </p>
        )}
      </div>
    </form>
  )
}
