import type { Item, MailContent } from '../content.ts'
import { orderMail, type MentionedOrder } from './order-status-mails.ts'

/** Asks for a review, some days after delivery. */
export const reviewRequestMail = ({
  items,
  stopLink,
  ...order
}: MentionedOrder & { items: readonly Item[]; stopLink: string }): MailContent =>
  orderMail(order, {
    mail: 'review_request',
    items: ['In your order', items],
    button: 'Write a review',
    smallPrint: { text: 'We ask once for each order.', link: { text: 'Don’t ask me again', url: stopLink } },
  })
