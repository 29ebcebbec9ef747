import { say, sayKnown } from '#words/say.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { Item, MailContent } from '../content.ts'
import type { MentionedOrder } from './order-status-mails.ts'
import { simpleMail } from './simple-mail.ts'

/** The link to pay an order that was taken by phone. @param until when the link ends */
export const paymentLinkMail = ({
  customerName,
  theme,
  link,
  items,
  total,
  until,
}: Pick<MentionedOrder, 'customerName' | 'theme'> & {
  link: string
  items: readonly Item[]
  total: string
  until: Date
}): MailContent =>
  simpleMail(
    { customerName, theme, link },
    {
      mail: 'payment_link',
      values: { total, day: formatClockTime(until), collection: sayKnown(theme.displayName) },
      items: [say('In your order'), items],
      button: say('Check and pay'),
    },
  )
