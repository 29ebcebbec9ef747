import type { RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { Button } from '#web/ui/Button.tsx'
import { CardSection } from './CardSection.tsx'
import { PaymentMessage } from './PaymentMessage.tsx'
import { useCardCheckout } from './use-card.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import { isBusy, isTerminalState, usePaymentState } from './use-payment-state.ts'
import { usePaymentSystemErrors } from './use-payment-system-errors.ts'

type Props = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig['stripe']
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** Step 3 of the alternate checkout: a card (specification, section 2, Alternate checkout). */
export function CardPaymentStep({ checkout, offer, config, headingRef }: Props) {
  const payment = usePaymentState()
  const { paying } = payment
  const card = useCardCheckout({ checkout, offer, config, payment, hasExpress: false })
  usePaymentSystemErrors(
    checkout.step === 'payment' ? (failure) => payment.refuse('card', failure, { isCharged: 'unknown' }) : undefined,
  )
  const { back } = checkout

  return (
    <section aria-labelledby="payment-title">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={headingRef} id="payment-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
          Payment
        </h2>
        {!isBusy(paying) && !isTerminalState(paying) && (
          <Button variant="plain" onClick={back}>
            Back to Review
          </Button>
        )}
      </div>
      <CardSection
        card={card}
        paying={paying}
        summary={offer.summary}
        buttonLabel="Complete Payment - "
        message={<PaymentMessage paying={paying} beside="card" onEdit={back} hasWallet={false} />}
      />
    </section>
  )
}
