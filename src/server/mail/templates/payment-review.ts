import { paths } from '#contract/paths.ts'
import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { paragraph, salutation, type MailContent } from '../content.ts'

/**
 * held: PayPal reviews the payment before it goes through. denied: the review failed. declined: a pending payment was never
 * completed.
 */
export type ReviewOutcome = 'held' | 'denied' | 'declined'

type ReviewedPayment = {
  outcome: ReviewOutcome
  orderNumber: string
  customerName: string
  total: Cents
  theme: CollectionTheme
  publicUrl: string
}

const PAY_AGAIN = 'Your cart is saved. You can pay by card or with another PayPal account.'

const sentencesOf: Record<ReviewOutcome, (total: string) => [news: string, next: string]> = {
  held: (total) => [
    `Your payment of ${total} is on hold pending PayPal review. Your order will be processed once payment is cleared; most reviews take less than a day.`,
    'Please don’t pay again. We’ll email you as soon as PayPal decides.',
  ],
  denied: (total) => [
    `PayPal reviewed your payment of ${total} and declined it. You were not charged, and no order was placed.`,
    PAY_AGAIN,
  ],
  declined: (total) => [
    `PayPal didn’t complete your payment of ${total}. You were not charged, and no order was placed.`,
    PAY_AGAIN,
  ],
}

/** The result of a PayPal payment that was not captured immediately. */
export function reviewMail(payment: ReviewedPayment): MailContent {
  const { outcome, orderNumber, customerName, total, theme, publicUrl } = payment
  const isHeld = outcome === 'held'
  const [news, next] = sentencesOf[outcome](formatUsd(total))
  const about = isHeld ? 'PayPal is reviewing your payment' : 'Your payment did not go through'
  return {
    subject: `${about}: ${formatOrderNumber(orderNumber)} - ${theme.displayName}`,
    title: isHeld ? 'Your payment is being reviewed.' : 'Your payment did not go through.',
    preheader: news,
    theme,
    blocks: [
      paragraph(salutation(customerName)),
      paragraph(news),
      paragraph(next),
      ...(isHeld ? [] : [{ kind: 'button' as const, text: 'Back to the shop', url: publicUrl + paths.products }]),
    ],
  }
}
