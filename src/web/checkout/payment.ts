import { CARD_READY, cardPayment, type CardEvent, type CardPayment } from './card-payment.ts'
import { WALLET_READY, walletPayment, type WalletEvent, type WalletPayment } from './wallet-payment.ts'

/** The page has one payment, by card or by wallet. */
export type Payment = CardPayment | WalletPayment
export type PaymentEvent = CardEvent | WalletEvent
export type PaidBy = Payment['by']

export const noPayment: Payment = CARD_READY

const CLOSED: ReadonlySet<Payment['step']> = new Set(['paid', 'paid_before', 'held', 'undecided', 'polling'])

/** Nothing more may be paid here. */
export const isClosed = ({ step }: Payment): boolean => CLOSED.has(step)
export const isBusy = (payment: Payment): boolean => payment.step !== 'ready' && !isClosed(payment)

/** While one way to pay is busy, the other's events are ignored, except that its money has come. */
export function nextPayment(payment: Payment, event: PaymentEvent): Payment {
  if (payment.by !== event.by && (isClosed(payment) || (isBusy(payment) && event.kind !== 'paid'))) return payment
  const before = payment.by === event.by ? payment : event.by === 'card' ? CARD_READY : WALLET_READY
  const next =
    event.by === 'card'
      ? cardPayment(before.by === 'card' ? before : CARD_READY, event)
      : walletPayment(before.by === 'wallet' ? before : WALLET_READY, event)
  return next === before ? payment : next
}
