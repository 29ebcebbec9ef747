import { useEffect, type RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { say } from '#words/say.ts'
import { CardSection } from './CardSection.tsx'
import { CustomerSummary } from './CustomerSummary.tsx'
import { PaymentHead } from './PaymentHead.tsx'
import { PaymentMessage } from './PaymentMessage.tsx'
import { isBusy, isClosed } from './payment.ts'
import { useCard } from './use-card.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import { usePayment } from './use-payment.ts'
import { useWallet } from './use-wallet.ts'
import { OrDivider } from './OrDivider.tsx'
import { WalletSection } from './WalletSection.tsx'

type Props = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** Step 2 of the main checkout: the wallet, or a card (specification, section 2, Main checkout). */
export function PaymentStep({ checkout, offer, config, headingRef }: Props) {
  // The step may have been entered before this was loaded.
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), [headingRef])
  const controls = usePayment(checkout)
  const { payment } = controls
  const card = useCard({ checkout, offer, config: config.stripe, controls, hasExpress: true })
  const wallet = useWallet({ checkout, offer, config: config.paypal, controls })
  const { back } = checkout
  const messageBeside = (beside: 'card' | 'wallet') => (
    <PaymentMessage payment={payment} beside={beside} onEdit={back} hasWallet />
  )

  return (
    // A phone has the order summary above, and a single line between the two.
    <div className="grid gap-7 max-md:-mt-7 max-md:*:first:border-t-0 sm:gap-8">
      <CustomerSummary
        form={checkout.customer.form}
        edit={isBusy(payment) || isClosed(payment) ? undefined : { label: 'Edit', onEdit: back }}
      />
      <section aria-labelledby="payment-title">
        <PaymentHead headingRef={headingRef} />
        <WalletSection wallet={wallet} card={card} payment={payment} message={messageBeside('wallet')} />
        {!(isClosed(payment) && payment.by === 'wallet') && (
          <>
            <OrDivider className="mt-4" />
            <CardSection
              card={card}
              payment={payment}
              summary={offer.summary}
              buttonLabel={(amount) => say('Pay {amount}', { amount })}
              message={messageBeside('card')}
            />
          </>
        )}
      </section>
    </div>
  )
}
