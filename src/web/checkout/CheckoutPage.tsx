import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#web/api/queries.ts'
import { CheckoutLayout } from './CheckoutLayout.tsx'
import { CustomerStep } from './CustomerStep.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PaymentStep } from './PaymentStep.tsx'
import { StepMessage } from './StepMessage.tsx'
import { Summary } from './Summary.tsx'
import { useFocusOnStep } from './use-focus-on-step.ts'
import { useMainCheckout } from './use-main-checkout.ts'

/** `/checkout` and `/direct-checkout`: customer info, payment. */
export function CheckoutPage() {
  const checkout = useMainCheckout()
  const { data: config } = useQuery(configQuery)
  const { step, saved, offer } = checkout
  const headings = useFocusOnStep(step)
  const isTyping = step === 'customer_info'

  return (
    <CheckoutLayout
      variant="main"
      step={step}
      titleRef={headings.title}
      summary={<Summary lines={checkout.lines} isPending={checkout.isPending} quote={checkout.quote} />}
    >
      <div hidden={!isTyping}>
        {saved.isBack && <WelcomeBack />}
        <CustomerStep
          state={checkout.customer}
          formRef={checkout.formElement}
          terms={checkout.terms}
          age={checkout.age}
          remember={{ ticked: saved.remember, onTicked: (remember) => checkout.save(remember) }}
          doing={checkout.doing}
          isWaiting={checkout.isPending}
          notice={isTyping && <StepMessage message={checkout.message} buttonLabel="Continue to Payment" />}
          onLeave={() => checkout.save()}
          onClear={checkout.clearForm}
          onClearSaved={saved.isSaved ? checkout.clearSaved : undefined}
          onCalculate={() => void checkout.calculate()}
          onContinue={() => void checkout.proceed()}
        />
      </div>
      {offer && config && (
        // Hidden and not unmounted, so the typed card details are kept.
        <div hidden={isTyping}>
          <PaymentStep checkout={checkout} offer={offer} config={config} headingRef={headings.payment} />
        </div>
      )}
    </CheckoutLayout>
  )
}

const WelcomeBack = () => (
  <div className="mb-8">
    <Notice tone="calm" title="Welcome back">
      Your details are as you left them. Agree to the terms and continue when you are ready.
    </Notice>
  </div>
)
