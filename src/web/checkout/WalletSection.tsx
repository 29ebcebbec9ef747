import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'
import type { CardState } from './use-card.ts'
import { isBusy, isClosed, type Payment } from './payment.ts'
import { PaypalButton } from './PaypalButton.tsx'
import type { WalletState } from './use-wallet.ts'

type Props = {
  wallet: { state: WalletState; press: () => void }
  card: Pick<CardState, 'expressPlace' | 'isExpress'>
  payment: Payment
  message: ReactNode
}

/** PayPal and, beside it, Apple Pay or Google Pay if the browser has them. Nothing moves when they load. */
export function WalletSection({ wallet, card, payment, message }: Props) {
  const { expressPlace, isExpress } = card
  const isWaiting = isClosed(payment) || (isBusy(payment) && payment.by === 'card')
  return (
    <div className="mt-4 grid gap-4">
      {!(isClosed(payment) && payment.by === 'wallet') && (
        <div
          inert={isWaiting}
          className={classNames(
            'grid min-h-12 items-center gap-3 transition-opacity',
            isExpress && 'grid-cols-2',
            isWaiting && 'opacity-60',
          )}
        >
          <div className="min-w-0">
            <Wallet {...wallet} />
          </div>
          {/* Invisible until Stripe reports what this browser supports. */}
          <div
            ref={expressPlace}
            className={classNames('min-w-0', !isExpress && 'invisible absolute size-px overflow-hidden')}
          />
        </div>
      )}
      {message}
    </div>
  )
}

function Wallet({ state, press }: Props['wallet']) {
  switch (state) {
    case 'loading':
      return (
        <>
          <span className="sr-only" role="status">
            {say('Loading PayPal')}
          </span>
          <Skeleton className="h-12" />
        </>
      )
    case 'ready':
      return <PaypalButton onClick={press} />
    case 'unavailable':
      return (
        <p role="status" className="text-[0.9375rem] text-ink-soft">
          {say('PayPal temporarily unavailable. Please use credit/debit card option above')}
        </p>
      )
  }
}
