import type { RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { Button } from '#web/ui/Button.tsx'
import { say } from '#words/say.ts'
import { CardSection } from './CardSection.tsx'
import { PaymentHead } from './PaymentHead.tsx'
import { PaymentMessage } from './PaymentMessage.tsx'
import { isBusy, isClosed } from './payment.ts'
import { useCard } from './use-card.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import { usePayment } from './use-payment.ts'

type Props = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig['stripe']
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** Step 3 of the alternate checkout: a card (specification, section 2, Alternate checkout). */
export function CardPaymentStep({ checkout, offer, config, headingRef }: Props) {
  const controls = usePayment(checkout)
  const { payment } = controls
  const card = useCard({ checkout, offer, config, controls, hasExpress: false })
  const { back } = checkout

  return (
    <section aria-labelledby="payment-title">
      <PaymentHead headingRef={headingRef}>
        {!isBusy(payment) && !isClosed(payment) && (
          <Button variant="plain" onClick={back}>
            {say('Back to Review')}
          </Button>
        )}
      </PaymentHead>
      <CardSection
        card={card}
        payment={payment}
        summary={offer.summary}
        buttonLabel={(amount) => say('Complete Payment - {amount}', { amount })}
        message={<PaymentMessage payment={payment} beside="card" onEdit={back} hasWallet={false} />}
      />
    </section>
  )
}
