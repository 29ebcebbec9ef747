import type { CollectionTheme } from '#site/collections/theme.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { greeting, mailPage, mailTheme, salutation, textFooter, titleRow } from './layout.ts'

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

const textsByOutcome: Record<
  ReviewOutcome,
  { subject: string; title: string; paragraphs: (total: string) => string[] }
> = {
  held: {
    subject: 'PayPal is reviewing your payment',
    title: 'Your payment is being reviewed.',
    paragraphs: (total) => [
      `Your payment of ${total} is on hold pending PayPal review. Your order will be processed once payment is cleared; most reviews take less than a day.`,
      'Please don’t pay again. We’ll email you as soon as PayPal decides.',
    ],
  },
  denied: {
    subject: 'Your payment did not go through',
    title: 'Your payment did not go through.',
    paragraphs: (total) => [
      `PayPal reviewed your payment of ${total} and declined it. You were not charged, and no order was placed.`,
      PAY_AGAIN,
    ],
  },
  declined: {
    subject: 'Your payment did not go through',
    title: 'Your payment did not go through.',
    paragraphs: (total) => [
      `PayPal didn’t complete your payment of ${total}. You were not charged, and no order was placed.`,
      PAY_AGAIN,
    ],
  },
}

/** The result of a PayPal payment that was not captured immediately. */
export function reviewMail({
  outcome,
  orderNumber,
  customerName,
  total,
  theme,
  publicUrl,
}: ReviewedPayment): WrittenMail {
  const { subject: about, title, paragraphs } = textsByOutcome[outcome]
  const subject = `${about}: ${formatOrderNumber(orderNumber)} - ${theme.displayName}`
  const sentences = paragraphs(formatUsd(total))
  const shop = publicUrl + paths.products
  const look = mailTheme(theme)
  const rows = html`${titleRow(theme, title, greeting(customerName, sentences[0] ?? ''))}
    <tr>
      <td class="pad" style="padding:4px 40px 24px;">
        <p class="ink" style="margin:0;${look.text}">${sentences[1] ?? ''}</p>
      </td>
    </tr>
    ${
      outcome !== 'held' &&
      html`<tr>
        <td class="pad" style="padding:0 40px 34px;">
          <table role="presentation" cellpadding="0" cellspacing="0" border="0">
            <tr>
              <td class="button" style="background-color:${theme.colors.buttonPrimary};border-radius:4px;">
                <a href="${shop}" style="${look.button}">Back to the shop</a>
              </td>
            </tr>
          </table>
        </td>
      </tr>`
    }`
  return {
    subject,
    text: [
      salutation(customerName),
      ...sentences,
      ...(outcome !== 'held' ? [`Back to the shop: ${shop}`] : []),
      textFooter(publicUrl),
    ].join('\n\n'),
    html: mailPage({ theme, publicUrl, title: subject, preview: sentences[0] ?? '', rows }),
  }
}
