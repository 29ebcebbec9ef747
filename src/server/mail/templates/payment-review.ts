import type { CollectionTheme } from '#site/collections/theme.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { greeting, letter, mailTheme, opening, textFooter } from './layout.ts'

/**
 * held: the wallet's provider looks at the payment before it lets it go. denied: it has said no. declined: a payment that was under
 * way for long ended without money.
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

const textsByOutcome: Record<
  ReviewOutcome,
  { subject: string; title: string; paragraphs: (total: string) => string[] }
> = {
  held: {
    subject: 'PayPal is looking at your payment',
    title: 'Your payment is being reviewed.',
    paragraphs: (total) => [
      `Your payment of ${total} is on hold pending PayPal review. Your order will be processed once payment is cleared; most reviews take less than a day.`,
      'You do not need to pay again. We write to you as soon as it is decided.',
    ],
  },
  denied: {
    subject: 'Your payment did not go through',
    title: 'Your payment did not go through.',
    paragraphs: (total) => [
      `PayPal has ended its review of your payment of ${total} with a no. You were not charged, and nothing was ordered.`,
      'Your cart is as you left it. You can pay with another account, or by card.',
    ],
  },
  declined: {
    subject: 'Your payment did not go through',
    title: 'Your payment did not go through.',
    paragraphs: (total) => [
      `PayPal did not complete your payment of ${total}. You were not charged, and nothing was ordered.`,
      'Your cart is as you left it. You can pay with another account, or by card.',
    ],
  },
}

/** What became of a payment that the wallet's provider reviews. */
export function reviewMail({
  outcome,
  orderNumber,
  customerName,
  total,
  theme,
  publicUrl,
}: ReviewedPayment): WrittenMail {
  const { subject: about, title, paragraphs } = textsByOutcome[outcome]
  const subject = `${about}: PF${orderNumber} - ${theme.displayName}`
  const sentences = paragraphs(formatUsd(total))
  const shop = publicUrl + paths.products
  const look = mailTheme(theme)
  const rows = html`${opening(theme, title, greeting(customerName, sentences[0] ?? ''))}
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
      `Hello ${customerName},`,
      ...sentences,
      ...(outcome !== 'held' ? [`Back to the shop: ${shop}`] : []),
      textFooter(publicUrl),
    ].join('\n\n'),
    html: letter({ theme, publicUrl, title: subject, preview: sentences[0] ?? '', rows }),
  }
}
