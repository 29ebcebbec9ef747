import type { PaymentKey } from '#shared/ids.ts'
import type { ToastMessage } from '#web/ui/toast.tsx'
import type { FailureMessage, PaidBefore, RecoveryStep } from './start-payment.ts'

/** Can be retried. `isCharged` is unknown after a lost connection. `alert`: the address may be the reason. */
export type Refused = {
  kind: 'refused'
  failure: FailureMessage
  isCharged: 'no' | 'unknown'
  alert?: string
  recovery?: RecoveryStep
}

/** What the page shows of an attempt to pay, in the part that started it. */
type AttemptOutcome =
  | Refused
  /** The total has changed: nothing was charged. */
  | { kind: 'changed'; sentence: string }
  | { kind: 'canceled' }
  /** The wallet's capture takes longer than usual. */
  | { kind: 'late'; payment: PaymentKey }
  /** The provider has not decided yet. */
  | { kind: 'undecided'; failure: FailureMessage }
  /** Paid elsewhere, such as in another tab, or under the wallet's review. */
  | PaidBefore

/** What the last event has brought. `confirmation`: the query of the confirmation page. */
export type PaymentDetails = {
  outcome?: AttemptOutcome
  toast?: ToastMessage
  confirmation?: Record<string, string | undefined>
}

/** Which step follows which event. An event that is not in a step's row is ignored there: second clicks, late answers. */
export type PaymentTable<Step extends string, Kind extends string> = Record<Step, Partial<Record<Kind, Step>>>

/** Shown beside its cause and in a toast. @param beside the sentence on the page if it differs from the toast's */
export const refusal = (
  failure: FailureMessage,
  { beside = failure.sentence, ...more }: Partial<Omit<Refused, 'kind' | 'failure'>> & { beside?: string } = {},
): PaymentDetails => ({
  outcome: { kind: 'refused', isCharged: 'no', ...more, failure: { ...failure, sentence: beside } },
  toast: { title: failure.title, description: failure.sentence, destructive: true },
})
