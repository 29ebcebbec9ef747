import type { RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { CardSection } from './CardSection.tsx'
import { CustomerSummary } from './CustomerSummary.tsx'
import { PaymentMessage } from './PaymentMessage.tsx'
import { useCardCheckout } from './use-card.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import { isBusy, isTerminalState, paymentMethodOf, usePaymentState } from './use-payment-state.ts'
import { usePaymentSystemErrors } from './use-payment-system-errors.ts'
import { useWallet } from './use-wallet.ts'
import { OrDivider, WalletSection } from './WalletSection.tsx'

type Props = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** Step 2 of the main checkout: the wallet, or a card (specification, section 2, Main checkout). */
export function PaymentStep({ checkout, offer, config, headingRef }: Props) {
  const payment = usePaymentState()
  const { paying } = payment
  const card = useCardCheckout({ checkout, offer, config: config.stripe, payment, hasExpress: true })
  const wallet = useWallet({
    payment,
    config: config.paypal,
    order: () => checkout.orderWallet(offer),
    about: checkout.walletFacts,
    isPaid: checkout.isPaid,
    onPaid: checkout.finishWallet,
    onClosed: () => checkout.close(false),
    onPaidBefore: checkout.closeFor,
  })
  usePaymentSystemErrors(
    checkout.step === 'payment' ? (failure) => payment.refuse('card', failure, { isCharged: 'unknown' }) : undefined,
  )
  const { back } = checkout
  const messageBeside = (beside: 'card' | 'wallet') => (
    <PaymentMessage paying={paying} beside={beside} onEdit={back} hasWallet />
  )

  return (
    <div className="grid gap-9">
      <CustomerSummary
        form={checkout.customer.form}
        edit={isBusy(paying) || isTerminalState(paying) ? undefined : { label: 'Edit', onEdit: back }}
      />
      <section aria-labelledby="payment-title">
        <h2 ref={headingRef} id="payment-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
          Payment
        </h2>
        <WalletSection wallet={wallet} card={card} paying={paying} message={messageBeside('wallet')} />
        {!(isTerminalState(paying) && paymentMethodOf(paying) === 'wallet') && (
          <>
            <OrDivider />
            <CardSection
              card={card}
              paying={paying}
              summary={offer.summary}
              buttonLabel="Pay "
              message={messageBeside('card')}
            />
          </>
        )}
      </section>
    </div>
  )
}
