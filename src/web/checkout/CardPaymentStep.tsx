import type { RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { Button } from '#web/ui/Button.tsx'
import { CardPart } from './CardPart.tsx'
import { Told } from './Told.tsx'
import { useCard } from './use-card.ts'
import type { CheckoutState, Offer } from './use-checkout.ts'
import { isBusy, isOver, usePaying } from './use-paying.ts'
import { usePaymentSystemErrors } from './use-payment-system-errors.ts'

type Props = {
  checkout: CheckoutState
  offer: Offer
  config: PublicConfig['stripe']
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** Step 3 of the alternate checkout: a card (specification, section 2, Alternate checkout). */
export function CardPaymentStep({ checkout, offer, config, headingRef }: Props) {
  const payment = usePaying()
  const { paying } = payment
  const card = useCard({ checkout, offer, config, payment, hasExpress: false })
  usePaymentSystemErrors(
    checkout.step === 'payment' ? (trouble) => payment.refuse('card', trouble, { isCharged: 'unknown' }) : undefined,
  )
  const { back } = checkout

  return (
    <section aria-labelledby="payment-title">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={headingRef} id="payment-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
          Payment
        </h2>
        {!isBusy(paying) && !isOver(paying) && (
          <Button look="plain" onClick={back}>
            Back to Review
          </Button>
        )}
      </div>
      <CardPart
        card={card}
        paying={paying}
        summary={offer.summary}
        words="Complete Payment - "
        told={<Told paying={paying} beside="card" onEdit={back} />}
      />
    </section>
  )
}
