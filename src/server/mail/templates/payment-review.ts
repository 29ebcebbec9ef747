import { paths } from '#contract/paths.ts'
import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { firstNameOf, paragraphs, worded, type MailContent } from '../content.ts'

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

/** The result of a PayPal payment that was not captured immediately. */
export function reviewMail(payment: ReviewedPayment): MailContent {
  const { outcome, orderNumber, customerName, total, theme, publicUrl } = payment
  const values = {
    'first-name': firstNameOf(customerName),
    order: formatOrderNumber(orderNumber),
    collection: theme.displayName,
    total: formatUsd(total),
  }
  return worded(`payment_${outcome}`, values, ({ subject, title, greeting, opening, closing }) => ({
    subject,
    title,
    preheader: opening,
    theme,
    blocks: [
      ...paragraphs(greeting),
      ...paragraphs(opening),
      ...paragraphs(closing),
      ...(outcome === 'held'
        ? []
        : [{ kind: 'button' as const, text: 'Back to the shop', url: publicUrl + paths.products }]),
    ],
  }))
}
