import { say } from '#words/say.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import type { MailContent } from '../content.ts'
import { orderMail, type MentionedOrder } from './order-status-mails.ts'

/**
 * held: PayPal reviews the payment before it goes through. denied: the review failed. declined: a pending payment was never
 * completed.
 */
export type ReviewOutcome = 'held' | 'denied' | 'declined'

type ReviewedPayment = Omit<MentionedOrder, 'orderLink'> & { outcome: ReviewOutcome; total: Cents }

/** The result of a PayPal payment that was not captured immediately. */
export const reviewMail = ({ outcome, total, ...order }: ReviewedPayment): MailContent =>
  orderMail(
    { ...order, orderLink: order.publicUrl + paths.products },
    {
      mail: `payment_${outcome}`,
      values: { total: formatUsd(total) },
      ...(outcome !== 'held' && { button: say('Back to the shop') }),
    },
  )
