import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import { itemCount } from '#domain/cart/cart.ts'
import { configQuery } from '#web/api/queries.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { say } from '#words/say.ts'
import { spokenAddress } from '#shared/language.ts'
import { CardPaymentStep } from './CardPaymentStep.tsx'
import { CheckoutFrame } from './CheckoutFrame.tsx'
import { CheckoutLayout } from './CheckoutLayout.tsx'
import { DeliveryStep } from './DeliveryStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { StepMessage } from './StepMessage.tsx'
import { Summary } from './Summary.tsx'
import { useCheckout } from './use-checkout.ts'
import { useFocusOnStep } from './use-steps.ts'

/** `/checkout-with-stripe-address`: information, review, card. */
export function AlternateCheckoutPage() {
  const checkout = useCheckout('alternate')
  const { data: config } = useQuery(configQuery)
  const { step, lines, isPending, quote, offer, doing, message } = checkout
  const headings = useFocusOnStep(step)
  if (!isPending && lines.length === 0 && !checkout.isClosed) return <EmptyCart />

  const count = itemCount(lines)
  const isBlank = [...checkout.customer.mistakes.values()].includes('Required')
  return (
    <CheckoutLayout
      variant="alternate"
      step={step}
      titleRef={headings.title}
      summary={
        <Summary
          title={
            count > 0 ? say('Your Order ({count, plural, one {# item} other {# items}})', { count }) : say('Your Order')
          }
          lines={lines}
          isPending={isPending}
          quote={quote}
          country={checkout.customer.form.shippingAddress.country}
        />
      }
    >
      <div hidden={step !== 'customer_info'}>
        <DeliveryStep
          state={checkout.customer}
          phone={checkout.phone}
          formRef={checkout.formElement}
          isWorking={doing !== 'nothing' || isPending}
          missing={isBlank ? say('Please enter your email, name and full address to continue.') : undefined}
          notice={step === 'customer_info' && <StepMessage message={message} buttonLabel={say('Continue to Review')} />}
          onLeave={() => checkout.save()}
          onContinue={() => void checkout.proceed()}
        />
      </div>
      {step === 'review' && (
        <ReviewStep
          form={checkout.customer.form}
          phone={checkout.phone.value}
          summary={'summary' in quote ? quote.summary : undefined}
          age={checkout.age}
          isWorking={doing !== 'nothing' || isPending}
          notice={<StepMessage message={message} buttonLabel={say('Pay with Card')} />}
          headingRef={headings.review}
          onEdit={checkout.back}
          onPay={() => void checkout.proceed()}
        />
      )}
      {offer && config && (
        // Hidden and not unmounted, so the typed card details are kept.
        <div hidden={step !== 'payment' && step !== 'paid'}>
          <CardPaymentStep checkout={checkout} offer={offer} config={config.stripe} headingRef={headings.payment} />
        </div>
      )}
    </CheckoutLayout>
  )
}

const EmptyCart = () => (
  <CheckoutFrame>
    <div className="shell grid justify-items-center gap-6 py-20 text-center">
      <PageHead title={say('Checkout')} />
      <meta name="robots" content="noindex" />
      <h1 className="text-headline">{say('Your cart is empty')}</h1>
      <a href={spokenAddress(paths.products)} className={buttonClass('primary')}>
        {say('Continue Shopping')}
      </a>
    </div>
  </CheckoutFrame>
)
