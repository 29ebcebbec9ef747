import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { configQuery } from '#web/api/queries.ts'
import { useToast } from '#web/ui/toast.tsx'
import { CheckoutLayout } from './CheckoutLayout.tsx'
import { CustomerStep } from './CustomerStep.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PaymentStep } from './PaymentStep.tsx'
import { StepMessage } from './StepMessage.tsx'
import { Summary } from './Summary.tsx'
import { useCheckout } from './use-checkout.ts'
import { useFocusOnStep } from './use-steps.ts'

/** `/checkout` and `/direct-checkout`: customer info, payment. */
export function CheckoutPage() {
  const checkout = useCheckout('main')
  const { data: config } = useQuery(configQuery)
  const { step, saved, offer } = checkout
  const headings = useFocusOnStep(step)
  useEmptyCartGuard(!checkout.isPending && checkout.lines.length === 0 && !checkout.isClosed)
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

/** Time to restore a lost cart from the browser's backup. */
const RESTORE_MS = 1500

/** Redirects to the products with a toast (specification, section 5, Cart and checkout guards). */
function useEmptyCartGuard(isEmpty: boolean): void {
  const { toast } = useToast()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isEmpty) return undefined
    const leave = () => {
      toast({
        title: 'Cart is Empty',
        description: 'Please add items to your cart before checking out.',
        destructive: true,
      })
      // In the same document, to keep the toast; no payment script has loaded yet.
      void navigate(paths.products, { replace: true })
    }
    const timer = setTimeout(leave, localStorage.getItem('backup-cart') ? RESTORE_MS : 0)
    return () => clearTimeout(timer)
  }, [isEmpty, toast, navigate])
}

const WelcomeBack = () => (
  <div className="mb-8">
    <Notice tone="calm" title="Welcome back">
      Your details are as you left them. Agree to the terms and continue when you are ready.
    </Notice>
  </div>
)
