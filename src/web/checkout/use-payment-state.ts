import { useRef, useState } from 'react'
import type { PaymentKey } from '#shared/ids.ts'
import { useToast } from '#web/ui/toast.tsx'
import type { RecoveryStep, PaidBefore, FailureMessage } from './start-payment.ts'
import { useSingleFlight } from './use-single-flight.ts'

/** The part of the page that a sentence belongs to. */
export type PaidBy = 'card' | 'wallet'

/** Whether something was charged: `unknown` after a lost connection. */
export type ChargeCertainty = 'no' | 'unknown'

/** Where a payment has come to, by whichever means it was begun: there is one payment, so there is one state. */
export type PaymentState =
  | { kind: 'idle' }
  | { kind: 'checking' }
  | { kind: 'asking_bank' }
  /** The wallet's own window is open. */
  | { kind: 'in_wallet' }
  /** The payer agreed in the wallet, and the money is being taken. */
  | { kind: 'taking'; walletOrder: string; isLate: boolean }
  /** The payer closed the wallet. */
  | { kind: 'cancelled' }
  /** Everything stays as it is, and can be tried again. */
  | {
      kind: 'refused'
      by: PaidBy
      trouble: FailureMessage
      isCharged: ChargeCertainty
      alert?: string
      cure?: RecoveryStep
    }
  /** The total is another one: nothing was charged, the shopper decides. */
  | { kind: 'changed'; by: PaidBy; sentence: string }
  /** The provider has not decided yet. */
  | { kind: 'undecided'; by: PaidBy; trouble: FailureMessage }
  /** The wallet has the money and reviews it. */
  | { kind: 'held'; by: PaidBy; sentence: string; payment: PaymentKey | undefined }
  /** By something else, such as another tab. */
  | { kind: 'paid_before'; by: PaidBy; sentence: string; payment: PaymentKey | undefined }
  | { kind: 'paid'; by: PaidBy }

const TERMINAL_STATES: ReadonlySet<PaymentState['kind']> = new Set(['undecided', 'held', 'paid_before', 'paid'])
const BUSY_STATES: ReadonlySet<PaymentState['kind']> = new Set(['checking', 'asking_bank', 'in_wallet', 'taking'])

/** Nothing is left to press. */
export const isOver = ({ kind }: PaymentState): boolean => TERMINAL_STATES.has(kind)
/** Somebody is being asked: the shopper waits. */
export const isBusy = ({ kind }: PaymentState): boolean => BUSY_STATES.has(kind)

/** The part of the page that a payment was begun in. */
export const partOf = (paying: PaymentState): PaidBy => {
  if ('by' in paying) return paying.by
  return paying.kind === 'in_wallet' || paying.kind === 'taking' || paying.kind === 'cancelled' ? 'wallet' : 'card'
}

/** What stands beside the cause, where that is more than the toast says. */
type FailureDetails = { beside?: string; isCharged?: ChargeCertainty; alert?: string; cure?: RecoveryStep }

/** The one payment of the page: whose turn it is, and what there is to say of it. */
export function usePaymentState() {
  const { toast } = useToast()
  const [paying, setPaying] = useState<PaymentState>({ kind: 'idle' })
  const turn = useSingleFlight()
  const latest = useRef(paying)

  const set = (now: PaymentState) => {
    latest.current = now
    setPaying(now)
  }

  const refuse = (
    by: PaidBy,
    trouble: FailureMessage,
    { beside = trouble.sentence, isCharged = 'no', ...more }: FailureDetails = {},
  ) => {
    toast({ title: trouble.title, description: trouble.sentence, destructive: true })
    set({ kind: 'refused', by, trouble: { ...trouble, sentence: beside }, isCharged, ...more })
  }

  const setPaidBefore = (by: PaidBy, { kind, sentence, payment }: PaidBefore) =>
    set({ kind: kind === 'held' ? kind : 'paid_before', by, sentence, payment })

  /** What came late finds an end that was reached meanwhile, and leaves it. */
  const isStillOpen = () => !isOver(latest.current)

  return { paying, set, setPaidBefore, refuse, isStillOpen, turn }
}

export type PaymentControls = ReturnType<typeof usePaymentState>
