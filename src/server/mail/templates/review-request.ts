import { formatOrderNumber } from '#shared/ids.ts'
import { firstNameOf, paragraphs, worded, type Block, type Item, type MailContent } from '../content.ts'
import type { MentionedOrder } from './order-status-mails.ts'

/** Asks for a review, some days after delivery. */
export const reviewRequestMail = ({
  orderNumber,
  customerName,
  theme,
  orderLink,
  items,
  stopLink,
}: MentionedOrder & { items: readonly Item[]; stopLink: string }): MailContent =>
  worded(
    'review_request',
    {
      'first-name': firstNameOf(customerName),
      order: formatOrderNumber(orderNumber),
      collection: theme.displayName,
    },
    ({ subject, title, greeting, opening, closing }) => ({
      subject,
      title,
      preheader: opening,
      theme,
      blocks: [
        ...paragraphs(greeting),
        ...paragraphs(opening),
        { kind: 'items', title: 'In your order', items },
        { kind: 'button', text: 'Write a review', url: orderLink },
        ...paragraphs(closing),
        {
          kind: 'small print',
          text: 'We ask once for each order.',
          link: { text: 'Don’t ask me again', url: stopLink },
          asText: `We ask once for each order. Don’t ask me again: ${stopLink}`,
        },
      ] satisfies Block[],
    }),
  )
