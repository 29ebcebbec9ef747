import { say } from '#words/say.ts'
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
    items: [say('In your order'), items],
    button: say('Write a review'),
    smallPrint: { text: say('We ask once for each order.'), link: { text: say('Don’t ask me again'), url: stopLink } },
  })
