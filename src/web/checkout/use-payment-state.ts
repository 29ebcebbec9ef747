import { useRef, useState } from 'react'
import type { PaymentKey } from '#shared/ids.ts'
import { useToast } from '#web/ui/toast.tsx'
import type { RecoveryStep, PaidBefore, FailureMessage } from './start-payment.ts'
import { useSingleFlight } from './use-single-flight.ts'

export type PaidBy = 'card' | 'wallet'

/** Whether something was charged: `unknown` after a lost connection. */
export type ChargeCertainty = 'no' | 'unknown'

/** The page has one payment, by card or wallet, so it has one state. */
export type PaymentState =
  | { kind: 'idle' }
  | { kind: 'checking' }
  | { kind: 'contacting_bank' }
  /** The wallet's own window is open. */
  | { kind: 'in_wallet' }
  /** Approved; the capture is running. */
  | { kind: 'taking'; walletOrder: string; isLate: boolean }
  | { kind: 'canceled' }
  /** Can be retried. */
  | {
      kind: 'refused'
      by: PaidBy
      failure: FailureMessage
      isCharged: ChargeCertainty
      alert?: string
      recovery?: RecoveryStep
    }
  /** The total has changed: nothing was charged. */
  | { kind: 'changed'; by: PaidBy; sentence: string }
  /** The provider has not decided yet. */
  | { kind: 'undecided'; by: PaidBy; failure: FailureMessage }
  /** The wallet has the money and reviews it. */
  | { kind: 'held'; by: PaidBy; sentence: string; payment: PaymentKey | undefined }
  /** Paid elsewhere, such as in another tab. */
  | { kind: 'paid_before'; by: PaidBy; sentence: string; payment: PaymentKey | undefined }
  | { kind: 'paid'; by: PaidBy }

const TERMINAL_STATES: ReadonlySet<PaymentState['kind']> = new Set(['undecided', 'held', 'paid_before', 'paid'])
const BUSY_STATES: ReadonlySet<PaymentState['kind']> = new Set(['checking', 'contacting_bank', 'in_wallet', 'taking'])

export const isTerminalState = ({ kind }: PaymentState): boolean => TERMINAL_STATES.has(kind)
export const isBusy = ({ kind }: PaymentState): boolean => BUSY_STATES.has(kind)

/** The part of the page that started the payment. */
export const paymentMethodOf = (paying: PaymentState): PaidBy => {
  if ('by' in paying) return paying.by
  return paying.kind === 'in_wallet' || paying.kind === 'taking' || paying.kind === 'canceled' ? 'wallet' : 'card'
}

/** `beside`: the sentence on the page if it differs from the toast's. */
type FailureDetails = { beside?: string; isCharged?: ChargeCertainty; alert?: string; recovery?: RecoveryStep }

export function usePaymentState() {
  const { toast } = useToast()
  const [paying, setPaying] = useState<PaymentState>({ kind: 'idle' })
  const lock = useSingleFlight()
  const latest = useRef(paying)

  const set = (next: PaymentState) => {
    latest.current = next
    setPaying(next)
  }

  const refuse = (
    by: PaidBy,
    failure: FailureMessage,
    { beside = failure.sentence, isCharged = 'no', ...more }: FailureDetails = {},
  ) => {
    toast({ title: failure.title, description: failure.sentence, destructive: true })
    set({ kind: 'refused', by, failure: { ...failure, sentence: beside }, isCharged, ...more })
  }

  const setPaidBefore = (by: PaidBy, { kind, sentence, payment }: PaidBefore) =>
    set({ kind: kind === 'held' ? kind : 'paid_before', by, sentence, payment })

  /** Late answers must not overwrite a final state. */
  const isStillOpen = () => !isTerminalState(latest.current)

  return { paying, set, setPaidBefore, refuse, isStillOpen, lock }
}

export type PaymentControls = ReturnType<typeof usePaymentState>
