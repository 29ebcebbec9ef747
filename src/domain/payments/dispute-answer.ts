import type { PaymentProvider } from '#shared/ids.ts'
import { HOUR_MS } from '#shared/time.ts'
import type { DisputeStatus } from './returns.ts'

/** How we answer a dispute: with evidence, or by giving in. Either ends it for us: there is one answer. */
export const answerKinds = ['evidence', 'acceptance'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** queued: on its way to the provider. refused: the provider did not take it; the owner may try again. */
export const answerStates = ['queued', 'sent', 'refused'] as const
export type AnswerState = (typeof answerStates)[number]

/**
 * What the provider waits for. `ours`: it has the answer with our reference. `answered`: another answer, such as one from its dashboard.
 * `idle`: it does not ask for evidence yet.
 */
export type AnswerStanding = 'waiting' | 'ours' | 'answered' | 'late' | 'idle' | 'decided'

/** What becomes of a queued answer before it is sent; undefined: send it. */
export function stateBySight(standing: AnswerStanding, kind: AnswerKind): Exclude<AnswerState, 'queued'> | undefined {
  const next: Record<AnswerStanding, Exclude<AnswerState, 'queued'> | undefined> = {
    waiting: undefined,
    ours: 'sent',
    answered: 'refused',
    // Giving in is possible until the decision.
    late: kind === 'acceptance' ? undefined : 'refused',
    idle: kind === 'acceptance' ? undefined : 'refused',
    // Giving in ends as the decision does: there is nothing left to do.
    decided: kind === 'acceptance' ? 'sent' : 'refused',
  }
  return next[standing]
}

const names: Record<PaymentProvider, string> = { stripe: 'Stripe', paypal: 'PayPal' }

/** Why the provider does not take an answer, as a sentence. */
export const standingSentence = (standing: AnswerStanding, provider: PaymentProvider): string =>
  ({
    waiting: `${names[provider]} waits for evidence.`,
    ours: `${names[provider]} has it.`,
    answered: `Somebody already answered this dispute at ${names[provider]}, which takes one answer.`,
    late: `The deadline for evidence has passed at ${names[provider]}.`,
    idle: `${names[provider]} doesn’t ask for evidence in this dispute.`,
    decided: 'This dispute is already decided.',
  })[standing]

type Answerable = {
  status: DisputeStatus
  respondBy: Date | null
  answer: { kind: AnswerKind; state: AnswerState } | undefined
}

/** Why the owner can't answer a dispute now; undefined if they can. */
export function objectionToAnswer({ status, respondBy, answer }: Answerable, now: Date): string | undefined {
  if (status === 'won' || status === 'lost') return 'This dispute is already decided.'
  if (answer?.state === 'queued') return 'An answer is already on its way.'
  if (answer?.state === 'sent')
    return answer.kind === 'evidence' ? 'The evidence was sent. It can be sent once.' : 'This dispute was accepted.'
  if (respondBy && respondBy <= now) return 'The deadline for evidence has passed.'
  return undefined
}

/** Whole hours until a deadline; negative once it has passed. */
export const hoursUntil = (deadline: Date, now: Date): number =>
  Math.floor((deadline.getTime() - now.getTime()) / HOUR_MS)

/** `in 3 days`, `in 5 hours`, `in less than an hour`, `passed`. @param hours as of `hoursUntil` */
export function countdown(hours: number): string {
  if (hours < 0) return 'passed'
  if (hours === 0) return 'in less than an hour'
  if (hours < 48) return hours === 1 ? 'in 1 hour' : `in ${hours} hours`
  return `in ${Math.floor(hours / 24)} days`
}
