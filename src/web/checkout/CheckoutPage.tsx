import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { configQuery } from '#web/api/queries.ts'
import { useToast } from '#web/ui/toast.tsx'
import { CheckoutLayout } from './CheckoutLayout.tsx'
import { CustomerStep } from './CustomerStep.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { say } from '#words/say.ts'
import { StepMessage } from './StepMessage.tsx'
import { Summary } from './Summary.tsx'
import { useCheckout } from './use-checkout.ts'
import { useFocusOnStep } from './use-steps.ts'

// Part of the page that the server sends; their scripts are loaded when nothing else is to do.
const ExpressCheckout = import.meta.env.SSR
  ? (await import('./ExpressCheckout.tsx')).ExpressCheckout
  : lazy(async () => ({ default: (await import('./ExpressCheckout.tsx')).ExpressCheckout }))

const ExpressReview = import.meta.env.SSR
  ? (await import('./ExpressReview.tsx')).ExpressReview
  : lazy(async () => ({ default: (await import('./ExpressReview.tsx')).ExpressReview }))

const ExpressSheet = import.meta.env.SSR
  ? (await import('./ExpressSheet.tsx')).ExpressSheet
  : lazy(async () => ({ default: (await import('./ExpressSheet.tsx')).ExpressSheet }))

/** `/checkout` and `/direct-checkout`: customer info, payment. */
export function CheckoutPage() {
  const checkout = useCheckout('main')
  const { data: config } = useQuery(configQuery)
  const { step, saved, offer } = checkout
  // Loaded while the shopper fills in step 1. Not by `lazy`, which leaves step 2 empty for a moment also where its script is there:
  // the foot of the page would come into sight, and leave again.
  const { data: loaded } = useQuery({
    queryKey: ['payment step'],
    queryFn: () => import('./PaymentStep.tsx'),
    throwOnError: step === 'payment',
  })
  const headings = useFocusOnStep(step)
  const [search, setSearch] = useSearchParams()
  /** The order that was approved at PayPal's page. */
  const approved = step === 'payment' || search.get('express') !== 'paypal' ? null : search.get('token')
  const isReviewing = approved !== null
  useEmptyCartGuard(!checkout.isPending && checkout.lines.length === 0 && !checkout.isClosed && !isReviewing)
  const hasSheet = step !== 'payment' && search.get('express') === 'sheet'
  const isExpress = isReviewing || hasSheet
  const isTyping = step === 'customer_info' && !isExpress
  const leaveExpress = () => setSearch({}, { replace: true })

  return (
    <CheckoutLayout
      variant="main"
      step={isExpress && step === 'customer_info' ? 'payment' : step}
      titleRef={headings.title}
      summary={
        <Summary
          lines={checkout.lines}
          isPending={checkout.isPending}
          quote={checkout.quote}
          country={checkout.customer.form.shippingAddress.country}
        />
      }
    >
      {isReviewing && (
        <Suspense>
          <ExpressReview checkout={checkout} order={approved} onLeave={leaveExpress} />
        </Suspense>
      )}
      {hasSheet && (
        <Suspense>
          <ExpressSheet checkout={checkout} onLeave={leaveExpress} />
        </Suspense>
      )}
      <div hidden={!isTyping}>
        {/* As high as what the server has sent, which a change before its script is there takes away for a moment. */}
        <Suspense fallback={<div className="mb-4 h-27.5 sm:h-21" />}>
          <ExpressCheckout
            isCanceled={search.get('express') === 'canceled'}
            onLeaving={checkout.saveForReturn}
            onSheet={() => {
              checkout.dismissMessage()
              setSearch({ express: 'sheet' })
            }}
          />
        </Suspense>
        {saved.isBack && <WelcomeBack />}
        <CustomerStep
          state={checkout.customer}
          formRef={checkout.formElement}
          terms={checkout.terms}
          age={isExpress ? undefined : checkout.age}
          remember={{ ticked: saved.remember, onTicked: (remember) => checkout.save(remember) }}
          doing={checkout.doing}
          isWaiting={checkout.isPending}
          notice={isTyping && <StepMessage message={checkout.message} buttonLabel={say('Continue to Payment')} />}
          onLeave={() => checkout.save()}
          onClear={checkout.clearForm}
          onClearSaved={saved.isSaved ? checkout.clearSaved : undefined}
          onCalculate={() => void checkout.calculate()}
          onContinue={() => void checkout.proceed()}
        />
      </div>
      {offer && config && loaded && (
        // Hidden and not unmounted, so the typed card details are kept.
        <div hidden={isTyping}>
          <loaded.PaymentStep checkout={checkout} offer={offer} config={config} headingRef={headings.payment} />
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
        title: say('Cart is Empty'),
        description: say('Please add items to your cart before checking out.'),
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
    <Notice tone="calm" title={say('Welcome back')}>
      {say('Your details are as you left them. Agree to the terms and continue when you are ready.')}
    </Notice>
  </div>
)
