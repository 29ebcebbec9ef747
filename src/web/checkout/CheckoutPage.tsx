import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { configQuery } from '#web/api/queries.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { Button } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { CustomerStep } from './CustomerStep.tsx'
import { Notice } from './Notice.tsx'
import { PaymentStep } from './PaymentStep.tsx'
import { StepList } from './StepList.tsx'
import { Summary } from './Summary.tsx'
import { useCheckout, type Said } from './use-checkout.ts'

/** `/checkout` and `/direct-checkout`: step 1 asks who and where, step 2 takes the card. */
export function CheckoutPage() {
  const checkout = useCheckout()
  const { openCart } = useCart()
  const { data: config } = useQuery(configQuery)
  const { stage, saved } = checkout
  const { offer } = stage
  const isPaying = stage.step !== 'customer_info'
  const { title, paymentTitle } = useFocusOnStep(isPaying)

  return (
    <div className="shell pt-8 pb-16 sm:pt-12">
      <PageHead title="Checkout" />
      <meta name="robots" content="noindex" />
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <h1 ref={title} tabIndex={-1} className="text-headline outline-none">
          Checkout
        </h1>
        <StepList at={stage.step} />
      </div>
      <p className="mt-8 hidden max-w-prose rounded-card border border-accent bg-button-quiet p-5 noscript:block">
        Paying needs JavaScript: your card goes straight from your browser to our payment provider. Please switch it on
        for this page. Your cart waits for you.
      </p>
      <div className="mt-8 grid gap-8 lg:mt-12 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)] lg:items-start lg:gap-16">
        <aside aria-label="Your order" className="lg:sticky lg:top-24 lg:col-start-2 lg:row-start-1">
          <Summary lines={checkout.lines} isPending={checkout.isPending} quote={checkout.quote} />
        </aside>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          <div hidden={isPaying}>
            {saved.isBack && <WelcomeBack />}
            <CustomerStep
              state={checkout.customer}
              formRef={checkout.formElement}
              terms={checkout.terms}
              remember={{ ticked: saved.remember, onTicked: (remember) => checkout.save(remember) }}
              doing={stage.step === 'customer_info' ? stage.doing : 'nothing'}
              notice={stage.step === 'customer_info' && <SaidNotice said={stage.said} onOpenCart={openCart} />}
              onLeave={() => checkout.save()}
              onClear={checkout.clearForm}
              onClearSaved={saved.isSaved ? checkout.clearSaved : undefined}
              onCalculate={() => void checkout.calculate()}
              onContinue={() => void checkout.proceed()}
            />
          </div>
          {offer && config && (
            <div hidden={!isPaying}>
              <PaymentStep
                key={offer.start.client_secret}
                config={config.stripe}
                clientSecret={offer.start.client_secret}
                form={checkout.customer.form}
                summary={offer.summary}
                headingRef={paymentTitle}
                restart={() => checkout.restart(offer)}
                onEdit={checkout.edit}
                onPaid={(paymentIntent) => checkout.finish(offer, paymentIntent)}
              />
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

const WelcomeBack = () => (
  <div className="mb-8">
    <Notice tone="calm" title="Welcome back">
      Your details are as you left them. Agree to the terms and go on when you are ready.
    </Notice>
  </div>
)

/** A new step is a new place: it begins at its top, and whoever does not see the page hears where they are. */
function useFocusOnStep(isPaying: boolean) {
  const title = useRef<HTMLHeadingElement>(null)
  const paymentTitle = useRef<HTMLHeadingElement>(null)
  const shown = useRef(isPaying)
  useEffect(() => {
    if (shown.current === isPaying) return
    shown.current = isPaying
    scrollTo({ top: 0, behavior: 'instant' })
    const heading = isPaying ? paymentTitle : title
    heading.current?.focus({ preventScroll: true })
  }, [isPaying])
  return { title, paymentTitle }
}

function SaidNotice({ said, onOpenCart }: { said: Said; onOpenCart: () => void }) {
  switch (said.kind) {
    case 'nothing':
      return null
    case 'changed':
      return (
        <Notice title="The total is another one">
          {said.sentence} Nothing was charged; press Continue to Payment again to go on.
        </Notice>
      )
    case 'trouble':
      return (
        <Notice title={said.trouble.title}>
          {said.trouble.sentence}
          {said.isAboutCart && (
            <Button look="plain" className="mt-1 min-h-11!" onClick={onOpenCart}>
              Open your cart
            </Button>
          )}
        </Notice>
      )
  }
}
